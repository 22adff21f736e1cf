import { relative } from 'node:path';
import { type OwnedRuleset, type PlannedState, type RetiredResource } from '../plan/planned-state';
import { otherCloudflareResources } from '../state/other-cloudflare-resources';
import { parseState } from '../state/parse-state';
import { pickOldResources } from '../state/pick-old-resources';
import { type State, type StateResource } from '../state/state';
import { type TerraformOptions } from '../terraform/run-terraform';
import { statePull } from '../terraform/state-pull';
import { readTerraformVersion } from '../terraform/read-terraform-version';
import { workspaceShow } from '../terraform/workspace-show';
import { declaredRulesets, readConfiguration } from './read-configuration';
import { lockedVersion } from './locked-version';

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
  return plannedState(parseState(bytes), { name: 'main', dir: '.', workspace }, versions);
}

/**
 * The state of a folder's backend, by `terraform state pull`, with the provider that its lock file names.
 * @throws MigrationError `TERRAFORM_…`, `STATE_…`
 */
export async function readStateOfDir(
  dir: string,
  terraform: Omit<TerraformOptions, 'dir'>,
  versions: ProviderVersions,
  cwd: string,
): Promise<PlannedState> {
  const options = { ...terraform, dir };
  const bytes = await statePull(options);
  const workspace = await workspaceShow(options);
  const installed = versions.from ?? (await lockedVersion(dir));
  const place = relative(cwd, dir) || '.';
  // also a folder outside of the working directory has to give a name that can be part of a file's
  const name = place.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'main';
  const state = bytes.length === 0 ? NO_STATE : parseState(bytes);
  const planned = plannedState(
    state,
    { name, dir: place, workspace },
    { ...versions, from: installed },
  );
  const configuration = await readConfiguration(place.replaceAll('\\', '/'), cwd);
  const declared = configuration === undefined ? [] : declaredRulesets(configuration);
  const binary = await readTerraformVersion(options);
  return { ...planned, exists: bytes.length > 0, configuration, declared, binary };
}

/** What a backend has before the first import. */
const NO_STATE: State = { terraformVersion: '', serial: 0, lineage: '', resources: [], counts: [] };

function plannedState(
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
    rulesets: instancesOf(state, ['cloudflare_ruleset']).map(ownedRuleset),
    retired: instancesOf(state, ['cloudflare_filter', 'cloudflare_firewall_rule']).map(
      ({ type, address }): RetiredResource => ({ type, address }),
    ),
    others: otherCloudflareResources(state).map(({ type, count }) => ({ type, count })),
    pageRules: instancesOf(state, ['cloudflare_page_rule']).flatMap(({ address, attributes }) =>
      switchesWaf(attributes['actions']) ? [address] : [],
    ),
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

/** A list of one up to provider 4, an object in 5. */
function switchesWaf(actions: unknown): boolean {
  return (Array.isArray(actions) ? actions : [actions]).some(
    (one: unknown) =>
      typeof one === 'object' &&
      one !== null &&
      'waf' in one &&
      (one.waf === 'on' || one.waf === 'off'),
  );
}

function ownedRuleset({ address, attributes }: FlatInstance): OwnedRuleset {
  const text = (name: string): string | undefined => {
    const value = attributes[name];
    return typeof value === 'string' ? value : undefined;
  };
  return { address, zoneId: text('zone_id'), id: text('id') };
}
