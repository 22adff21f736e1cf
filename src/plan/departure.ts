import { type OldResource } from '../state/pick-old-resources';
import { type AbsentBlocks, absentBlocks, noneAbsent } from './absent-blocks';
import { holds } from './assign-owners';
import { chooseOrder, type ChosenOrder } from './choose-order';
import { blockKeys } from './block-keys';
import { type Method } from './plan';
import { type PlannedState, type PlannedZone } from './planned-state';

/** What leaves a state, in which order, and the blocks of what stays. */
export interface StateDeparture {
  readonly state: PlannedState;
  readonly order: ChosenOrder;
  readonly leaving: readonly OldResource[];
  /** What the files declare beside it; none where all old blocks leave. */
  readonly absent: AbsentBlocks;
  readonly kept: readonly string[];
}

export function departureOf(
  zones: readonly PlannedZone[],
  state: PlannedState,
  method: Method | 'auto',
): StateDeparture {
  const isConcerned = zones.some((zone) => holds(state, zone));
  const order = chooseOrder(state, isConcerned ? method : 'auto');
  const leaving = leavingOf(zones, state, order);
  const gone = new Set(leaving);
  const staying = state.oldResources.filter((one) => !gone.has(one)).map(({ address }) => address);
  const { configuration } = state;
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

/** The old resources that leave a state. */
function leavingOf(
  zones: readonly PlannedZone[],
  state: PlannedState,
  { leavesAll }: ChosenOrder,
): readonly OldResource[] {
  // a state in which no zone of the plan has anything is most likely the wrong one: leave it alone
  if (!zones.some((zone) => holds(state, zone))) return [];
  if (leavesAll) return state.oldResources;
  const asked = new Set<string | undefined>([undefined, ...zones.map(({ zoneId }) => zoneId)]);
  return state.oldResources.filter(({ zoneId }) => asked.has(zoneId));
}
