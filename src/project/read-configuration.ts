import {
  type ConfigProject,
  type ConfigFile,
  type ConfigObject,
  Expression,
  objectsOf,
  stringOf,
} from '../tfconfig/config';
import { type HclGrammar, loadHclGrammar } from '../tfconfig/hcl-grammar';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { configSyntax, type ConfigSource } from '../tfconfig/config-source';
import { join, sep, relative } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { existsSync } from 'node:fs';
import { realPlace } from '../files/paths';
import { posixPath } from '../core/posix-quote';
import {
  callsOf,
  declarationsOf,
  mergedBody,
  modulePaths,
  findOldBlocks,
} from '../tfconfig/find-blocks';
import { readProject } from '../tfconfig/read-project';
import { objectOf, parseJson } from '../core/json';
import { PROVIDER_MAJORS, type ProviderMajor } from '../core/provider-majors';

/** The configuration of a state's folder, read from its files. */
export interface Configuration {
  readonly project: ConfigProject;
  readonly grammar: HclGrammar;
  /** Where the files that a link leads to, and the folder, really are, by their names in the plan. */
  readonly linkedFiles?: ReadonlyMap<string, string> | undefined;
}

/** A `cloudflare_ruleset` of the managed phase that the configuration declares. */
export interface DeclaredRulesetAddress {
  readonly address: string;
  /** The folder of its module, relative to that of the plan; that of the state unless told. */
  readonly dir?: string | undefined;
  /** Undefined where an expression tells it, or the phase. */
  readonly zoneId: string | undefined;
  /** Where `zoneId` is not told: the one zone that it can be of, null where an account has it; undefined for any. */
  readonly mayBeOf?: string | null | undefined;
  /** Whether it, or a call on the way to its module, has `count` or `for_each`, and its instances a key. */
  readonly isRepeated?: boolean | undefined;
  /** Literal arguments, a change of which replaces the ruleset. */
  readonly name?: string | undefined;
  readonly kind?: string | undefined;
  readonly phase?: string | undefined;
  /** The providers that take it as it is written. */
  readonly majors?: readonly number[] | undefined;
}

/**
 * The names of the files in a folder that Terraform loads, in order. A folder or a pipe whose name ends
 * in `.tf` is none; a link counts, wherever it leads.
 * @returns undefined when the folder is not there
 */
export async function configNames(folder: string): Promise<string[] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  return entries
    ?.filter(
      (entry) =>
        configSyntax(entry.name) !== undefined && (entry.isFile() || entry.isSymbolicLink()),
    )
    .map(({ name }) => name)
    .sort();
}

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

/**
 * Refuses a folder whose configuration is a copy that Terragrunt creates again at each run, or is elsewhere.
 * @param dir absolute
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function refuseTerragrunt(dir: string): Promise<void> {
  const parts = (await realPlace(dir)).split(sep);
  const cache = parts.indexOf('.terragrunt-cache');
  const unit = cache === -1 ? dir : parts.slice(0, cache).join(sep);
  const isUnit =
    existsSync(join(unit, 'terragrunt.hcl')) && ((await configNames(dir)) ?? []).length === 0;
  if (cache === -1 && !isUnit) return;
  throw new MigrationError(
    'CONFIG_EDIT_REFUSED',
    cache === -1
      ? `${printable(dir, 300)} is a Terragrunt unit: it holds no Terraform configuration`
      : `${printable(dir, 300)} is inside a Terragrunt cache: Terragrunt overwrites what is edited there`,
    {
      hint: `edit the source that ${printable(unit, 300)}/terragrunt.hcl names; for its state run \`terragrunt state pull > state.json\` in ${printable(unit, 300)}, then plan with --state state.json`,
    },
  );
}

/**
 * Where the files of a configuration, and its folder, really are, of those that a link leads to: by the
 * name that they have in the plan, and relative to the folder of the plan, too. Two folders with a link
 * to one file have that file in common.
 * @param folder of the plan
 */
export async function linkedFiles(
  project: ConfigProject,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const files = [...project.modules.values()].flatMap((module) => module.files);
  const places = await placesOf([project.root, ...files.map(({ path }) => path)], folder);
  return new Map([...places].filter(([path, place]) => path !== place));
}

/** Where files and folders really are, by their names: both relative to the folder of the plan. */
export async function placesOf(
  paths: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const base = await realPlace(folder);
  const places = paths.map(async (path): Promise<readonly [string, string]> => {
    const place = await realPlace(join(folder, path));
    return [path, posixPath(relative(base, place)) || '.'];
  });
  return new Map(await Promise.all(places));
}

/**
 * Reads the configuration of a folder and the local modules that it calls.
 * @param dir relative to `folder`, parts joined by `/`
 * @param folder of the plan: every file is named relative to it
 * @returns undefined when the folder holds no configuration
 * @throws MigrationError `CONFIG_INVALID` naming each file that cannot be read, `CONFIG_EDIT_REFUSED`
 */
export async function readConfiguration(
  dir: string,
  folder: string,
): Promise<Configuration | undefined> {
  const sources = await readSources(dir, folder);
  if (!sources?.some(({ path }) => configSyntax(path) !== undefined)) return undefined;
  const grammar = await loadHclGrammar();
  const read = async (one: string): Promise<ConfigSource[] | undefined> =>
    (await isWhereTerraformLooks(one, dir, folder)) ? readSources(one, folder) : undefined;
  await refuseHclStack(join(folder, dir));
  const project = await readProject(dir, read, grammar);
  for (const one of project.modules.keys()) await refuseTofuFiles(join(folder, one));
  return { project, grammar, linkedFiles: await linkedFiles(project, folder) };
}

