import { hasMoves, type PendingMove, pendingMoves } from '../../tfconfig/pending-moves';
import {
  type Configuration,
  declaredRulesets,
  readConfiguration,
  refuseTerragrunt,
} from '../../project/read-configuration';
import {
  type PlannedState,
  type OwnedRuleset,
  type RetiredResource,
  type OtherWorkspace,
  type OtherStack,
} from '../facts';
import { parseState, stateAddresses } from '../../tfstate/parse-state';
import { type State, type StateResource } from '../../tfstate/state';
import { readTerraformVersion, statePull } from '../../terraform/subcommands';
import { runTerraform, type TerraformOptions } from '../../terraform/run-terraform';
import { lockedVersion } from '../../project/provider-version';
import { planFolder } from '../../files/paths';
import { typeOfAddress, unknownTypes } from '../provider-versions';
import { isRulesetOfFive } from '../../tfstate/providers';
import { pickOldResources } from '../../tfstate/legacy-resources';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { resolve, join } from 'node:path';
import { MigrationError } from '../../core/migration-error';
import { localStates, stateFile } from '../../files/local-states';
import * as z from 'zod';
import { parseJson } from '../../core/json';

/**
 * The state of a folder's backend, by `terraform state pull`, with the provider that its lock file names.
 * @throws MigrationError `TERRAFORM_…`, `STATE_…`, `CONFIG_EDIT_REFUSED`
 */
export async function readStateOfDir(
  dir: string,
  terraform: Omit<TerraformOptions, 'dir'>,
  versions: ProviderVersions,
  cwd: string,
): Promise<PlannedState> {
  await refuseTerragrunt(dir);
  const options = { ...terraform, dir };
  const bytes = await statePull(options);
  const workspace = await workspaceShow(options);
  const installed = versions.from ?? (await lockedVersion(dir));
  const place = planFolder(cwd, dir);
  const name = nameOf(place);
  const state = bytes.length === 0 ? NO_STATE : parseState(bytes);
  const planned = plannedState(
    state,
    { name, dir: place, workspace },
    { ...versions, from: installed },
  );
  const configuration = await readConfiguration(place, cwd);
  const declared = configuration === undefined ? [] : declaredRulesets(configuration);
  const binary = await readTerraformVersion(options);
  const dataDir = terraform.environment['TF_DATA_DIR'] || undefined;
  return {
    ...planned,
    dataDir,
    exists: bytes.length > 0,
    configuration,
    declared,
    binary,
    unknownEntries: unknownEntries(state, bytes, planned),
    pendingMoves: configuration === undefined ? [] : movesOf(configuration, bytes),
    otherWorkspaces: await otherWorkspaces(dir, workspace, dataDir),
    otherStacks: planned.wanted === undefined ? [] : await otherStacks(dir, cwd),
  };
}

/** Most of the 255 bytes that a file's name can have are for what stands behind it. */
const LONGEST_NAME = 80;

/** Also a folder outside of the working directory, or deep below it, has to give a name that can be part of a file's. */
function nameOf(place: string): string {
  const letters = place.replace(/[^A-Za-z0-9_-]+/g, '-').slice(-LONGEST_NAME);
  return letters.replace(/^-+|-+$/g, '') || 'main';
}

function movesOf({ project }: Configuration, bytes: Buffer): readonly PendingMove[] {
  // for a large state the addresses take as long as all else that is read of it
  if (bytes.length === 0 || !hasMoves(project)) return [];
  return pendingMoves(project, stateAddresses(bytes));
}

/** What a backend has before the first import. */
const NO_STATE: State = {
  ...{ terraformVersion: '', serial: 0, lineage: '' },
  ...{ resources: [], counts: [] },
};

/**
 * `terraform workspace show`: the workspace that commands in this folder use, `TF_WORKSPACE` included.
 * @throws MigrationError as {@link runTerraform}
 */
async function workspaceShow(options: TerraformOptions): Promise<string> {
  return (await runTerraform(['workspace', 'show'], options)).toString('utf8').trim();
}

/** Provider versions that the user named; they win over what is found. */
export interface ProviderVersions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * A state that the user has as a file or a stream: nothing else is known of its configuration.
 * @throws MigrationError `STATE_…`
 */
export function readStateBytes(
  bytes: Uint8Array,
  workspace: string,
  versions: ProviderVersions,
): PlannedState {
  const state = parseState(bytes);
  const planned = plannedState(state, { name: 'main', dir: '.', workspace }, versions);
  return { ...planned, unknownEntries: unknownEntries(state, bytes, planned) };
}

/** For a large state the addresses take as long as all else: they are read where the state has such a type. */
export function unknownEntries(
  state: State,
  bytes: Uint8Array,
  { installed, wanted = installed }: Pick<PlannedState, 'installed' | 'wanted'>,
): readonly string[] {
  const types = unknownTypes(wanted);
  if (!state.counts.some(({ mode, type }) => mode === 'managed' && types.has(type))) return [];
  return stateAddresses(Buffer.from(bytes)).filter((address) =>
    types.has(typeOfAddress(address) ?? ''),
  );
}

