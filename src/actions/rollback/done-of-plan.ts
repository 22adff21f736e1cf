import { printable } from '../../model/printable';
import { type Plan, type PlanState } from '../../plan/plan';
import { promisedBy } from '../../plan/promised-by';
import { parseAddress } from '../../state/address';

/** What of a plan is done, by the addresses of a state. */
export interface DoneOfPlan {
  /** What it takes in, and the state holds. */
  readonly held: readonly string[];
  /** What it lets go, and the state no longer holds. */
  readonly missing: readonly string[];
}

/** What of a plan shows in a state: nothing, where that is the state of before. */
export function doneOfPlan(
  { name, lineage }: PlanState,
  { steps }: Pick<Plan, 'steps'>,
  addresses: ReadonlySet<string>,
): DoneOfPlan {
  const { gone, present } = promisedBy(steps, name);
  const removed = new Set(
    steps.flatMap(({ state, expects }) => (state === name ? (expects?.gone ?? []) : [])),
  );
  // a state that the plan makes had nothing in it; what a data source says is read anew
  const wasThere = (one: string): boolean => lineage !== '' && parseAddress(one).mode === 'managed';
  return {
    // a ruleset that is imported again was there before, too
    held: present.filter((one) => addresses.has(one) && !removed.has(one)),
    missing: gone.filter((one) => !addresses.has(one) && wasThere(one)),
  };
}

/** What a state holds, and no longer holds; empty where nothing is done. */
export function describeDone({ held, missing }: DoneOfPlan): string {
  return [
    ...(held.length === 0 ? [] : [`holds ${named(held)}`]),
    ...(missing.length === 0 ? [] : [`no longer holds ${named(missing)}`]),
  ].join(', and ');
}

function named([first = '', ...more]: readonly string[]): string {
  return `${printable(first, 200)}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}
