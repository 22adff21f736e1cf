import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { type OldResource } from '../state/pick-old-resources';
import { holds } from './assign-owners';
import { chooseOrder, type ChosenOrder } from './choose-order';
import { blockKeys } from './edit-configuration';
import { type Method } from './plan';
import { type PlannedState, type PlannedZone } from './planned-state';

/** What leaves a state, in which order, and the blocks of what stays. */
export interface StateDeparture {
  readonly state: PlannedState;
  readonly order: ChosenOrder;
  readonly leaving: readonly OldResource[];
  readonly kept: readonly string[];
  /** The blocks of what leaves. */
  readonly going: readonly string[];
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
    kept: configuration === undefined ? [] : blockKeys(configuration, staying),
    going:
      configuration === undefined
        ? []
        : blockKeys(
            configuration,
            leaving.map(({ address }) => address),
          ),
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

/** Where states share a module, its block is taken out with the first, and the others have its resources still. */
export function sharedByStates(departures: readonly StateDeparture[]): Finding[] {
  const holders = new Map<string, Set<string>>();
  for (const { state, going } of departures) {
    for (const block of going)
      holders.set(block, (holders.get(block) ?? new Set()).add(state.name));
  }
  const shared = new Map(
    [...holders].flatMap(([block, names]) =>
      names.size > 1 ? [[block.replace(/ \d+$/, ''), [...names].join(', ')]] : [],
    ),
  );
  return [...shared].map(([file, names]) => ({
    code: 'BLOCK_OF_SEVERAL_STATES',
    severity: 'decision',
    subject: printable(file, 200),
    message: `its blocks declare resources of several states (${printable(names, 300)}), and are taken out before the last of them has let these go`,
    remedy: 'apply nothing by hand in the folders of these states until all steps are done',
  }));
}
