import { type OwnedRuleset, type PlannedState, type RetiredResource } from '../planned-state';
import { typeOfAddress, unknownTypes } from '../unknown-types';
import { isRulesetOfFive } from '../../tfstate/provider-of-state';
import { parseState, stateAddresses } from '../../tfstate/parse-state';
import { pickOldResources } from '../../tfstate/pick-old-resources';
import { type State, type StateResource } from '../../tfstate/state';

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
