import { followLinks, planFolder } from '../../files/paths';
import { providerMajors } from '../../core/provider-majors';
import { byConstraint, lockedVersion } from '../../project/provider-version';
import { readTerraformVersion, statePull } from '../../terraform/subcommands';
import { type StateFacts, type OwnedRuleset } from './facts';
import { unknownTypes } from './provider-versions';
import { readVariables } from './read-variables';
import {
  pickLegacyResources,
  parseState,
  instanceAddresses,
  type State,
  type StateInstance,
} from '../../tfstate/parse-state';
import { isJsonArray, type JsonObject, objectOf, objectsOf, textOf } from '../../core/json';
import { dataFolder, type Environment } from '../../terraform/environment';
import { runTerraform, type TerraformSettings } from '../../terraform/run-terraform';
import { declaredRulesets, zonesOfOtherStates } from '../../project/declared-rulesets';
import {
  type Configuration,
  refuseTerragrunt,
  requireConfiguration,
} from '../../project/read-configuration';
import { type ConfigProject } from '../../tfconfig/config';
import { declaredBackends, inModule } from '../../tfconfig/find-blocks';
import { groupBy } from '../../core/lists';
import { partsBefore, withoutKeys } from '../../core/resource-address';
import { readObject } from '../../files/read-files';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Provider versions from the user, which override detected ones. */
export interface ProviderVersions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Reads the facts of a folder and of its state, with `terraform state pull`.
 * @param folder of the plan
 * @param flags for Terraform, which can set variables
 * @throws MigrationError `TERRAFORM_…`, `STATE_…`, `CONFIG_EDIT_REFUSED`
 */
export async function readStateOfDir(
  path: string,
  terraform: TerraformSettings,
  versions: ProviderVersions,
  folder: string,
  flags: readonly string[] = [],
): Promise<StateFacts> {
  // Terraform resolves relative paths from the target of a linked folder
  const dir = await followLinks(path);
  await refuseTerragrunt(dir);
  const options = { ...terraform, dir };
  const bytes = await statePull(options);
  // includes `TF_WORKSPACE`, as commands in this folder do
  const workspace = (await runTerraform(['workspace', 'show'], options)).toString('utf8').trim();
  const state = bytes.length === 0 ? NO_STATE : parseState(bytes);
  const locked = lockedVersion(dir);
  // before the first `terraform init`, the constraint of a new folder tells which provider it will install
  const allowed = bytes.length === 0 ? await byConstraint(dir) : undefined;
  const from = versions.from ?? locked ?? (allowed && providerMajors[allowed.major].last);
  const place = planFolder(folder, dir);
  const at = { name: nameOf(place), dir: place, workspace };
  const configuration = await requireConfiguration(place, folder);
  const facts = stateFacts(state, bytes, at, { ...versions, from });
  const { type, config } = initialisedBackend(dir, terraform.environment);
  const variables = configuration
    ? await readVariables(dir, configuration.project, terraform.environment, flags)
    : undefined;
  const own = { workspace, zones: zonesInState(facts), values: variables?.values ?? new Map() };
  const declared = configuration ? declaredRulesets(configuration, own) : [];
  return {
    ...facts,
    dataDir: terraform.environment['TF_DATA_DIR'] || undefined,
    locked,
    ...(configuration && {
      configuration,
      declared,
      declaredElsewhere: zonesOfOtherStates(configuration, declared),
      pendingMoves: pendingMoves(configuration, bytes),
      hasBackendConfig: isPassed(textOf(type), config, configuration.project),
      ...variables,
    }),
    hasWorkspaces: type === 'local' ? await hasWorkspaces(dir, workspace, config) : undefined,
    binary: await readTerraformVersion(options),
  };
}

/**
 * What `moved` blocks rename at the next apply. An instance that is moved to another resource counts for all of them. A
 * block that only changes a key counts while the state has the old key.
 */
function pendingMoves({ project }: Configuration, bytes: Uint8Array): readonly string[] {
  const moves = [...project.paths].flatMap(([path, { module }]) =>
    module.stateBlocks.flatMap((one) => (one.kind === 'moved' ? { path, ...one } : [])),
  );
  if (moves.length === 0 || bytes.length === 0) return [];
  const parts = new Set(instanceAddresses(bytes).flatMap(partsBefore));
  const inState = groupBy([...parts], withoutKeys);
  return moves.flatMap(({ path, from = '', to = '' }) => {
    const start = withoutKeys(inModule(path, from));
    const isOfKey = withoutKeys(from) === withoutKeys(to);
    // without a key at the end, a block moves all instances of a resource
    const isOfAll = ![from, to].some((one) => one.endsWith(']'));
    const isStart = (one: string): boolean => {
      const moved = isOfAll ? one.replace(/\[[^[\]]*\]$/, '') : one;
      // the path of a called module has no keys
      return !isOfKey || `.${moved}`.endsWith(`.${from}`);
    };
    return inState.get(start)?.some(isStart) === true ? start : [];
  });
}

