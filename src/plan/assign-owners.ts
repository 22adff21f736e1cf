import { type PlannedState, type PlannedZone } from './planned-state';

/** A zone with the one state that owns, or is to own, its ruleset. */
export interface OwnedZone extends PlannedZone {
  readonly owner: PlannedState;
  /** Whether that state owns it already: then no import is planned. */
  readonly imported: boolean;
}

/**
 * Gives each zone the one state for its ruleset: where it already is, else where it is declared,
 * else the one given state that is new, else the first that holds old resources of the zone.
 * A zone of which no state knows anything has no owner.
 */
export function assignOwners(
  zones: readonly PlannedZone[],
  states: readonly PlannedState[],
): OwnedZone[] {
  const [fresh, ...furtherFresh] = states.filter(({ oldResources }) => oldResources.length === 0);
  const onlyFresh = furtherFresh.length === 0 ? fresh : undefined;
  // one pass over the resources, not one for each zone
  const held = states.map(({ oldResources }) => new Set(oldResources.map(({ zoneId }) => zoneId)));
  return zones.flatMap((zone) => {
    const owning = states.find((state) => owns(state, zone));
    const holding = states.find((_, at) => held[at]?.has(zone.zoneId));
    const declaring = states.find((state) => declares(state, zone));
    const owner = owning ?? declaring ?? (holding && onlyFresh) ?? holding;
    if (owner === undefined) return [];
    return [{ ...zone, address: addressIn(owner, zone), owner, imported: owning !== undefined }];
  });
}

/** Where the configuration declares the zone's ruleset already: another address would be a second one. */
function addressIn({ declared, rulesets }: PlannedState, zone: PlannedZone): string {
  const owned = rulesets.find(({ id }) => id === zone.rulesetId);
  const own = declared.filter(({ zoneId }) => zoneId === zone.zoneId);
  const [one] = own;
  if (owned !== undefined) return owned.address;
  return one === undefined || own.some(({ address }) => address === zone.address)
    ? zone.address
    : one.address;
}

/** Whether a state holds old resources of a zone. */
export function holds(state: PlannedState, { zoneId }: PlannedZone): boolean {
  return state.oldResources.some((resource) => resource.zoneId === zoneId);
}

function owns(state: PlannedState, zone: PlannedZone): boolean {
  return state.rulesets.some(
    ({ address, id, zoneId }) =>
      id === zone.rulesetId ||
      (address === zone.address && (zoneId ?? zone.zoneId) === zone.zoneId),
  );
}

function declares(state: PlannedState, zone: PlannedZone): boolean {
  return state.declared.some(({ zoneId }) => zoneId === zone.zoneId);
}
