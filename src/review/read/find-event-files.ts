import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { glob } from 'tinyglobby';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';

/** Standard input, among the names of files. */
export const STANDARD_INPUT = '-';

/**
 * The files that the names mean: a file, all visible files below a folder, or a glob pattern if no file
 * has that name. Sorted by name; a file that several names or links lead to is returned once.
 *
 * @throws MigrationError `EVENTS_MISSING` naming what leads to no file
 */
export async function findEventFiles(names: readonly string[], cwd: string): Promise<string[]> {
  const found = new Map<string, string>();
  for (const name of names) {
    if (name === STANDARD_INPUT) continue;
    const files = await filesOf(name, cwd);
    if (files.length === 0) {
      throw new MigrationError('EVENTS_MISSING', `no file of events at ${printable(name, 300)}`);
    }
    for (const file of files.sort()) {
      const target = await realpath(file).catch(() => file);
      if (!found.has(target)) found.set(target, file);
    }
  }
  return [...found.values()];
}

async function filesOf(name: string, cwd: string): Promise<string[]> {
  const path = resolve(cwd, name);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isDirectory()) return glob('**/*', { cwd: path, absolute: true });
  if (kind !== undefined) return [path];
  return glob(name.replaceAll(sep, '/'), { cwd, absolute: true });
}
