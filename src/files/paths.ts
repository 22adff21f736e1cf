import * as local from 'node:path';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { realpath } from 'node:fs/promises';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

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

/**
 * Refuses a folder to write to that a link inside of another folder leads out of it: a pull request can add such a link.
 * @throws MigrationError `FILE_UNWRITABLE`
 */
export async function refuseLinkOut(folder: string, root: string): Promise<void> {
  const place = await followLinks(folder);
  if (!isBelow(folder, root) || isBelow(place, await followLinks(root))) return;
  const message = `${printable(folder)} leads to ${printable(place)}`;
  throw new MigrationError('FILE_UNWRITABLE', message, {
    hint: 'remove the link, or pass the folder that it leads to',
  });
}

function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return !/^\.\.(?:[\\/]|$)/.test(way) && !isAbsolute(way);
}
