import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConfigSource, configSyntax } from '../blocks/config-source';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';

/**
 * The files of a folder that Terraform loads, as they are. A folder or a pipe whose name ends in `.tf` is
 * none; a link counts, wherever it leads.
 * @param dir relative to `folder`, parts joined by `/`
 * @returns undefined when the folder is not there
 * @throws MigrationError `FILE_UNREADABLE`
 */
export async function readSources(
  dir: string,
  folder: string,
): Promise<ConfigSource[] | undefined> {
  const entries = await readdir(join(folder, dir), { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return undefined;
  const names = entries
    .filter(
      (entry) =>
        configSyntax(entry.name) !== undefined && (entry.isFile() || entry.isSymbolicLink()),
    )
    .map(({ name }) => name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const path = dir === '.' ? name : `${dir}/${name}`;
      return { path, bytes: await readFile(join(folder, path)).catch(unreadable(path)) };
    }),
  );
}

function unreadable(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, {
      cause,
      hint: 'check its permissions, and where it is a link, that a file is there: Terraform reads it too',
    });
  };
}
