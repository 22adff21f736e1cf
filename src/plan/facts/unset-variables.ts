import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textOfFile } from '../../files/read-regular-file';
import { type ConfigProject } from '../../tfconfig/config';

const VALUE_FILE = /^(?:terraform|.+\.auto)\.tfvars(?:\.json)?$/;
/** A name at the start of a line. Names in nested objects also match, so that at most a variable too few is reported. */
const NAME = /^[ \t]*[{,]?[ \t]*"?([\w-]+)"?[ \t]*[=:]/gm;
const REMOTE = /\bcloud\b|\bbackend\b[^\w]+remote\b/;

/**
 * The variables of a root module that have no default and no value in this folder or its environment. Flags are not
 * considered. HCP Terraform stores the values itself, so none is reported there.
 * @param dir of the root module, absolute
 */
export function unsetVariables(
  dir: string,
  { rootModule: { files } }: ConfigProject,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const blocks = files.flatMap((file) => file.blocks.map((block) => ({ file, block })));
  const isRemote = blocks.some(
    ({ file, block: { type, range } }) =>
      type === 'terraform' && REMOTE.test(file.text.slice(range.start, range.end)),
  );
  if (isRemote) return [];
  const variables = blocks.flatMap(({ block }) => (block.type === 'variable' ? [block] : []));
  const withDefault = variables.filter(({ body }) => body.has('default'));
  const set = new Set(withDefault.map(({ labels }) => labels[0]));
  const names = [...new Set(variables.flatMap(({ labels }) => labels))];
  const open = names.filter((name) => !set.has(name) && !(`TF_VAR_${name}` in environment));
  if (open.length === 0) return [];
  const inFiles = namesInValueFiles(dir);
  return open.filter((name) => !inFiles.has(name));
}

function namesInValueFiles(dir: string): ReadonlySet<string> {
  const files = readdirSync(dir).filter((name) => VALUE_FILE.test(name));
  const texts = files.map((name) => textOfFile(join(dir, name)));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(NAME)].flatMap(([, name]) => name ?? [])),
  );
}
