import { join } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type PlanState, promisedBy } from '../plan/plan';
import { statePull } from '../terraform/subcommands';
import { stateDifferences } from './verify-plan';
import { type ApplyContext } from './apply-context';

/**
 * Reads the states that were changed once more, where no check has planned all of them: a plan of everything
 * that is empty has shown as much, since it would create what is missing, and destroy what is still there.
 *
 * @param done ids of the steps of this run
 * @throws MigrationError `STATE_CHANGED`
 */
export async function requirePromised(
  context: ApplyContext,
  done: ReadonlySet<string>,
): Promise<void> {
  const { plan, folder, terraform } = context;
  for (const state of plan.states.filter((one) => isUnseen(one, context, done))) {
    const bytes = await statePull({ ...terraform, dir: join(folder, state.dir) });
    const [first] = stateDifferences(state, plan, bytes);
    if (first === undefined) continue;
    const { address, problem } = first;
    const what = address === '' ? problem : `${printable(address, 200)} ${problem}`;
    throw new MigrationError(
      'STATE_CHANGED',
      `state ${printable(state.name, 80)} is not as the steps left it: ${what}`,
      { hint: 'look who else writes this state, then run the same command again' },
    );
  }
}

function isUnseen({ name }: PlanState, { plan }: ApplyContext, done: ReadonlySet<string>): boolean {
  const own = plan.steps.filter(({ state }) => state === name);
  const { gone, present } = promisedBy(plan.steps, name);
  return (
    gone.length + present.length > 0 &&
    own.some(
      ({ id, expects }) => done.has(id) && (expects?.gone ?? expects?.present) !== undefined,
    ) &&
    own.findLast(({ kind }) => kind === 'check')?.expects?.plan !== 'empty'
  );
}
