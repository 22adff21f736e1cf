import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type KnownZone, readKnownZones } from '../../cloudflare/zones';
import { parseId, parseZoneId } from '../../core/identifier';
import { listed } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { posixQuote } from '../../core/posix-quote';
import { printable } from '../../core/printable';
import { DEFAULT_ADDRESS } from '../../core/ruleset';
import { planFolder } from '../../files/paths';
import { type Method, type StateFacts } from '../../plan/facts/facts';
import { PLAN_FORMATS } from '../../plan/formats/plan-formats';
import { hasOnlyChecks, type Plan, withDigest } from '../../plan/plan-schema';
import { parseProviderVersion, parseTargetVersion } from '../../plan/facts/provider-versions';
import {
  makePlan,
  requireSynthesised,
  zonesToRead,
  listedZonesInStates,
  defaultZones,
} from '../../plan/make-plan';
import { readStateBytes, readStateOfDir } from '../../plan/facts/read-facts';
import {
  cdktfFolder,
  foldersOfTerraform,
  isStackFolder,
  synthesisedStacks,
} from '../../project/cdktf-project';
import { constraintOf } from '../../project/provider-version';
import { rootModuleOf } from '../../project/read-configuration';
import { parseTerraformFlags } from '../../plan/steps/terraform-flags';
import { findBlocksOfTypes } from '../../tfconfig/find-blocks';
import { legacyWafTypes } from '../../tfstate/legacy-waf-types';
import { hasCredentials, withClient } from '../client';
import { type CliContext } from '../context';
import { advanced, defineFlags, type OptionsOf } from '../flags';
import {
  commandOf,
  isList,
  OUT,
  parseRulesetAddress,
  STATES,
  type TerraformFlags,
  ZONES,
  type ZonesOptions,
} from '../options';
import { readFolders, readStateInput, terraformOptions } from '../terraform';
import { withTerraformFlags } from './plan-text';
import { zonesToCheck } from '../../zone/folder-facts';
import { unprotectedZones } from '../../zone/live-status';
import { withProgram } from '../output';
import { givenZones, readZones, withListedZones } from '../zones';

export const PLAN = defineFlags({
  ...ZONES,
  ...STATES,
  '--ruleset-id <id...>': 'entry point, or <zone>=<id>; works offline',
  '--method <method>': { summary: 'how to migrate', choices: ['auto', 'commands', 'blocks'] },
  '--to <version>': 'provider version to end with',
  '--write': 'make the edits of method blocks',
  '--format <format>': { summary: 'what is printed', choices: PLAN_FORMATS },
  ...OUT,
  '--out <file>': 'save the plan for apply; a folder with --zones',
  '--address <address>': { ...advanced('address of the ruleset'), usual: DEFAULT_ADDRESS },
  '--from <version>': advanced('installed provider version (default: lock file)'),
});

export type PlanOptions = OptionsOf<typeof PLAN>;

/** What a plan is made for. `rehearse` and `apply` take only some of the flags of `plan`. */
export type MakePlanOptions = TerraformFlags & Partial<PlanOptions>;

/**
 * Makes the plan that the flags ask for: by default for this folder, and all zones in its state.
 * @param folder of the plan: paths in the plan are relative to it
 */
export async function planByFlags(
  options: MakePlanOptions,
  context: CliContext,
  folder: string,
): Promise<Plan> {
  const { rulesetId = [] } = options;
  refuseStackFolder(folder, context);
  const settings = planSettings(options, context);
  const given = await readAllZones(options, context);
  const selected = given.map(({ id }) => id);
  if (selected.length > 0) readRulesetIds(rulesetId, selected);
  const states = await readStates(options, context, folder);
  const named = isList(options) ? listedZonesInStates(selected, states) : selected;
  const zones = selected.length > 0 ? named : defaultZones(states);
  if (zones.length === 0) refuseWithoutZone(options);
  await requireSynthesised(zones, states, folder);
  const rulesetIds = readRulesetIds(rulesetId, zones);
  const names = namesOf(given);
  const request = { ...settings, folder, zones, names, rulesetIds, states };
  // without a request, no credentials are needed
  if (zonesToRead(request).length === 0) {
    const plan = await makePlan({ ...request, client: undefined });
    if (!hasOnlyChecks(plan) || !hasCredentials(options, context)) return plan;
    // where nothing is left to migrate, a zone may have lost its ruleset since
    const planned = plan.zones.map(({ zoneId }) => zoneId);
    const unprotected = await withClient(options, context, (client) =>
      unprotectedZones(client, planned),
    );
    return withDigest({ ...plan, findings: [...plan.findings, ...unprotected] });
  }
  return withClient(options, context, async (client) => {
    const unnamed = zones.filter((id) => !names.has(id));
    const known = await readKnownZones(client, unnamed);
    const all = new Map([...names, ...namesOf([...known.values()])]);
    // the same flags for other zones
    const { state, dir, from, to, method, out } = options;
    const address = options.address === DEFAULT_ADDRESS ? undefined : options.address;
    const flags = settings.flags.map(({ word }) => word);
    const commandFor = (ids: readonly string[]): string => {
      const zone = ids.map((id) => all.get(id) ?? id);
      const line = commandOf('plan', { zone, state, dir, from, to, method, address, out });
      return withProgram(withTerraformFlags(line, flags), context);
    };
    return makePlan({ ...request, names: all, client, commandFor });
  });
}

