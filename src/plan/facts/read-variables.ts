import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareTexts } from '../../core/lists';
import { textOfFile } from '../../files/read-files';
import { namedValues, type NamedValues } from '../../project/declared-rulesets';
import { type Environment } from '../../terraform/environment';
import { type ConfigModule, type ConfigProject, type ConfigValue } from '../../tfconfig/config';
import { declaredBackends } from '../../tfconfig/find-blocks';
import { parseConfig } from '../../tfconfig/read-project';
import { type StateFacts } from './facts';

/**
 * What is known of the variables of a root module. Flags are not considered.
 * @param dir of the root module, absolute
 * @returns `unsetVariables`: those without a default and without a value in this folder or its environment; `values`: local
 *   values, and variables by the files of this folder or their default, by reference; none that the environment can set
 */
export async function readVariables(
  dir: string,
  { rootModule }: ConfigProject,
  environment: Environment,
): Promise<Required<Pick<StateFacts, 'unsetVariables' | 'values'>>> {
  const blocks = rootModule.files.flatMap((file) => file.blocks);
  const variables = blocks.flatMap(({ type, labels }) => (type === 'variable' ? labels : []));
  const inFiles = await Promise.all(valueFiles(dir).map((name) => valuesIn(join(dir, name))));
  const isElsewhere = setElsewhere(rootModule, environment);
  const known = [namedValues(rootModule), ...inFiles].flatMap((one) => [...one]);
  const values = new Map(known.filter(([name]) => isLocal(name) || !isElsewhere(name)));
  const isUnset = (name: string): boolean => !values.has(name) && !isElsewhere(name);
  return {
    unsetVariables: [...new Set(variables)].filter((name) => isUnset(`var.${name}`)),
    values,
  };
}

const VALUE_FILE = /^(?:terraform|.+\.auto)\.tfvars(?:\.json)?$/;
/** A name in a file that cannot be parsed. Nested names also match, so that at most a variable too few is reported. */
const NAME = /^[ \t]*[{,]?[ \t]*"?([\w-]+)"?[ \t]*[=:]/gm;

const REMOTE = ['cloud', 'remote'];

/** Whether the environment can set a variable: HCP Terraform stores the values itself. */
function setElsewhere(rootModule: ConfigModule, environment: Environment) {
  const isRemote = declaredBackends(rootModule).some(({ type }) => REMOTE.includes(type));
  return (name: string): boolean => isRemote || `TF_VAR_${name.replace('var.', '')}` in environment;
}

/** Whether a reference is to a local value, which only the files give. */
export const isLocal = (name: string): boolean => name.startsWith('local.');

/** The files of values that Terraform loads; of those that set the same variable, the last counts. */
function valueFiles(dir: string): readonly string[] {
  const isAuto = (name: string): number => Number(name.includes('.auto.'));
  return readdirSync(dir)
    .filter((name) => VALUE_FILE.test(name))
    .sort((one, other) => isAuto(one) - isAuto(other) || compareTexts(one, other));
}

/** What a file sets, by reference; undefined for what cannot be read. */
async function valuesIn(path: string): Promise<NamedValues> {
  const text = textOfFile(path).replace(/^\ufeff/, '');
  // without a block around them, the parser refuses arguments
  const locals = path.endsWith('.json') ? `{"locals": ${text}}` : `locals {\n${text}\n}`;
  const source = { path: path.replace(/\.tfvars(?=$|\.json$)/, '.tf'), bytes: Buffer.from(locals) };
  const file = await parseConfig(source).catch(() => undefined);
  const values: readonly (readonly [string, ConfigValue | undefined])[] =
    file?.blocks.flatMap(({ body }) => [...body]) ??
    [...text.matchAll(NAME)].map(([, name = '']) => [name, undefined]);
  return new Map(values.map(([name, value]) => [`var.${name}`, value]));
}
