import { type Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { pathPattern } from './path-pattern';

/** Standard input, among the names of files. */
export const STANDARD_INPUT = '-';

/**
 * The files that are meant: a file; a folder with all that lie in it and below, hidden ones and linked
 * folders left out;
 * or, where nothing has that name, a pattern with `*` and `?` within a name and `**` for any folders.
 * In the order of their names, each once, whatever links lead to it.
 *
 * @throws MigrationError `EVENTS_MISSING` naming what leads to no file, `FILE_UNREADABLE`
 */
export async function findEventFiles(names: readonly string[], cwd: string): Promise<string[]> {
  const found = new Map<string, string>();
  for (const name of names) {
    if (name === STANDARD_INPUT) continue;
    const files = (await filesOf(resolve(cwd, name))).sort();
    if (files.length === 0) {
      throw new MigrationError('EVENTS_MISSING', `no file of events at ${printable(name, 300)}`);
    }
    for (const file of files) {
      const target = await realpath(file).catch(() => file);
      if (!found.has(target)) found.set(target, file);
    }
  }
  return [...found.values()];
}

async function filesOf(path: string): Promise<string[]> {
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isDirectory()) return below(path);
  if (kind !== undefined) return [path];
  return /[*?]/.test(path) ? matching(path) : [];
}

async function below(folder: string): Promise<string[]> {
  const found = await entriesOf(folder);
  const parts = await Promise.all(
    found.map(async (entry): Promise<string[]> => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return below(path);
      return entry.isFile() || (entry.isSymbolicLink() && (await isFile(path))) ? [path] : [];
    }),
  );
  return parts.flat();
}

/** Whether a link leads to a file. One to a folder is not followed: it may lead back. */
async function isFile(link: string): Promise<boolean> {
  return (await stat(link).catch(() => undefined))?.isFile() ?? false;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const all = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read the folder ${printable(folder)}`, {
      cause,
    });
  });
  return all.filter(({ name }) => !name.startsWith('.'));
}

/** The files below the last folder that the pattern names outright, compared with the pattern. */
async function matching(pattern: string): Promise<string[]> {
  const { root, matches } = pathPattern(pattern);
  if (!(await stat(root).catch(() => undefined))?.isDirectory()) return [];
  return (await below(root)).filter(matches);
}
