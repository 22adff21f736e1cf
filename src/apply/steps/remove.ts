import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Step, promisedBy } from '../../plan/plan';
import { statePull } from '../../terraform/subcommands';
import { type ApplyContext, stateOf, type StepExecutor, terraformOf } from '../apply-context';
import { flagsOf, runArgv } from '../run-argv';
import { sinceRollback } from '../journal/journal';
import { readLiveState, requireNotElsewhere } from '../preflight/live-state';

/**
 * `remove-dry-run`: Terraform's own dry run passes over addresses that are not there, so each is
 * looked for in the state that was pulled.
 */
export const removeDryRunStep: StepExecutor = {
  isDone: (step, context) => isGone(step, context) || isOvertaken(step, context),
  run({ addresses = [], state }, context) {
    const present = context.live.get(state)?.addresses ?? new Set();
    const missing = addresses.filter((address) => !present.has(address));
    const [first] = missing;
    if (first === undefined) return Promise.resolve();
    const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
    throw new MigrationError(
      'STATE_CHANGED',
      `${printable(first, 200)}${more} is not in the state`,
    );
  },
};

/** `remove`: exactly the addresses of the plan that are still there, and nothing of the service. */
export const removeStep: StepExecutor = {
  isDone: isGone,
  async run(step, context) {
    const { live } = stateOf(context, step);
    const removed: string[] = [];
    context.fault('remove-before');
    for (const run of step.runs ?? []) {
      const { rest } = flagsOf(run);
      const leaving = rest.filter((word) => word.startsWith('-') || live.addresses.has(word));
      if (leaving.every((word) => word.startsWith('-'))) continue;
      await runArgv({ argv: ['terraform', 'state', 'rm', ...leaving] }, terraformOf(context, step));
      context.fault('remove-after');
      removed.push(...leaving.filter((word) => !word.startsWith('-')));
    }
    if (removed.length > 0) await requireRemoved(removed, step, context);
    for (const address of removed) live.addresses.delete(address);
  },
};

/**
 * The blocks leave next, and what a state then holds without one is destroyed: an exit code is not enough. While
 * Terraform waited for the lock somebody else can have imported a ruleset that is imported next.
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
    `state ${printable(step.state, 80)} still holds ${printable(first, 200)}, though Terraform says that it was removed`,
    { hint: 'look who else writes this state, then run the same command again' },
  );
}

/** A ruleset that is there again was removed where the journal says so: a later step imports it. */
function isGone(
  { id, state, addresses = [] }: Step,
  { plan, journal, live }: ApplyContext,
): boolean {
  const wasDone = sinceRollback(journal.entries).some(
    (one) => one.event === 'done' && one.step === id,
  );
  const again = wasDone ? promisedBy(plan.steps, state).present : [];
  const present = live.get(state)?.addresses ?? new Set();
  return addresses.every((address) => !present.has(address) || again.includes(address));
}

/** Many addresses take several commands: where a run ended between two of these, what is missing left by them. */
function isOvertaken({ id, state }: Step, { plan, journal }: ApplyContext): boolean {
  const removal = plan.steps.find(
    (one) => one.kind === 'remove' && one.state === state && Number(one.id) > Number(id),
  );
  return sinceRollback(journal.entries).some(
    (one) => one.event === 'start' && one.step === removal?.id,
  );
}
