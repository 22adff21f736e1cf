import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { isJsonArray, isJsonObject, type JsonObject, objectOf, textOf } from '../../model/json';
import { parseJson } from '../../model/parse-json';
import { posixPath } from '../../model/posix-path';
import { tried } from '../../model/tried';
import { FolderCopy, isWithin } from './copy-folder';

const MODULES = '.terraform/modules';
const MANIFEST = 'modules.json';

/**
 * Copies the modules that `terraform init` installed, and their manifest, which says of each call where its module
 * lies: of a local one with every link followed, so that Terraform would read the original, not the copy.
 *
 * @param data the folder of Terraform's data: `.terraform`, or what `TF_DATA_DIR` says
 * @param from the folder that Terraform runs in
 * @param to its copy
 */
export function copyModules(data: string, from: string, to: string): void {
  const installed = join(data, 'modules');
  new FolderCopy((name) => name === '.git' || name === MANIFEST).addFolder(
    installed,
    join(to, MODULES),
  );
  const records = recordsIn(join(installed, MANIFEST));
  if (records === undefined) return;
  const dirs = new Map<string, string>([['', '.']]);
  const moved = records
    .map((record) => ({ ...record, Key: textOf(record['Key']) }))
    .sort((one, other) => one.Key.split('.').length - other.Key.split('.').length)
    .map((record) => {
      const dir = dirOf(record, dirs, (path) => inCopy(resolve(from, path), installed));
      dirs.set(record.Key, dir);
      return { ...record, Dir: dir };
    });
  writeFileSync(join(to, MODULES, MANIFEST), JSON.stringify({ Modules: moved }));
}

function dirOf(
  record: JsonObject & { Key: string },
  dirs: ReadonlyMap<string, string>,
  installedAt: (path: string) => string,
): string {
  if (record.Key === '') return '.';
  const source = textOf(record['Source']);
  const parent = dirs.get(record.Key.split('.').slice(0, -1).join('.'));
  if (parent === undefined || !/^\.\.?\//.test(source)) return installedAt(textOf(record['Dir']));
  return posix.join(parent, source);
}

/** What was installed lies in the copy; anything else stays where it is. */
function inCopy(path: string, installed: string): string {
  const way = relative(resolve(installed), path);
  return isWithin(resolve(installed), path) ? posix.join(MODULES, posixPath(way)) : path;
}

/** Undefined where there is none, or another than is known: Terraform installs anew then. */
function recordsIn(file: string): JsonObject[] | undefined {
  const manifest = objectOf(parseJson(tried(() => readFileSync(file, 'utf8')) ?? ''));
  const records = manifest['Modules'];
  return isJsonArray(records) ? records.filter(isJsonObject) : undefined;
}
