import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compareTexts } from '../../core/lists';
import { attempt } from '../../core/migration-error';
import { textOfFile } from '../../files/read-files';
import { namedValues, type NamedValues } from '../../project/declared-rulesets';
import { type Environment } from '../../terraform/environment';
import { isTrackedByGit } from '../../terraform/git';
import { type ConfigModule, type ConfigProject, type ConfigValue } from '../../tfconfig/config';
import { declaredBackends } from '../../tfconfig/find-blocks';
import { parseConfig } from '../../tfconfig/read-project';
import { type StateFacts } from './facts';

/**
 * What is known of the variables of a root module.
 * @param dir of the root module, absolute
 * @param flags for Terraform: `-var=…`, `-var-file=…`, and others that set no variable
 * @returns `unsetVariables`: those without a default and without a value; `values`: local values, and what the
 *   environment, files and flags give, or else the default, by reference; variables only if nothing unknown can set them;
 *   `givenValues`: the references of those that the environment or a flag gives, or a file that other clones do not have
 */
export async function readVariables(
  dir: string,
  { rootModule }: ConfigProject,
  environment: Environment,
  flags: readonly string[] = [],
): Promise<Required<Pick<StateFacts, 'unsetVariables' | 'values' | 'givenValues'>>> {
  const defaults = namedValues(rootModule);
  const ofEnvironment = valuesOfEnvironment(environment);
  const ofFiles = await Promise.all(
    valueFiles(dir).map(async (name) => ({
      values: await valuesIn(join(dir, name)),
      isOwn: await isOfThisClone(name, dir, environment),
    })),
  );
  const ofFlags = await Promise.all(flags.map((flag) => valuesOfFlag(flag, dir)));
  if (isRemote(rootModule) || ofFlags.includes(undefined)) {
    const locals = new Map([...defaults].filter(([name]) => isLocal(name)));
    return { unsetVariables: [], values: locals, givenValues: new Set() };
  }
  const given = ofFlags.flatMap((one) => [...(one ?? [])]);
  // in the order of Terraform: the last counts
  const values = new Map([
    ...defaults,
    ...ofEnvironment,
    ...ofFiles.flatMap((one) => [...one.values]),
    ...given,
  ]);
  const ofClone = ofFiles.flatMap((one) => (one.isOwn ? [...one.values] : []));
  const blocks = rootModule.files.flatMap((file) => file.blocks);
  const variables = blocks.flatMap(({ type, labels }) => (type === 'variable' ? labels : []));
  return {
    unsetVariables: [...new Set(variables)].filter((name) => !values.has(`var.${name}`)),
    values,
    givenValues: new Set([...ofEnvironment, ...ofClone, ...given].map(([name]) => name)),
  };
}

const VALUE_FILE = /^(?:terraform|.*\.auto)\.tfvars(?:\.json)?$/;
/** A name in a file that cannot be parsed. Nested names also match, so that at most a variable too few is reported. */
const NAME = /^[ \t]*(?:[{,][ \t]*)?"?([\w-]+)"?[ \t]*[=:]/gm;

/** HCP Terraform stores values itself. */
function isRemote(rootModule: ConfigModule): boolean {
  return declaredBackends(rootModule).some(({ type }) => ['cloud', 'remote'].includes(type));
}

function valuesOfEnvironment(environment: Environment): NamedValues {
  const names = Object.keys(environment).filter((name) => name.startsWith('TF_VAR_'));
  return new Map(names.map((name) => [name.replace('TF_VAR_', 'var.'), environment[name]]));
}

/** What a flag sets; undefined if its file is not here, as one that a pipeline writes. */
async function valuesOfFlag(flag: string, dir: string): Promise<NamedValues | undefined> {
  const [, name, value] = /^-var=([^=]*)=([^]*)$/.exec(flag) ?? [];
  if (name !== undefined) return new Map([[`var.${name}`, value]]);
  const [, file] = /^-var-file=([^]*)$/.exec(flag) ?? [];
  if (file === undefined) return new Map();
  const path = resolve(dir, file);
  return attempt(() => statSync(path).isFile()) === true ? valuesIn(path) : undefined;
}

/** Whether a reference is to a local value, which only the files give. */
export const isLocal = (name: string): boolean => name.startsWith('local.');

/** Whether git does not track a file, so that each environment can have it with other values. */
async function isOfThisClone(
  name: string,
  dir: string,
  environment: Environment,
): Promise<boolean> {
  return (await isTrackedByGit(name, dir, environment).catch(() => undefined)) === false;
}

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
  const [name, locals] = path.endsWith('.json')
    ? ['values.tf.json', `{"locals": ${text}}`]
    : ['values.tf', `locals {\n${text}\n}`];
  const source = { path: name, bytes: Buffer.from(locals) };
  const file = await parseConfig(source).catch(() => undefined);
  const values: readonly (readonly [string, ConfigValue | undefined])[] =
    file?.blocks.flatMap(({ body }) => [...body]) ??
    [...text.matchAll(NAME)].map(([, name = '']) => [name, undefined]);
  return new Map(values.map(([name, value]) => [`var.${name}`, value]));
}
