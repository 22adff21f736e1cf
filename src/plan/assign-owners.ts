import { withoutKeys } from '../tfconfig/resource-address';
import { findBlocks } from '../tfconfig/find-blocks';
import { MANAGED_PHASE } from '../core/ruleset';
import { type DeclaredRulesetAddress } from '../project/configuration';
import { type OwnedRuleset, type PlannedState, type PlannedZone } from './planned-state';

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
