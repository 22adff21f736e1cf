import * as local from 'node:path';
import { basename, dirname, join } from 'node:path';
import { realpath } from 'node:fs/promises';

/** Replaceable, so that tests can use the paths of another platform. */
type Paths = Pick<typeof local, 'relative' | 'sep'>;

/**
 * A folder as written in a plan: relative to the folder of the plan and joined by `/`, so that a plan can be
 * applied on another operating system.
 */
export function planFolder(from: string, to: string, paths: Paths = local): string {
  return paths.relative(from, to).split(paths.sep).join('/') || '.';
}

/** The deepest folder that contains all of these absolute paths. */
export function folderAbove(paths: readonly string[], { sep }: Pick<Paths, 'sep'> = local): string {
  const [first = [], ...others] = paths.map((path) => path.split(sep));
  const depth = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  const above = (depth === -1 ? first : first.slice(0, depth)).join(sep);
  // `C:` means the current folder of that drive
  return above === '' || above.endsWith(':') ? above + sep : above;
}

/** Resolves every link in a path, also if the path does not exist yet. */
export async function followLinks(path: string): Promise<string> {
  const above = dirname(path);
  if (above === path) return path;
  return realpath(path).catch(async () => join(await followLinks(above), basename(path)));
}
