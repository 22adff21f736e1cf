import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { callsOf, declarationsOf, mergedBody, modulePaths } from '../tfconfig/find-blocks';
import { findOldBlocks } from '../tfconfig/find-old-blocks';
import { type ConfigFile } from '../tfconfig/config-file';
import { type ConfigSource, configSyntax } from '../tfconfig/config-source';
import { type ConfigObject, Expression, objectsOf, stringOf } from '../tfconfig/config-value';
import { loadHclGrammar } from '../tfconfig/hcl-grammar';
import { readProject } from '../tfconfig/read-project';
import { objectOf, parseJson } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { PROVIDER_MAJORS, type ProviderMajor } from '../core/provider-majors';
import { type Configuration, type DeclaredRulesetAddress } from './configuration';
import { configNames } from './config-names';
import { linkedFiles } from './linked-files';
import { readSources } from './read-sources';

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
