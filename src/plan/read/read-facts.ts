import { parseJson } from '../../core/json';
import { pickLegacyResources } from '../../tfstate/legacy-resources';
import { isRulesetOfFive } from '../../tfstate/providers';
import { planFolder } from '../../files/paths';
import { lockedVersion } from '../../project/provider-version';
import { readTerraformVersion, statePull } from '../../terraform/subcommands';
import { hasMoves, type PendingMove, pendingMoves } from '../../tfconfig/state-blocks';
import { type StateFacts, type OwnedRuleset, type OtherWorkspace } from '../facts';
import { parseState, stateAddresses } from '../../tfstate/parse-state';
import { type State, type StateResource } from '../../tfstate/state';
import { runTerraform, type TerraformOptions } from '../../terraform/run-terraform';
import { declaredRulesets } from '../../project/declared-rulesets';
import {
  requireConfiguration,
  type Configuration,
  refuseTerragrunt,
} from '../../project/read-configuration';
import { typeOfAddress, unknownTypes } from '../provider-versions';
import { MigrationError } from '../../core/migration-error';
import { localStates, stateFile } from '../../files/local-states';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { resolve, join } from 'node:path';
import * as z from 'zod';

/** Provider versions that the user named; they win over what is found. */
export interface ProviderVersions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The facts of the state of a folder's backend, by `terraform state pull`, and of the folder.
 * @param cwd the folder of the plan
 * @throws MigrationError `TERRAFORM_…`, `STATE_…`, `CONFIG_EDIT_REFUSED`
 */
export async function readStateOfDir(
  dir: string,
  terraform: Omit<TerraformOptions, 'dir'>,
  versions: ProviderVersions,
  cwd: string,
): Promise<StateFacts> {
  await refuseTerragrunt(dir);
  const options = { ...terraform, dir };
  const bytes = await statePull(options);
  // as commands in this folder see it, `TF_WORKSPACE` included
  const workspace = (await runTerraform(['workspace', 'show'], options)).toString('utf8').trim();
  const state = bytes.length === 0 ? NO_STATE : parseState(bytes);
  const from = versions.from ?? (await lockedVersion(dir));
  const place = planFolder(cwd, dir);
  const configuration = await requireConfiguration(place, cwd);
  const dataDir = terraform.environment['TF_DATA_DIR'] || undefined;
  return {
    ...stateFacts(
      state,
      bytes,
      { name: nameOf(place), dir: place, workspace },
      { ...versions, from },
    ),
    dataDir,
    configuration,
    declared: configuration === undefined ? [] : declaredRulesets(configuration),
    pendingMoves: configuration === undefined ? [] : movesOf(configuration, bytes),
    otherWorkspaces: await otherWorkspaces(dir, workspace, dataDir),
    otherStacks: versions.to === undefined ? [] : await otherStacks(dir, cwd),
    binary: await readTerraformVersion(options),
  };
}

/**
 * The facts of a state that the user has as a file or a stream: its configuration is not known.
 * @throws MigrationError `STATE_…`
 */
export function readStateBytes(
  bytes: Uint8Array,
  workspace: string,
  versions: ProviderVersions,
): StateFacts {
  return stateFacts(parseState(bytes), bytes, { name: 'main', dir: '.', workspace }, versions);
}

/** The facts of a state without its folder; it has no bytes before the first import. */
function stateFacts(
  state: State,
  bytes: Uint8Array,
  place: Pick<StateFacts, 'name' | 'dir' | 'workspace'>,
  { from, to }: ProviderVersions,
): StateFacts {
  const { lineage, serial, terraformVersion } = state;
  return {
    ...place,
    dataDir: undefined,
    exists: bytes.length > 0,
    ...{ lineage, serial, terraformVersion },
    legacyResources: pickLegacyResources(state),
    rulesets: rulesetsOf(state),
    zoneNames: zoneNamesOf(state),
    retired: instancesOf(state, ['cloudflare_filter', 'cloudflare_firewall_rule']).map(
      ({ type, address }) => ({ type, address }),
    ),
    unknownEntries: unknownEntries(state, bytes, to ?? from),
    pageRules: wafSwitchesOf(state, 'cloudflare_page_rule', 'actions'),
    wafSettings: wafSwitchesOf(state, 'cloudflare_zone_settings_override', 'settings'),
    configuration: undefined,
    ...{ declared: [], pendingMoves: [], otherWorkspaces: [], otherStacks: [] },
    binary: undefined,
    installed: from,
    wanted: to,
  };
}

const NO_STATE: State = {
  ...{ terraformVersion: '', serial: 0, lineage: '' },
  ...{ resources: [], types: new Set<string>() },
};

/** For a large state the addresses take as long as all else: they are read where the state has such a type. */
function unknownEntries(state: State, bytes: Uint8Array, version?: string): readonly string[] {
  const types = unknownTypes(version);
  if (![...types.keys()].some((type) => state.types.has(type))) return [];
  return stateAddresses(Buffer.from(bytes)).filter((address) =>
    types.has(typeOfAddress(address) ?? ''),
  );
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

type FlatInstance = StateResource['instances'][number] & { readonly type: string };

function instancesOf(state: State, types: readonly string[]): FlatInstance[] {
  return state.resources
    .filter(({ mode, type }) => mode === 'managed' && types.includes(type))
    .flatMap(({ type, instances }) => instances.map((instance) => ({ ...instance, type })));
}

/** The resources of a type that switch the legacy WAF in one of their attributes, by address. */
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

/** The attribute is `zone` up to provider 4, `name` in 5. */
function zoneNamesOf(state: State): ReadonlyMap<string, string> {
  return new Map(
    instancesOf(state, ['cloudflare_zone']).flatMap(({ attributes: { id, zone, name = zone } }) =>
      typeof id === 'string' && typeof name === 'string' ? [[id, name] as const] : [],
    ),
  );
}

function rulesetsOf(state: State): OwnedRuleset[] {
  const current = instancesOf(state, ['cloudflare_ruleset']).filter(
    ({ deposed }) => deposed === undefined,
  );
  return current.map((instance) => {
    const text = (name: string): string | undefined => {
      const value = instance.attributes[name];
      return typeof value === 'string' ? value : undefined;
    };
    return {
      address: instance.address,
      zoneId: text('zone_id'),
      id: text('id'),
      phase: text('phase'),
      accountId: text('account_id'),
      precedesFive: !isRulesetOfFive(instance),
    };
  });
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

/** One that cannot be read, as where it is encrypted, is in use, and nothing else is known of it. */
async function readWorkspace(name: string, path: string): Promise<OtherWorkspace[]> {
  const unknown = { name, legacyResources: [], rulesets: [] };
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return [unknown];
  if (bytes.length === 0) return [];
  try {
    const state = parseState(bytes);
    if (state.types.size === 0) return [];
    const legacyResources = pickLegacyResources(state).map(({ address }) => address);
    return [{ name, legacyResources, rulesets: rulesetsOf(state) }];
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
export async function otherStacks(dir: string, cwd: string): Promise<StateFacts['otherStacks']> {
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
