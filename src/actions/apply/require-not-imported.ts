import { type Step } from '../../plan/plan';
import { statePull } from '../../terraform/state-pull';
import { readLiveState } from '../preflight/live-state';
import { requireNotElsewhere } from '../preflight/require-not-elsewhere';
import { type ApplyContext, terraformOf } from './apply-context';

/**
 * Just before a step imports: a colleague can have taken the ruleset into its state since the run began, as while
 * a lock was waited for.
 * @throws MigrationError `STATE_CHANGED`
 */
export async function requireNotImported(step: Step, context: ApplyContext): Promise<void> {
  const fresh = readLiveState(await statePull(terraformOf(context, step)));
  requireNotElsewhere(context.plan, new Map([...context.live, [step.state, fresh]]));
}
