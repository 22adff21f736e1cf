import { providerMajors } from '../model/provider-majors';
import { type OldResource } from '../state/pick-old-resources';
import { type AbsentBlocks, absentBlocks, noneAbsent } from './absent-blocks';
import { holds, type OwnedZone } from './assign-owners';
import { chooseOrder, type ChosenOrder } from './choose-order';
import { blockKeys } from './block-keys';
import { oldResourceBlocks } from './old-data-sources';
import { type Method } from './plan';
import { type PlannedState, type PlannedZone } from './planned-state';
import { majorOf } from './provider-version';

/** What leaves a state, in which order, and the blocks of what stays. */
export interface StateDeparture {
  readonly state: PlannedState;
  readonly order: ChosenOrder;
  readonly leaving: readonly OldResource[];
  /** What the files declare beside it; none where all old blocks leave. */
  readonly absent: AbsentBlocks;
  readonly kept: readonly string[];
}

/** @param owned of the zones those that a state owns, or is to own */
export function departureOf(
  zones: readonly PlannedZone[],
  owned: readonly OwnedZone[],
  state: PlannedState,
  method: Method | 'auto',
): StateDeparture {
  // a state in which no zone of the plan has anything is most likely the wrong one: it is left alone
  const isConcerned = zones.some((zone) => holds(state, zone));
  const own = owned.filter(({ owner }) => owner === state);
  const takesIn = own.some(({ imported }) => !imported);
  const { configuration } = state;
  const declares =
    own.length > 0 && configuration !== undefined && oldResourceBlocks(configuration).length > 0;
  const order = chooseOrder(state, isConcerned || takesIn || declares ? method : 'auto');
  const isBlocked = own.length > 0 && !providerMajors[majorOf(order.from)].knowsOldWaf;
  const removed = isConcerned || takesIn || isBlocked ? leavingOf(zones, state, order) : [];
  const leaving =
    isConcerned || order.leavesAll ? removed : removed.filter(({ mode }) => mode === 'data');
  const gone = new Set(leaving);
  const staying = state.oldResources.filter((one) => !gone.has(one)).map(({ address }) => address);
  return {
    state,
    order,
    leaving,
    absent: order.leavesAll
      ? noneAbsent
      : absentBlocks(state, new Set(zones.map(({ zoneId }) => zoneId))),
    kept: configuration === undefined ? [] : blockKeys(configuration, staying),
  };
}

/** The legacy resources that are removed from a state. */
function leavingOf(
  zones: readonly PlannedZone[],
  { oldResources }: PlannedState,
  { leavesAll }: ChosenOrder,
): readonly OldResource[] {
  if (leavesAll) return oldResources;
  const asked = new Set<string | undefined>([undefined, ...zones.map(({ zoneId }) => zoneId)]);
  return oldResources.filter(({ mode, zoneId }) => mode === 'data' || asked.has(zoneId));
}
