import * as local from 'node:path';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { realpath } from 'node:fs/promises';
import { MigrationError } from '../core/migration-error';
import { posixPath } from '../core/posix-quote';
import { printable } from '../core/printable';

/**
 * A folder or file as written in a plan: relative to the folder of the plan and joined by `/`, so that a plan can be
 * applied on another operating system. Both paths are absolute.
 */
export function planFolder(from: string, to: string): string {
  return posixPath(relative(from, to)) || '.';
}

/**
 * The deepest folder that contains all of these absolute paths.
 * @param platform replaceable, so that tests can use the paths of another one
 */
export function folderAbove(
  paths: readonly string[],
  { sep }: Pick<typeof local, 'sep'> = local,
): string {
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