/**
 * Reads the facts of a state from a file or a stream, without its configuration.
 * @throws MigrationError `STATE_…`
 */
export function readStateBytes(
  bytes: Uint8Array,
  workspace: string,
  versions: ProviderVersions,
): StateFacts {
  return stateFacts(parseState(bytes), bytes, { name: 'main', dir: '.', workspace }, versions);
}

/** The facts of a state without its folder. Without bytes, the state does not exist yet. */
function stateFacts(
  state: State,
  bytes: Uint8Array,
  place: Pick<StateFacts, 'name' | 'dir' | 'workspace'>,
  { from, to }: ProviderVersions,
): StateFacts {
  const { lineage, serial, terraformVersion } = state;
  return {
    ...place,
    exists: bytes.length > 0,
    isEmpty: state.isEmpty,
    lineage,
    serial,
    terraformVersion,
    legacyResources: pickLegacyResources(state),
    rulesets: rulesetsOf(state),
    retired: instancesOf(state, 'cloudflare_filter', 'cloudflare_firewall_rule').map(
      ({ address }) => address,
    ),
    unsupported: bytes.length === 0 ? [] : instanceAddresses(bytes, unknownTypes(to ?? from ?? '')),
    declared: [],
    pendingMoves: [],
    unsetVariables: [],
    installed: from,
    wanted: to,
  };
}

export const NO_STATE: State = {
  terraformVersion: '',
  serial: 0,
  lineage: '',
  isEmpty: true,
  resources: [],
};

/** The facts of a folder whose state is unknown, without its configuration. */
export function factsWithoutState(dir: string): StateFacts {
  return stateFacts(NO_STATE, new Uint8Array(), { name: nameOf(dir), dir, workspace: '' }, {});
}

/** Leaves most of the 255 bytes of a file name for what follows the name. */
const LONGEST_NAME = 80;

/** Turns any folder, also outside the working directory, into a name that can be part of a file name. */
function nameOf(place: string): string {
  const letters = place.replace(/[^A-Za-z0-9_-]+/g, '-').slice(-LONGEST_NAME);
  return letters.replace(/^-+|-+$/g, '') || 'main';
}

function instancesOf(state: State, ...types: readonly string[]): readonly StateInstance[] {
  return state.resources
    .filter(({ mode, type }) => mode === 'managed' && types.includes(type))
    .flatMap(({ instances }) => instances);
}

export function rulesetsOf(state: State): OwnedRuleset[] {
  const current = instancesOf(state, 'cloudflare_ruleset').filter(
    ({ deposed }) => deposed === undefined,
  );
  return current.map((instance) => {
    const text = (name: string): string | undefined => {
      const value = instance.attributes[name];
      return typeof value === 'string' ? value : undefined;
    };
    const rules = objectsOf(instance.attributes['rules']);
    const hasObjects = rules.some(
      (rule) => 'action_parameters' in rule && !isJsonArray(rule['action_parameters']),
    );
    return {
      address: instance.address,
      zoneId: text('zone_id'),
      id: text('id'),
      phase: text('phase'),
      accountId: text('account_id'),
      hasRules: rules.length > 0,
      isTainted: instance.isTainted,
      written: { schemaVersion: instance.schemaVersion, hasObjects },
    };
  });
}

function zonesInState({ legacyResources, rulesets }: StateFacts): ReadonlySet<string> {
  return new Set([...legacyResources, ...rulesets].flatMap(({ zoneId }) => zoneId ?? []));
}

/** Whether a local backend has states of other workspaces. Other backends would need a request. */
async function hasWorkspaces(
  dir: string,
  workspace: string,
  { path, workspace_dir: folder }: JsonObject,
): Promise<boolean> {
  const places = resolve(dir, textOf(folder) || 'terraform.tfstate.d');
  const names = await readdir(places).catch((): string[] => []);
  const fileOf = (name: string): string =>
    name === 'default'
      ? resolve(dir, textOf(path) || 'terraform.tfstate')
      : resolve(places, name, 'terraform.tfstate');
  return [...names, 'default'].some((name) => name !== workspace && existsSync(fileOf(name)));
}

/** The backend that `terraform init` recorded; without a record, it is local with its defaults. */
function initialisedBackend(dir: string, environment: Environment) {
  const record = readObject(resolve(dataFolder(dir, environment), 'terraform.tfstate'));
  const { type = 'local', config } = objectOf(record?.['backend']);
  return { type, config: objectOf(config) };
}

/** Whether a backend has a setting that the files do not have. Terraform does not record TF_HTTP_ADDRESS. */
function isPassed(type: string, config: JsonObject, { rootModule }: ConfigProject): boolean {
  const declared = declaredBackends(rootModule);
  const inFiles = new Set(declared.flatMap(({ body }) => [...body.keys()]));
  const isElsewhere = (name: string): boolean => config[name] !== null && !inFiles.has(name);
  const isOfEnvironment = type === 'http' && !inFiles.has('address');
  return declared.length > 0 && (isOfEnvironment || Object.keys(config).some(isElsewhere));
}
