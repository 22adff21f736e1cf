import { join } from 'node:path';
import { applyEdits, isEdited } from '../../apply/steps/edit';
import { readKnownZones } from '../../cloudflare/zones';
import { type Finding, renderFindings } from '../../core/finding';
import { parseId, parseZoneId } from '../../core/identifier';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { BACKUP_FOLDER, gitIgnore } from '../../files/backups';
import { readJsonFile } from '../../files/read-files';
import { writeFiles } from '../../files/write-files';
import { type Method, type StateFacts } from '../../plan/facts/facts';
import { isPlanText, PLAN_FORMATS, planFormats } from '../../plan/formats/plan-formats';
import { parsePlan } from '../../plan/parse-saved-plan';
import { changedStates, refuseBlockers, type Plan } from '../../plan/plan-schema';
import { parseProviderVersion, parseTargetVersion } from '../../plan/facts/provider-versions';
import {
  makePlan,
  requireSynthesised,
  zonesWithLegacyResources,
  zonesToRead,
  listedZonesInStates,
  defaultZones,
} from '../../plan/make-plan';
import { readStateBytes, readStateOfDir } from '../../plan/facts/read-facts';
import { isManual } from '../../plan/steps/step-kinds';
import { parseTerraformFlags } from '../../plan/steps/terraform-flags';
import { findBlocksOfTypes } from '../../tfconfig/find-blocks';
import { legacyWafTypes } from '../../tfstate/legacy-waf-types';
import { withClient } from '../client';
import { type CliContext } from '../context';
import { advanced, defineFlags, type OptionsOf } from '../flags';
import {
  commandOf,
  DEFAULT_ADDRESS,
  isFleet,
  OUT,
  parseRulesetAddress,
  STATES,
  type TerraformFlags,
  ZONES,
  type ZonesOptions,
} from '../options';
import { foldersOfTerraform, readFolders, readStateInput, terraformOptions } from '../terraform';
import { givenZones, type KnownZone, readZones, withListedZones } from '../zones';

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
 * @throws MigrationError `USAGE`, `STATE_…`, `TERRAFORM_…`, and those of the planner and the client
 */
export async function planByFlags(
  options: MakePlanOptions,
  context: CliContext,
  folder: string,
): Promise<Plan> {
  const { rulesetId = [] } = options;
  const settings = planSettings(options, context);
  const given = await readAllZones(options, context);
  const selected = given.map(({ id }) => id);
  const states = await readStates(options, context, folder);
  const named = isFleet(options) ? listedZonesInStates(selected, states) : selected;
  const zones = selected.length > 0 ? named : defaultZones(states);
  if (zones.length === 0) refuseWithoutZone(options);
  await requireSynthesised(zones, states, folder);
  const rulesetIds = readRulesetIds(rulesetId, zones);
  const names = namesOf(given);
  const request = { ...settings, zones, names, rulesetIds, states };
  // without a request, no credentials are needed
  if (zonesToRead(request).length === 0) return makePlan({ ...request, client: undefined });
  return withClient(options, context, async (client) => {
    const unnamed = zones.filter((id) => !names.has(id));
    const known = await readKnownZones(client, unnamed);
    const all = new Map([...names, ...namesOf([...known.values()])]);
    return makePlan({ ...request, names: all, client }).catch((error: unknown) => {
      const isMissing = error instanceof MigrationError && error.code === 'ENTRY_POINT_MISSING';
      if (!isMissing || zones.length < 2 || options.state !== undefined) throw error;
      // one zone that has not migrated stops the plan of all: `status` names those that can be planned
      throw error.withHint(
        `to see which zones to plan, and which to migrate first:\ncf-waf-migrate ${commandOf('status', '', { dir: options.dir })}`,
      );
    });
  });
}

/** The zones of `--zone`, `--zones` and `--account`; a refused entry of a list is an error. */
async function readAllZones(
  options: MakePlanOptions,
  context: CliContext,
): Promise<readonly KnownZone[]> {
  if (!isFleet(options)) return readZones(givenZones(options), options, context);
  const found = await withListedZones(options, context, (listed) => Promise.resolve(listed));
  const [refused] = found.refused;
  if (refused !== undefined) throw refused.error;
  return found.zones;
}

/**
 * What the flags set for a plan of any zones.
 * @throws MigrationError `USAGE`
 */
export function planSettings(
  { address = DEFAULT_ADDRESS, method }: MakePlanOptions,
  { passedArguments }: CliContext,
) {
  parseRulesetAddress(address);
  // `auto` means commands, which work in every case
  const chosen: Method = method === 'blocks' ? 'blocks' : 'commands';
  return { address, method: chosen, flags: parseTerraformFlags(passedArguments) };
}

/** Names of zones by id; a zone of a list without names is called by its id. */
export function namesOf(zones: readonly KnownZone[]): ReadonlyMap<string, string> {
  return new Map(
    zones.flatMap(({ id, name }) =>
      name === undefined || name === id ? [] : [[id, name] as const],
    ),
  );
}

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
  const states = await readFolders(options, context, readFolder);
  if (options.dir !== undefined) return states;
  // stacks that were found, not named, can be unrelated
  const ofWaf = states.filter(concernsWaf);
  return (ofWaf.length > 0 ? ofWaf : states).map((state) => ({ ...state, isFound: true }));
}

function concernsWaf({ legacyResources, rulesets, declared, configuration }: StateFacts): boolean {
  const blocks = configuration && findBlocksOfTypes(configuration.project, legacyWafTypes);
  return [...legacyResources, ...rulesets, ...declared, ...(blocks ?? [])].length > 0;
}

/**
 * Reads the states of Terraform folders one by one. The flags are checked once, before the first.
 * @param folder of the plans
 * @returns a function that takes the absolute path of a Terraform folder
 * @throws MigrationError `USAGE`; what it returns throws `STATE_…`, `TERRAFORM_…`
 */