/** A synthesis can delete a plan in the folder of a stack, with the journal and the backups of its run. */
function refuseStackFolder(folder: string, { cwd }: CliContext): void {
  const project = isStackFolder(folder) ? cdktfFolder(folder) : undefined;
  if (project === undefined || project === folder) return;
  const place = planFolder(cwd, project);
  throw new MigrationError(
    'PROJECT_UNSUITABLE',
    `this stack belongs to the CDKTF project ${printable(place, 200)}, whose synthesis can delete plans and backups here`,
    {
      hint:
        place === '.'
          ? 'pass --out with a file in the folder of the project'
          : `plan in the folder of the project:\ncd ${posixQuote(place)}`,
    },
  );
}

/** The zones of `--zone`, `--zones` and `--account`; a refused entry of a list is an error. */
async function readAllZones(
  options: MakePlanOptions,
  context: CliContext,
): Promise<readonly KnownZone[]> {
  if (!isList(options)) return readZones(givenZones(options), options, context);
  const found = await withListedZones(options, context, (listed) => Promise.resolve(listed));
  const [refused] = found.refused;
  if (refused !== undefined) throw refused.error;
  return found.zones;
}

/** What the flags set for a plan of any zones. */
export function planSettings(
  { address = DEFAULT_ADDRESS, method }: MakePlanOptions,
  { passedArguments }: CliContext,
) {
  parseRulesetAddress(address);
  // `auto` means commands, which work in every case
  const chosen: Method = method === 'blocks' ? 'blocks' : 'commands';
  return { address, method: chosen, flags: parseTerraformFlags(passedArguments) };
}

/** Names of zones by id. */
export const namesOf = (zones: readonly KnownZone[]): ReadonlyMap<string, string> =>
  new Map(zones.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));

async function readStates(
  options: MakePlanOptions,
  context: CliContext,
  folder: string,
): Promise<StateFacts[]> {
  if (options.state !== undefined) {
    const versions = readVersions(options);
    const bytes = await readStateInput(options.state, context);
    return [readStateBytes(bytes, context.environment['TF_WORKSPACE'] || 'default', versions)];
  }
  const readFolder = folderReader(options, context, folder);
  // `rehearse` and `apply` have no --dir and no --state
  const instead = options.address === undefined ? 'a plan file' : undefined;
  const states = await readFolders(options, context, readFolder, instead);
  if (options.to !== undefined) requireWholeProgram(states.map(({ dir }) => resolve(folder, dir)));
  if (options.dir !== undefined) return states;
  // stacks that were found, not named, can be unrelated
  const ofWaf = states.filter(
    (state) => concernsWaf(state) || (options.to !== undefined && isOfBindings(state)),
  );
  return (ofWaf.length > 0 ? ofWaf : states).map((state) => ({ ...state, isFound: true }));
}

/**
 * The bindings of a CDKTF program are of one provider, so an upgrade concerns all its stacks.
 * @param dirs absolute
 */
function requireWholeProgram(dirs: readonly string[]): void {
  const planned = new Set(dirs.map((dir) => basename(dir)));
  for (const dir of dirs.filter(isStackFolder)) {
    const project = cdktfFolder(dir) ?? dir;
    const missing = synthesisedStacks(project).filter((stack) => !planned.has(basename(stack)));
    if (dir === project || missing.length === 0) continue;
    throw new MigrationError(
      'USAGE',
      `--to changes the bindings of all stacks of the program, also of ${printable(listed(missing), 200)}`,
      { hint: 'run the command in the folder of the program, without --dir' },
    );
  }
}

function concernsWaf({ legacyResources, rulesets, declared, configuration }: StateFacts): boolean {
  const blocks = configuration && findBlocksOfTypes(configuration.project, legacyWafTypes);
  return [...legacyResources, ...rulesets, ...declared, ...(blocks ?? [])].length > 0;
}

function isOfBindings({ configuration }: StateFacts): boolean {
  return configuration !== undefined && constraintOf(configuration.project) !== undefined;
}

/**
 * Reads the states of Terraform folders one by one. The flags of the command are checked once, before the first.
 * @param folder of the plans
 * @returns a function that takes the absolute path of a Terraform folder; for one of a list also all its folders
 */
