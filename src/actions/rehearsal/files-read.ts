import { realpathSync, statSync, type Stats } from 'node:fs';
import { type ConfigFile } from '../../blocks/config-file';
import { type JsonNode } from '../../blocks/json-tree';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type CalledModule } from './called-modules';
import { isWithin } from './copy-folder';
import { type Part, seenFrom } from './part';
import { withWorkspace, writtenPath } from './written-path';

/** A call that reads a file. */
const FILE =
  /\b(?:templatefile|file(?:exists|base64|md5|sha1|sha256|sha512|base64sha256|base64sha512)?)\(\s*"([^"\\]*)"/g;
/** A call that looks for files in a folder: both of its arguments. */
const FILES = /\bfileset\(\s*(?:(path\.\w+)|"([^"\\]*)")\s*,\s*"([^"\\]*)"/g;

/** What a configuration reads besides its modules. */
export interface FilesRead {
  readonly files: readonly Part[];
  readonly folders: readonly Part[];
}

/**
 * What a configuration reads by `file("../policies/one.json")` and the like, wherever it lies. Of a name that is
 * put together, and of a pattern, it is the folder that is written out.
 *
 * @param root the folder that Terraform runs in
 * @throws MigrationError `REHEARSAL_IMPOSSIBLE` where that folder holds the project itself
 */
export function filesRead(
  modules: readonly CalledModule[],
  root: Part,
  workspace: string,
): FilesRead {
  const files: Part[] = [];
  const folders: Part[] = [];
  for (const called of modules) {
    for (const file of called.module.files) {
      for (const template of textsOf(file).flatMap(templatesIn)) {
        const path = writtenPath(withWorkspace(template, workspace));
        if (path === undefined) continue;
        const base = path.isOfModule ? called : root;
        const isName = path.isWhole && !/[*?[{]/.test(path.text);
        const part = seenFrom(base, isName ? path.text : folderIn(path.text));
        if (isName && statsOf(part)?.isFile() === true) files.push(part);
        if (!isName && statsOf(part)?.isDirectory() === true) {
          refuseAbove(part, root, modules, file);
          folders.push(part);
        }
      }
    }
  }
  return { files, folders };
}

/** All of HCL; of JSON each string, in which quotes are not escaped any more. */
function textsOf(file: ConfigFile): string[] {
  return file.syntax === 'hcl' ? [file.text] : stringsOf(file.root);
}

function stringsOf(node: JsonNode): string[] {
  if (node.kind === 'string') return [node.value];
  if (node.kind === 'array') return node.items.flatMap(stringsOf);
  return node.kind === 'object' ? node.members.flatMap(({ value }) => stringsOf(value)) : [];
}

function templatesIn(text: string): string[] {
  return [
    ...[...text.matchAll(FILE)].map(([, name = '']) => name),
    ...[...text.matchAll(FILES)].map(
      ([, folder, name = '', pattern = '']) =>
        `${folder === undefined ? name : `\${${folder}}`}/${pattern}`,
    ),
  ];
}

/** The deepest folder of a path that is written out before a pattern, or before its end. */
function folderIn(text: string): string {
  const [plain = ''] = /^[^*?[{]*/.exec(text) ?? [];
  return plain.slice(0, plain.lastIndexOf('/') + 1);
}

function statsOf({ from }: Part): Stats | undefined {
  return statSync(from, { throwIfNoEntry: false });
}

function refuseAbove(
  { from }: Part,
  root: Part,
  modules: readonly Part[],
  { path }: ConfigFile,
): void {
  const real = realpathSync(from);
  if (!isWithin(real, root.from) || modules.some((one) => isWithin(one.from, real))) return;
  throw new MigrationError(
    'REHEARSAL_IMPOSSIBLE',
    `${printable(path)} reads files whose names only Terraform knows from ${printable(real)}, where the project itself lies: it cannot be told which`,
    { hint: 'write the names out, or carry the plan out with `apply`, which can be rolled back' },
  );
}
