import { isCloudflareProvider } from '../tfstate/provider-address';
import { withoutKeys } from '../core/resource-address';
import { type DeclaredRulesetAddress } from '../project/declared-rulesets';
import { MANAGED_PHASE } from '../core/ruleset';
import { findBlocks } from '../tfconfig/find-blocks';
import { type OwnedRuleset, type OwnedZone, type PlannedZone, type StateFacts } from './facts';

/**
 * Gives each zone the one state for its ruleset: where it already is, else where it is declared, or
 * may be by a phase that is an expression, else the one given state that is new, else the first that
 * holds legacy resources of the zone.
 * A zone of which no state knows anything has no owner, but where it is the one zone, and a folder
 * whose state has no legacy resources the one place: there they were removed before.
 */
export function assignOwners(
  zones: readonly PlannedZone[],
  states: readonly StateFacts[],
): OwnedZone[] {
  const [fresh, ...furtherFresh] = states.filter(
    ({ legacyResources }) => legacyResources.length === 0,
  );
  const onlyFresh = furtherFresh.length === 0 ? fresh : undefined;
  const isOnlyPlace = zones.length === 1 && states.length === 1 && fresh?.configuration;
  // one pass over the resources, not one for each zone
  const held = states.map(
    ({ legacyResources }) => new Set(legacyResources.map(({ zoneId }) => zoneId)),
  );
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
function ownedRuleset({ rulesets }: StateFacts, zone: PlannedZone): OwnedRuleset | undefined {
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
function addressIn(state: StateFacts, zone: PlannedZone): string {
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
function isFree(state: StateFacts, address: string, zoneId: string): boolean {
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
}: StateFacts): readonly DeclaredRulesetAddress[] {
  const owned = new Set(rulesets.map(({ address }) => withoutKeys(address)));
  return declared.filter(({ address }) => !owned.has(address));
}

/** Whether a state holds legacy resources of a zone. */
export function holds(state: StateFacts, { zoneId }: PlannedZone): boolean {
  return state.legacyResources.some((resource) => resource.zoneId === zoneId);
}

function declares(state: StateFacts, zone: PlannedZone): boolean {
  return state.declared.some(({ zoneId }) => zoneId === zone.zoneId);
}

/**
 * The provider configuration that the ruleset of a zone needs, as the `provider` argument says it (`cloudflare.prod`):
 * that of the legacy resources of the zone, where all have the same one, of the root module. Undefined for the default.
 */
export function boundProvider(
  { legacyResources, configuration }: StateFacts,
  zoneId: string,
): string | undefined {
  const own = legacyResources.filter((one) => one.zoneId === zoneId && one.mode === 'managed');
  const bound = new Map(
    own.flatMap(({ provider }) => (provider === undefined ? [] : [[provider.text, provider]])),
  );
  const [one, another] = bound.values();
  const root = configuration?.project.rootModule;
  const local = root?.requirements.find(
    ({ source }) => source !== undefined && isCloudflareProvider({ source }),
  )?.name;
  const isKnown = another === undefined && (one?.module ?? '') === '';
  // a provider configuration that is gone is of no use (order.ts)
  const isThere = root?.providers.some(({ alias }) => alias === one?.alias) ?? true;
  const alias = isKnown && isThere ? one?.alias : undefined;
  const reference = [local ?? 'cloudflare', ...(alias === undefined ? [] : [alias])].join('.');
  return reference === 'cloudflare' ? undefined : reference;
}
