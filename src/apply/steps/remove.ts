import { listed } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Plan, promisedBy, type Step } from '../../plan/plan';
import { statePull, stateRemove } from '../../terraform/subcommands';
import {
  type ApplyContext,
  liveState,
  plannedState,
  restOf,
  type StepExecutor,
  terraformOf,
} from '../apply-context';
import { isStarted } from '../journal/journal';
import { readLiveState, requireNotElsewhere } from '../preflight/live-state';

/** Searches the pulled state, because the dry run of Terraform ignores missing addresses. */
export const removeDryRunStep: StepExecutor = {
  isDone(step, context) {
    const removal = removalAfter(step, context.plan);
    // an interrupted run may have run some of its commands
    return (
      isGone(step, context) || (removal !== undefined && isStarted(removal.id, context.journal))
    );
  },
  run({ addresses = [], state }, context) {
    const live = liveState({ state }, context);
    const missing = addresses.filter((address) => !live.addresses.has(address));
    if (missing.length === 0) return Promise.resolve();
    const message = `the state does not have ${printable(listed(missing), 300)}`;
    throw new MigrationError('STATE_CHANGED', message);
  },
};

/** Removes only addresses of the plan that the state still has. */
export const removeStep: StepExecutor = {
  isDone: isGone,
  async run(step, context) {
    const [planned, live] = [plannedState(step, context), liveState(step, context)];
    const removed: string[] = [];
    context.fault('remove-before');
    for (const run of step.runs ?? []) {
      const addresses = restOf(run).filter((word) => live.addresses.has(word));
      if (addresses.length === 0) continue;
      await stateRemove(addresses, restOf(run), planned.workspace, terraformOf(context, step));
      context.fault('remove-after');
      removed.push(...addresses);
    }
    if (removed.length > 0) await requireRemoved(removed, step, context);
    for (const address of removed) live.addresses.delete(address);
  },
};

/**
 * Reads the state again, because an exit code is not enough: the blocks are removed next, and Terraform destroys
 * resources without a block. Another process may also have imported the ruleset while Terraform waited for the lock.
 * @throws MigrationError `STATE_CHANGED`
 */
async function requireRemoved(
  removed: readonly string[],
  step: Step,
  context: ApplyContext,
): Promise<void> {
  const fresh = readLiveState(await statePull(terraformOf(context, step)));
  requireNotElsewhere(context.plan, new Map([...context.live, [step.state, fresh]]));
  const first = removed.find((address) => fresh.addresses.has(address));
  if (first === undefined) return;
  throw new MigrationError(
    'STATE_CHANGED',
    `state ${printable(step.state, 80)} still has ${printable(first, 200)}, though Terraform reported its removal`,
    { hint: 'find out which other process writes this state, then run the same command again' },
  );
}

/** Whether the state has none of the addresses, except those that a later step imported again. */
function isGone({ id, state, addresses = [] }: Step, context: ApplyContext): boolean {
  const { plan, journal } = context;
  const wasDone = journal.entries.some((one) => one.event === 'done' && one.step === id);
  const again = wasDone ? promisedBy(plan.steps, state).present : [];
  const live = liveState({ state }, context);
  return addresses.every((address) => !live.addresses.has(address) || again.includes(address));
}

export function removalAfter({ id, state }: Step, { steps }: Plan): Step | undefined {
  return steps.find(
    (one) => one.expects?.gone && one.state === state && Number(one.id) > Number(id),
  );
}
