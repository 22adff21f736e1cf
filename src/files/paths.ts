import * as local from 'node:path';
import { basename, dirname, join } from 'node:path';
import { realpath } from 'node:fs/promises';

/** The part of `node:path` that this takes; a test gives that of another platform. */
type Paths = Pick<typeof local, 'relative' | 'sep'>;

/**
 * The name of a folder in a plan: relative to the folder of the plan, parts joined by `/`, so that a
 * plan that was made on Windows is carried out elsewhere, and the other way round. Elsewhere a
 * backslash is a character of a name and stays.
 */
export function planFolder(from: string, to: string, paths: Paths = local): string {
  return paths.relative(from, to).split(paths.sep).join('/') || '.';
}

/** The deepest folder that holds all of these, which are absolute. */
export function folderAbove(paths: readonly string[], { sep }: Pick<Paths, 'sep'> = local): string {
  const [first = [], ...others] = paths.map((path) => path.split(sep));
  const depth = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  const above = (depth === -1 ? first : first.slice(0, depth)).join(sep);
  // of `C:` alone is meant its current folder
  return above === '' || above.endsWith(':') ? above + sep : above;
}

/** Where a path leads, every link followed; also of what is not there yet, as the folder that plans are written to. */
export async function followLinks(path: string): Promise<string> {
  const above = dirname(path);
  if (above === path) return path;
  return realpath(path).catch(async () => join(await followLinks(above), basename(path)));
}
