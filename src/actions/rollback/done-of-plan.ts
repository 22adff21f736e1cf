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
  const rewritten = steps
    .filter(({ state }) => state === name)
    .flatMap(({ expects }) => expects?.rewritten ?? []);
  // a state that the plan makes had nothing in it; what a data source says is read anew
  const wasThere = (one: string): boolean => lineage !== '' && parseAddress(one).mode === 'managed';
  return {
    // what is only written anew was there before, too
    held: present.filter((one) => addresses.has(one) && !rewritten.includes(one)),
    missing: gone.filter((one) => !addresses.has(one) && wasThere(one)),
  };
}