export function folderReader(
  options: MakePlanOptions,
  context: CliContext,
  folder: string,
): (dir: string, all?: readonly string[]) => Promise<StateFacts> {
  const versions = readVersions(options);
  const terraform = terraformOptions(options, context);
  const flags = parseTerraformFlags(context.passedArguments).map(({ word }) => word);
  const dirs = (options.dir ?? []).map((one) => resolve(context.cwd, one));
  const found = new Map<string, boolean>();
  return async (dir, all = dirs) => {
    const facts = await readStateOfDir(dir, terraform, versions, folder, flags);
    const place = resolve(folder, facts.dir);
    for (const file of flags.flatMap((word) => /^-var-file=(.*)$/.exec(word)?.[1] ?? [])) {
      // one that is missing everywhere can be in the pipeline
      const isAnywhere =
        found.get(file) ?? [context.cwd, ...all].some((one) => existsSync(resolve(one, file)));
      found.set(file, isAnywhere);
      if (isAnywhere) requireVarFile(file, place, context);
    }
    if (!facts.exists) await refuseModule(dir, context);
    return facts;
  };
}

/**
 * Terraform opens a file of variables from the folder where it runs.
 * @param dir absolute
 */
function requireVarFile(file: string, dir: string, { cwd }: CliContext): void {
  const isIn = (folder: string): boolean => existsSync(resolve(folder, file));
  if (isIn(dir)) return;
  const place = printable(planFolder(cwd, dir), 200);
  throw new MigrationError(
    'FILE_UNREADABLE',
    `Terraform runs in ${place}, and ${printable(file, 200)} is not there`,
    {
      hint: isIn(cwd)
        ? `pass its path from there: -var-file=${posixQuote(planFolder(dir, resolve(cwd, file)))}`
        : 'pass its absolute path if all folders have these values; otherwise give each folder a file of this name',
    },
  );
}

/** The state of the root module has its resources: an import here would give the ruleset a second state. */
async function refuseModule(dir: string, { cwd }: CliContext): Promise<void> {
  const root = await rootModuleOf(dir);
  if (root === undefined) return;
  const [module, caller] = [dir, root].map((path) => printable(planFolder(cwd, path), 200));
  throw new MigrationError(
    'STATE_INVALID',
    `${module} has no state: ${caller} calls it as a module`,
    {
      hint: `plan the root module:\ncf-waf-migrate ${commandOf('plan', { dir: planFolder(cwd, root) })}`,
    },
  );
}

/** The options, with the zones to check of this folder if they name none. Unchanged outside of a Terraform folder. */
export async function withZonesOfFolder<Options extends ZonesOptions & TerraformFlags>(
  options: Options,
  context: CliContext,
): Promise<Options> {
  const { zone, zones, account } = options;
  if ((zone ?? zones ?? account) !== undefined) return options;
  if (foldersOfTerraform(context.cwd).length === 0) return options;
  const found = zonesToCheck(await readStates(options, context, context.cwd));
  return found.length === 0 ? options : { ...options, zone: found };
}

function readVersions({ from, to }: Pick<MakePlanOptions, 'from' | 'to'>) {
  return {
    from: from === undefined ? undefined : parseProviderVersion(from),
    to: to === undefined ? undefined : parseTargetVersion(to),
  };
}

/**
 * Reads `--ruleset-id`: only the id with one zone, else `<zone>=<id>` for each.
 * @returns ruleset ids by zone
 */
function readRulesetIds(given: readonly string[], zones: readonly string[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const text of given) {
    const equals = text.indexOf('=');
    const zone = equals === -1 ? onlyZone(given, zones) : parseZoneId(text.slice(0, equals));
    if (!zones.includes(zone)) {
      throw new MigrationError('USAGE', `--ruleset-id names zone ${zone}, and --zone does not`);
    }
    const id = parseId(text.slice(equals + 1), 'ruleset id');
    if ((ids.get(zone) ?? id) !== id) {
      throw new MigrationError('USAGE', `--ruleset-id gives zone ${zone} two ids: which counts?`);
    }
    ids.set(zone, id);
  }
  return ids;
}

function onlyZone(given: readonly string[], zones: readonly string[]): string {
  const [zone, ...others] = zones;
  if (zone !== undefined && others.length === 0 && given.length === 1) return zone;
  throw new MigrationError('USAGE', 'with several zones, pass --ruleset-id <zone>=<id> for each');
}

/** Without a zone, nothing is imported, and the provider does not change. */
function refuseWithoutZone({ rulesetId, method, to }: MakePlanOptions): void {
  const values = { 'ruleset-id': rulesetId, method: method === 'auto' ? undefined : method, to };
  const [flag] = Object.entries(values).find(([, value]) => value !== undefined) ?? [];
  if (flag === undefined) return;
  throw new MigrationError(
    'USAGE',
    `--${flag} needs a zone, and the state has no legacy resources of any zone: pass --zone <id or name>`,
  );
}