/** Nothing in such a stack may be edited, and what is added to it is not synthesised (cdktf 0.21). */
async function refuseHclStack(dir: string): Promise<void> {
  const names = (await configNames(dir)) ?? [];
  if (!names.includes('cdk.tf')) return;
  const text = await readFile(join(dir, 'metadata.json'), 'utf8').catch(() => '');
  const { metadata } = objectOf(objectOf(parseJson(text))['//']);
  if (!('stackName' in objectOf(metadata))) return;
  throw new MigrationError(
    'CONFIG_EDIT_REFUSED',
    `${printable(dir, 300)}: CDKTF synthesised this stack as HCL, which is not supported`,
    {
      hint: 'synthesise it as JSON (without --hcl), and delete cdk.tf and metadata.json in its folder',
    },
  );
}

/** What such a file declares is not known, and it can replace a file that is read. */
async function refuseTofuFiles(dir: string): Promise<void> {
  const names = await readdir(dir).catch((): string[] => []);
  const file = names.find((name) => /^[^.].*\.tofu(?:\.json)?$/su.test(name));
  if (file === undefined) return;
  throw new MigrationError(
    'CONFIG_EDIT_REFUSED',
    `${printable(join(dir, file), 300)}: only OpenTofu loads this file, and it is not read`,
    { hint: 'rename it to .tf, or pass --state instead of --dir' },
  );
}

/**
 * Terraform runs in the folder itself: where a link leads to that, `..` is above the place that it leads
 * to, and a folder of the same name beside the link is another one.
 */
async function isWhereTerraformLooks(one: string, dir: string, folder: string): Promise<boolean> {
  const root = await realpath(join(folder, dir));
  const looked = await realpath(join(root, relative(dir, one))).catch(() => undefined);
  return looked === (await realpath(join(folder, one)).catch(() => undefined));
}

/** The rulesets of the managed phase that a configuration declares. */
export function declaredRulesets({ project }: Configuration): DeclaredRulesetAddress[] {
  const { entryPoints } = findOldBlocks(project, { old: [], retired: [] });
  return [...project.modules.values()].flatMap((module) =>
    module.resources
      .filter((resource) => entryPoints.includes(resource))
      // an override file declares no second one
      .filter((one, _, all) => declarationsOf(all, one)[0] === one)
      .flatMap((resource) => {
        const { type, name } = resource;
        const body = mergedBody(module, resource);
        const literal = (field: string): string | undefined => stringOf(body.get(field));
        return modulePaths(project, module).map((path) => ({
          address: `${path === '' ? '' : `${path}.`}${type}.${name}`,
          dir: module.dir,
          ...zoneOf(body),
          isRepeated:
            body.has('count') ||
            body.has('for_each') ||
            callsOf(project, path).some((call) => call.isRepeated),
          name: literal('name'),
          kind: literal('kind'),
          phase: literal('phase'),
          majors: writtenFor(body, resource.file.syntax),
        }));
      }),
  );
}

/** With a phase that an expression tells it is the entry point of its zone, or of another phase; with no zone, an account's. */
function zoneOf(body: ConfigObject): Pick<DeclaredRulesetAddress, 'zoneId' | 'mayBeOf'> {
  const zone = body.get('zone_id') ?? null;
  if (zone instanceof Expression) return { zoneId: undefined };
  const zoneId = stringOf(zone);
  const isTold = zoneId !== undefined && !(body.get('phase') instanceof Expression);
  return isTold ? { zoneId } : { zoneId: undefined, mayBeOf: zoneId ?? null };
}

/**
 * The provider majors that take a declared ruleset as it is written; all of them where nothing tells.
 * Blocks of rules are of 3 and 4, lists of them of 5; `status` is of 3, `ref` of those after it.
 * @param body of the resource
 */
function writtenFor(body: ConfigObject, syntax: ConfigFile['syntax']): ProviderMajor[] {
  const rules = objectsOf(body.get('rules'));
  const nested = rules.flatMap((rule) => [rule.get('action_parameters'), rule.get('logging')]);
  const isDynamic = objectsOf(body.get('dynamic')).some((one) => one.has('rules'));
  const hasBlocks = isDynamic || nested.some(Array.isArray);
  // Terraform JSON may write a block as an object
  const hasObjects = syntax === 'hcl' && nested.some((value) => value instanceof Map);
  const overrides = nested.flatMap(objectsOf).flatMap((one) => objectsOf(one.get('overrides')));
  const logging = rules.flatMap((rule) => objectsOf(rule.get('logging')));
  const rated = ['categories', 'rules'].flatMap((name) =>
    overrides.flatMap((one) => objectsOf(one.get(name))),
  );
  const hasStatus = [...overrides, ...rated, ...logging].some((one) => one.has('status'));
  const hasRefs = rules.some((rule) => rule.has('ref'));
  return PROVIDER_MAJORS.filter((major) => {
    const isOfSyntax = major < 5 ? !hasObjects : !hasBlocks;
    return isOfSyntax && (major === 3 ? !hasRefs : !hasStatus);
  });
}
