import { type Configuration, type DeclaredRulesetAddress } from '../project/read-configuration';
import { type OldResource } from '../tfstate/legacy-resources';
import { type PendingMove } from '../tfconfig/pending-moves';
import { type TerraformVersion } from '../core/provider-majors';
import { withoutKeys } from '../core/resource-address';
import { findBlocks } from '../tfconfig/find-blocks';
import { MANAGED_PHASE } from '../core/ruleset';
import { isCloudflareProvider } from '../tfstate/providers';

/** A ruleset that a state already owns. */
export interface OwnedRuleset {
  readonly address: string;
  readonly zoneId: string | undefined;
  readonly id: string | undefined;
  readonly phase?: string | undefined;
  /** Of a ruleset of an account. */
  readonly accountId?: string | undefined;
  /** Whether provider 3 or 4 wrote it: not every version of 5 can read that. */
  readonly precedesFive?: boolean | undefined;
}

/** A resource whose interface is retired. */
export interface RetiredResource {
  readonly type: string;
  readonly address: string;
}

/** A stack that is synthesised together with another one. */
export interface OtherStack {
  readonly name: string;
  /** Relative to the folder of the plan. */
  readonly dir: string;
}

/** Another workspace of a folder, whose state holds something. */
export interface OtherWorkspace {
  readonly name: string;
  /** The addresses of its old resources. */
  readonly oldResources: readonly string[];
  readonly rulesets: readonly OwnedRuleset[];
}

/** All that the planner needs to know of one state and the folder it belongs to. */
export interface PlannedState {
  readonly name: string;
  readonly dir: string;
  readonly workspace: string;
  /** `TF_DATA_DIR`, where it is set. */
  readonly dataDir?: string | undefined;
  readonly lineage: string;
  readonly serial: number;
  readonly terraformVersion: string;
  readonly oldResources: readonly OldResource[];
  readonly rulesets: readonly OwnedRuleset[];
  /** Whether the backend holds a state at all: a new stack has none before its first import. */
  readonly exists: boolean;
  /** The files of its folder; undefined where only the state is known. */
  readonly configuration?: Configuration | undefined;
  /** Rulesets of the managed phase that the configuration declares, where it is known. */
  readonly declared: readonly DeclaredRulesetAddress[];
  /** Filters and firewall rules, which provider 5 cannot plan with. */
  readonly retired: readonly RetiredResource[];
  /** Addresses of resources whose type the provider of the plan does not know, those of the legacy WAF aside. */
  readonly unknownEntries?: readonly string[] | undefined;
  /** Page rules that switch the old WAF, by address. */
  readonly pageRules?: readonly string[] | undefined;
  /** Settings of zones that hold the switch of the old WAF, by address. */
  readonly wafSettings?: readonly string[] | undefined;
  /** `moved` blocks that are not applied yet. */
  readonly pendingMoves?: readonly PendingMove[] | undefined;
  /** The other workspaces of its folder that are in use, as far as they are known. */
  readonly otherWorkspaces?: readonly OtherWorkspace[] | undefined;
  /** Other stacks of its CDKTF project, where its provider is to change. */
  readonly otherStacks?: readonly OtherStack[] | undefined;
  /** The binary that works on the state, where it was asked. */
  readonly binary?: TerraformVersion | undefined;
  /** The version of the provider that is installed (`3.35.0`), where a lock file or the user says so. */
  readonly installed: string | undefined;
  /** The version that the user wants; the installed one otherwise. */
  readonly wanted: string | undefined;
}

/** A zone that the plan is for. */
export interface PlannedZone {
  readonly zoneId: string;
  readonly rulesetId: string;
  /** Where the ruleset is, or is to be, declared. */
  readonly address: string;
  /** What it is called live, where it was read. */
  readonly live?:
    | { readonly name?: string | undefined; readonly kind: string; readonly phase: string }
    | undefined;
  /** The file that declares it, path relative to the folder of its configuration. */
  readonly declaration?: { readonly path: string; readonly text: string } | undefined;
}

/** A zone with the one state that owns, or is to own, its ruleset. */
export interface OwnedZone extends PlannedZone {
  readonly owner: PlannedState;
  /** Whether that state owns it already: then no import is planned. */
  readonly imported: boolean;
}

/**
 * Gives each zone the one state for its ruleset: where it already is, else where it is declared, or
 * may be by a phase that is an expression, else the one given state that is new, else the first that
 * holds old resources of the zone.
 * A zone of which no state knows anything has no owner, but where it is the one zone, and a folder
 * of which the state holds nothing old the one place: there the old resources have left before.
 */