export function folderReader(
  options: MakePlanOptions,
  context: CliContext,
  folder: string,
): (dir: string) => Promise<StateFacts> {
  const versions = readVersions(options);
  const terraform = terraformOptions(options, context);
  return (dir) => readStateOfDir(dir, terraform, versions, folder);
}

/**
 * The options, with the zones of this folder if they name none. Unchanged outside of a Terraform folder.
 * @throws MigrationError `STATE_…`, `TERRAFORM_…`
 */
export async function withZonesOfFolder<Options extends ZonesOptions & TerraformFlags>(
  options: Options,
  context: CliContext,
): Promise<Options> {
  const { zone, zones, account } = options;
  if ((zone ?? zones ?? account) !== undefined) return options;
  if (foldersOfTerraform(context.cwd).length === 0) return options;
  const found = zonesWithLegacyResources(await readStates(options, context, context.cwd));
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
 * @throws MigrationError `USAGE`, `ID_INVALID`
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
  throw new MigrationError('USAGE', 'with several zones, --ruleset-id takes <zone>=<id>');
}

/** Without a zone, nothing is imported, and the provider does not change. @throws MigrationError `USAGE` */
function refuseWithoutZone({ rulesetId, method, to }: MakePlanOptions): void {
  const values = { 'ruleset-id': rulesetId, method: method === 'auto' ? undefined : method, to };
  const [flag] = Object.entries(values).find(([, value]) => value !== undefined) ?? [];
  if (flag === undefined) return;
  throw new MigrationError(
    'USAGE',
    `--${flag} needs a zone, and the state has no legacy resources of any zone: pass --zone <id or name>`,
  );
}

/**
 * Saves a plan for `apply`, makes its edits with `--write`, and shows its decisions and blockers.
 * @param path of the saved plan; undefined saves nothing
 * @param folder that the paths of the plan are relative to
 * @returns the saved plan, whether it was written or kept, its decisions and blockers, and whether a manual step remains
 *   after the edits
 * @throws MigrationError `FILE_EXISTS` if the file is not an earlier plan, and those of {@link requireWritable}
 */
export async function savePlan(
  plan: Plan,
  path: string | undefined,
  folder: string,
  { write = false, force = false }: PlanOptions,
  context: CliContext,
) {
  if (write) requireWritable(plan);
  const kept = write && !force ? await planBeforeEdits(plan, path, folder) : undefined;
  if (kept !== undefined) {
    context.notify('The edits of the saved plan are made, so it is kept. --force replaces it.');
  } else if (path !== undefined) {
    // before the edits, because it cannot be made again from edited files
    writeFiles([{ path, text: planFormats.json.render(plan) }], { force, mayReplace: isPlanText });
  }
  const saved = kept ?? plan;
  const isManual = write && (await writeEdits(saved, folder, context));
  const did = kept === undefined ? 'wrote' : 'kept';
  const open = showOpen(saved, context);
  return {
    plan: saved,
    did,
    open,
    isManual,
    exitCode: isManual || open.length > 0 ? 2 : 0,
  } as const;
}

/** The plan in a file whose edits are made already. A plan of the edited files lacks its decisions. */
async function planBeforeEdits(plan: Plan, path = '', folder: string): Promise<Plan | undefined> {
  if (!isEdited(plan, folder)) return undefined;
  const read = readJsonFile(path).then(parsePlan);
  const earlier = await read.catch(() => undefined);
  return earlier !== undefined && isEdited(earlier, folder) ? earlier : undefined;
}

/** Prints the decisions and blockers of a plan on standard error too, unless the user reads standard output as well. */
function showOpen({ findings }: Plan, { terminals, stderr }: CliContext): Finding[] {
  const open = findings.filter(({ severity }) => severity !== 'info');
  const lines = terminals.stdout || terminals.areOneFile ? [] : renderFindings(open);
  stderr(lines.map((line) => `${line}\n`).join(''));
  return open;
}

/**
 * Refuses `--write` if a state has another method than blocks: without the removal from state before them, its edits
 * would make the next `terraform apply` destroy or create resources.
 * @throws MigrationError `METHOD_UNSUITABLE`, and those of {@link refuseBlockers}
 */
function requireWritable(plan: Plan): void {
  refuseBlockers(plan);
  const other = changedStates(plan).find(({ method }) => method !== 'blocks');
  if (other === undefined) return;
  throw new MigrationError(
    'METHOD_UNSUITABLE',
    `--write does not work for state ${printable(other.name, 80)}: nothing of the legacy WAF is left for method blocks, and the plan changes the state with commands`,
    {
      hint: 'leave out --method and --write, then apply the plan, in a pipeline too: cf-waf-migrate apply <plan> --yes',
    },
  );
}

/**
 * Makes the edits of a plan, for a pull request.
 * @returns whether a manual step remains, because CDKTF programs are not edited
 */
async function writeEdits(
  { steps }: Plan,
  folder: string,
  { cwd, notify }: CliContext,
): Promise<boolean> {
  const edits = steps.flatMap((step) => step.edits ?? []);
  const written = await applyEdits(edits, folder);
  // the printed command saves the state there, which is no part of the pull request
  writeFiles([gitIgnore(join(cwd, BACKUP_FOLDER))], { force: true, mode: 0o600 });
  for (const { file, sha256After } of written) {
    const did = sha256After === null ? 'deleted' : 'wrote';
    notify(`${did} ${printable(join(folder, file))}`);
  }
  const manual = steps.filter(isManual).map(({ id }) => id);
  if (manual.length === 0) return false;
  notify(`step ${manual.join(', ')} is manual: change the program`);
  return true;
}
