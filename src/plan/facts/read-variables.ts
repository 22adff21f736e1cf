import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textOfFile } from '../../files/read-files';
import { namedValues } from '../../project/declared-rulesets';
import { type Environment } from '../../terraform/environment';
import { type ConfigModule, type ConfigProject } from '../../tfconfig/config';
import { declaredBackends } from '../../tfconfig/find-blocks';
import { type StateFacts } from './facts';

/**
 * What is known of the variables of a root module. Flags are not considered.
 * @param dir of the root module, absolute
 * @returns `unsetVariables`: those without a default and without a value in this folder or its environment; `values`: local
 *   values, and the defaults of variables that nothing else sets, by reference; undefined for those set in files of this
 *   folder
 */
export function readVariables(
  dir: string,
  { rootModule }: ConfigProject,
  environment: Environment,
): Required<Pick<StateFacts, 'unsetVariables' | 'values'>> {
  const blocks = rootModule.files.flatMap((file) => file.blocks);
  const variables = blocks.flatMap(({ type, labels }) => (type === 'variable' ? labels : []));
  const inFiles = namesInValueFiles(dir).map((name) => [name, undefined] as const);
  const isElsewhere = setElsewhere(rootModule, environment);
  const known = [...namedValues(rootModule), ...inFiles];
  const values = new Map(known.filter(([name]) => isLocal(name) || !isElsewhere(name)));
  const isUnset = (name: string): boolean => !values.has(name) && !isElsewhere(name);
  return {
    unsetVariables: [...new Set(variables)].filter((name) => isUnset(`var.${name}`)),
    values,
  };
}

const VALUE_FILE = /^(?:terraform|.+\.auto)\.tfvars(?:\.json)?$/;
/** A name at the start of a line. Names in nested objects also match, so that at most a variable too few is reported. */
const NAME = /^[ \t]*[{,]?[ \t]*"?([\w-]+)"?[ \t]*[=:]/gm;

const REMOTE = ['cloud', 'remote'];

/** Whether the environment can set a variable: HCP Terraform stores the values itself. */
function setElsewhere(rootModule: ConfigModule, environment: Environment) {
  const isRemote = declaredBackends(rootModule).some(({ type }) => REMOTE.includes(type));
  return (name: string): boolean => isRemote || `TF_VAR_${name.replace('var.', '')}` in environment;
}

/** Whether a reference is to a local value, which only the files give. */
export const isLocal = (name: string): boolean => name.startsWith('local.');

/** The variables that files of a folder set, as references. */
function namesInValueFiles(dir: string): readonly string[] {
  const files = readdirSync(dir).filter((name) => VALUE_FILE.test(name));
  const texts = files.map((name) => textOfFile(join(dir, name)));
  return texts.flatMap((text) => [...text.matchAll(NAME)].map(([, name = '']) => `var.${name}`));
}