export function assignOwners(
  zones: readonly PlannedZone[],
  states: readonly PlannedState[],
): OwnedZone[] {
  const [fresh, ...furtherFresh] = states.filter(({ oldResources }) => oldResources.length === 0);
  const onlyFresh = furtherFresh.length === 0 ? fresh : undefined;
  const isOnlyPlace = zones.length === 1 && states.length === 1 && fresh?.configuration;
  // one pass over the resources, not one for each zone
  const held = states.map(({ oldResources }) => new Set(oldResources.map(({ zoneId }) => zoneId)));
  const perhaps = states.map((one) => new Set(declaredAlone(one).map(({ mayBeOf }) => mayBeOf)));
  return zones.flatMap((zone): OwnedZone[] => {
    for (const owner of states) {
      const owned = ownedRuleset(owner, zone);
      if (owned !== undefined) return [{ ...zone, address: owned.address, owner, imported: true }];
    }
    const holding = states.find((_, at) => held[at]?.has(zone.zoneId));
    const declaring =
      states.find((state) => declares(state, zone)) ??
      states.find((_, at) => perhaps[at]?.has(zone.zoneId));
    const owner =
      declaring ?? (holding && onlyFresh) ?? holding ?? (isOnlyPlace ? fresh : undefined);
    if (owner === undefined) return [];
    return [{ ...zone, address: addressIn(owner, zone), owner, imported: false }];
  });
}

/**
 * The entry of the zone's ruleset: by its id, or as the one of its phase, which a zone has once; another
 * ruleset at the address that was asked for is neither.
 */
function ownedRuleset({ rulesets }: PlannedState, zone: PlannedZone): OwnedRuleset | undefined {
  const { address, zoneId, rulesetId } = zone;
  return (
    rulesets.find(({ id }) => id === rulesetId) ??
    rulesets.find(isEntryPointOf(zoneId)) ??
    rulesets.find((one) => one.address === address && one.id === undefined)
  );
}

/** Whether a ruleset is the one of the phase, which a zone has once. */
export const isEntryPointOf =
  (zone: string) =>
  ({ zoneId, phase }: OwnedRuleset): boolean =>
    zoneId === zone && phase === MANAGED_PHASE;

/**
 * Where the configuration declares the zone's ruleset already: another address would be a second one.
 * Else the one that was asked for, or where something else has it, one with the zone's id.
 */
function addressIn(state: PlannedState, zone: PlannedZone): string {
  const own = state.declared.filter(({ zoneId }) => zoneId === zone.zoneId);
  const [one] = own;
  if (one !== undefined) {
    return own.some(({ address }) => address === zone.address) ? zone.address : one.address;
  }
  const { address, zoneId } = zone;
  const others = [`${address}_${zoneId.slice(0, 8)}`, `${address}_${zoneId}`];
  return [address, ...others].find((free) => isFree(state, free, zoneId)) ?? address;
}

/** Whether neither state nor files have another ruleset at an address. */
function isFree(state: PlannedState, address: string, zoneId: string): boolean {
  const { rulesets, declared, configuration } = state;
  if (rulesets.some((one) => withoutKeys(one.address) === address)) return false;
  const one = declared.find((ruleset) => ruleset.address === address);
  // it may be the ruleset that is meant
  if (one !== undefined) return mayBeEntryPointOf(zoneId)(one);
  return configuration === undefined || findBlocks(configuration.project, address).length === 0;
}

/** Whether a declared ruleset is the one of a zone where an expression says so. */
export const mayBeEntryPointOf =
  (zone: string) =>
  ({ zoneId, mayBeOf = zone }: DeclaredRulesetAddress): boolean =>
    zoneId === undefined && mayBeOf === zone;

/** The rulesets of the phase that are declared, and not in the state. */
export function declaredAlone({
  declared,
  rulesets,
}: PlannedState): readonly DeclaredRulesetAddress[] {
  const owned = new Set(rulesets.map(({ address }) => withoutKeys(address)));
  return declared.filter(({ address }) => !owned.has(address));
}

/** Whether a state holds old resources of a zone. */
export function holds(state: PlannedState, { zoneId }: PlannedZone): boolean {
  return state.oldResources.some((resource) => resource.zoneId === zoneId);
}

function declares(state: PlannedState, zone: PlannedZone): boolean {
  return state.declared.some(({ zoneId }) => zoneId === zone.zoneId);
}

/**
 * The provider configuration that the ruleset of a zone needs, as the `provider` argument says it (`cloudflare.prod`):
 * that of the legacy resources of the zone, where all have the same one, of the root module. Undefined for the default.
 */
export function boundProvider(
  { oldResources, configuration }: PlannedState,
  zoneId: string,
): string | undefined {
  const own = oldResources.filter((one) => one.zoneId === zoneId && one.mode === 'managed');
  const bound = new Map(
    own.flatMap(({ provider }) => (provider === undefined ? [] : [[provider.text, provider]])),
  );
  const [one, another] = bound.values();
  const root = configuration?.project.rootModule;
  const local = root?.requirements.find(
    ({ source }) => source !== undefined && isCloudflareProvider({ source }),
  )?.name;
  const isTold = another === undefined && (one?.module ?? '') === '';
  // one that is gone helps nobody (order.ts)
  const isThere = root?.providers.some(({ alias }) => alias === one?.alias) ?? true;
  const alias = isTold && isThere ? one?.alias : undefined;
  const reference = [local ?? 'cloudflare', ...(alias === undefined ? [] : [alias])].join('.');
  return reference === 'cloudflare' ? undefined : reference;
}
