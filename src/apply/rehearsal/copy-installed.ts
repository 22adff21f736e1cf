import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { objectOf, objectsOf, parseJson, textOf } from '../../core/json';
import { attempt, MigrationError } from '../../core/migration-error';
import { posixPath } from '../../core/posix-quote';
import { printable } from '../../core/printable';

/**
 * Copies the installed modules and their manifest, which maps calls to folders. The manifest of the copy omits
 * local modules, because Terraform finds them itself.
 *
 * @param data the data folder of Terraform: `.terraform` or `TF_DATA_DIR`
 * @param from the folder that Terraform runs in
 * @param to its copy
 */
export function copyModules(data: string, from: string, to: string): void {
  const installed = join(data, 'modules');
  const manifest = attempt(() => readFileSync(join(installed, 'modules.json'), 'utf8'));
  if (manifest === undefined) return;
  const records = objectsOf(objectOf(parseJson(manifest))['Modules'])
    .filter(({ Key, Source }) => Key === '' || !/^\.\.?\//.test(textOf(Source)))
    .map((record) => ({ ...record, Dir: dirInCopy(textOf(record['Dir'])) }));
  const copied = join(to, '.terraform/modules');
  copying(installed, () => {
    cpSync(installed, copied, { recursive: true, dereference: true, filter: isOfModule });
  });
  writeFileSync(join(copied, 'modules.json'), JSON.stringify({ Modules: records }));

  function dirInCopy(dir: string): string {
    const way = posixPath(relative(resolve(installed), resolve(from, dir)));
    return dir === '.' || way.startsWith('..') ? dir : posix.join('.terraform/modules', way);
  }
}

/** @throws MigrationError `FILE_UNWRITABLE` */
export function copying(from: string, copy: () => void): void {
  try {
    copy();
  } catch (cause) {
    const message = `cannot copy ${printable(from)} for the rehearsal`;
    const hint =
      'check that it is readable, and that TMPDIR (on Windows TEMP) is writable and has space';
    throw new MigrationError('FILE_UNWRITABLE', message, { cause, hint });
  }
}

function isOfModule(path: string): boolean {
  return !/[/\\]\.git$/.test(path) && statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Copies the installed providers to the plugin cache that all states of the copy share, because they have hundreds of
 * megabytes. Terraform installs them from there without a download, and never writes to the originals.
 */
export function cacheProviders(installed: string, cache: string): void {
  // the folder is missing if no provider is installed
  if (!existsSync(installed)) return;
  copying(installed, () => {
    cpSync(installed, cache, { recursive: true, dereference: true, force: false });
  });
}