/** What a plan needs to know of a state. */
export function plannedState(
  state: State,
  place: { readonly name: string; readonly dir: string; readonly workspace: string },
  versions: ProviderVersions,
): PlannedState {
  const { lineage, serial, terraformVersion } = state;
  return {
    ...place,
    lineage,
    serial,
    terraformVersion,
    oldResources: pickOldResources(state),
    exists: true,
    declared: [],
    rulesets: instancesOf(state, ['cloudflare_ruleset'])
      .filter(({ deposed }) => deposed === undefined)
      .map(ownedRuleset),
    retired: instancesOf(state, ['cloudflare_filter', 'cloudflare_firewall_rule']).map(
      ({ type, address }): RetiredResource => ({ type, address }),
    ),
    pageRules: wafSwitchesOf(state, 'cloudflare_page_rule', 'actions'),
    wafSettings: wafSwitchesOf(state, 'cloudflare_zone_settings_override', 'settings'),
    installed: versions.from,
    wanted: versions.to,
  };
}

type FlatInstance = StateResource['instances'][number] & { readonly type: string };

function instancesOf(state: State, types: readonly string[]): FlatInstance[] {
  return state.resources
    .filter(({ mode, type }) => mode === 'managed' && types.includes(type))
    .flatMap(({ type, instances }) => instances.map((instance) => ({ ...instance, type })));
}

/** The resources of a type that switch the old WAF in one of their attributes, by address. */
function wafSwitchesOf(state: State, type: string, attribute: string): string[] {
  return instancesOf(state, [type])
    .filter(({ attributes }) => switchesWaf(attributes[attribute]))
    .map(({ address }) => address);
}

/** A list of one up to provider 4, an object in 5. */
function switchesWaf(settings: unknown): boolean {
  return (Array.isArray(settings) ? settings : [settings]).some(
    (one: unknown) =>
      typeof one === 'object' &&
      one !== null &&
      'waf' in one &&
      (one.waf === 'on' || one.waf === 'off'),
  );
}

function ownedRuleset(instance: FlatInstance): OwnedRuleset {
  const { address, attributes } = instance;
  const text = (name: string): string | undefined => {
    const value = attributes[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    address,
    zoneId: text('zone_id'),
    id: text('id'),
    phase: text('phase'),
    accountId: text('account_id'),
    precedesFive: !isRulesetOfFive(instance),
  };
}

/**
 * The other workspaces of a folder that hold anything, where the backend is local: what other
 * backends have is not known without asking them.
 * @param dataDir `TF_DATA_DIR`, where it is set
 */
export async function otherWorkspaces(
  dir: string,
  workspace: string,
  dataDir: string | undefined,
): Promise<readonly OtherWorkspace[]> {
  const states = await localStates(dir, dataDir);
  if (states === undefined) return [];
  const names = await readdir(resolve(dir, states.workspaceDir)).catch((): string[] => []);
  const found: OtherWorkspace[] = [];
  for (const name of ['default', ...names.sort()]) {
    if (name === (workspace || 'default')) continue;
    const path = stateFile(dir, name, states);
    if (existsSync(path)) found.push(...(await readWorkspace(name, path)));
  }
  return found;
}

/** What cannot be read, as where it is encrypted or another's, is in use, and nothing else is known of it. */
async function readWorkspace(name: string, path: string): Promise<OtherWorkspace[]> {
  const unknown = { name, oldResources: [], rulesets: [] };
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return [unknown];
  if (bytes.length === 0) return [];
  try {
    const state = parseState(bytes);
    if (state.counts.length === 0) return [];
    const { oldResources, rulesets } = plannedState(state, { name, dir: '.', workspace: name }, {});
    return [{ name, oldResources: oldResources.map(({ address }) => address), rulesets }];
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return [unknown];
  }
}

/** What every synthesis writes above the folders of its stacks (cdktf 0.21: `stacks/<name>`). */
const manifest = z.looseObject({
  stacks: z.record(z.string(), z.looseObject({ workingDirectory: z.string() })),
});

/**
 * The other stacks that were synthesised together with that of a folder, by their names; none where the
 * folder is not among them.
 * @param dir the folder of a state, absolute
 * @param cwd the folder of the plan
 */
export async function otherStacks(dir: string, cwd: string): Promise<readonly OtherStack[]> {
  const out = resolve(dir, '../..');
  const text = await readFile(join(out, 'manifest.json'), 'utf8').catch(() => '');
  const { data } = manifest.safeParse(parseJson(text));
  const stacks = Object.entries(data?.stacks ?? {}).map(([name, { workingDirectory }]) => ({
    name,
    place: resolve(out, workingDirectory),
  }));
  if (!stacks.some(({ place }) => place === resolve(dir))) return [];
  return stacks
    .filter(({ place }) => place !== resolve(dir))
    .map(({ name, place }) => ({ name, dir: planFolder(cwd, place) }));
}
