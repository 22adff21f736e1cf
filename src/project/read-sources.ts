import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConfigSource } from '../tfconfig/config-source';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { configNames } from './config-names';

/**
 * The files of a folder that Terraform loads, as they are.
 * @param dir relative to `folder`, parts joined by `/`
 * @returns undefined when the folder is not there
 * @throws MigrationError `FILE_UNREADABLE`
 */
export async function readSources(
  dir: string,
  folder: string,
): Promise<ConfigSource[] | undefined> {
  const names = await configNames(join(folder, dir));
  if (names === undefined) return undefined;
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
