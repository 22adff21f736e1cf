import { sep as ownSeparator } from 'node:path';

/** A pattern of paths: where to look, and what to keep of what is found. */
export interface PathPattern {
  /** The deepest folder that the pattern names outright. */
  readonly root: string;
  readonly matches: (path: string) => boolean;
}

/**
 * Reads an absolute pattern with `*` and `?` within a name and `**` for any folders.
 * @param separator of the paths; on Windows a backslash, and letters match in any case there
 */
export function pathPattern(pattern: string, separator: string = ownSeparator): PathPattern {
  const parts = pattern.split(separator);
  const first = parts.findIndex((part) => /[*?]/.test(part));
  const above = parts.slice(0, first).join(separator);
  const flags = separator === '\\' ? 'si' : 's';
  const text = parts.map(toRegex).join('/').replaceAll('.*/', '(?:.*/)?');
  const regex = new RegExp(`^${text}$`, flags);
  return {
    // of `C:` alone is meant its current folder
    root: above === '' || above.endsWith(':') ? above + separator : above,
    matches: (path) => regex.test(path.split(separator).join('/')),
  };
}

function toRegex(part: string): string {
  if (part === '**') return '.*';
  return part
    .replace(/[.+^${}()|[\]\\/-]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
}
