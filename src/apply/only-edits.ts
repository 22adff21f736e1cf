import { type Finding } from '../core/finding';
import { printable } from '../core/printable';
import { type Step } from '../plan/plan';
import { type ApplyContext, stateOf } from './apply-context';
import { openEdits, requireNotHeld, requirePlannedFiles } from './steps/edit';

/** Whether `--only edits` skips a step: it is not an edit, or must wait for another step. */
export async function isLeftOut(step: Step, context: ApplyContext): Promise<boolean> {
  return step.kind !== 'edit' || (await isHeldBack(step, context));
}

/**
 * Checks, before the first edit, that all edits can be made without the other steps.
 * @throws MigrationError `CONFIG_EDIT_REFUSED` if a state still has a resource whose block an edit removes,
 *   `CONFIG_CHANGED` if a file differs from the planned one
 */
export async function requireEdits(context: ApplyContext): Promise<void> {
  const steps: Step[] = [];
  for (const step of context.plan.steps) {
    if (await isLeftOut(step, context)) continue;
    if ((await openEdits(step, context)).length > 0) await requireNotHeld(step, context);
    steps.push(step);
  }
  await requirePlannedFiles(steps, context);
}

/** Reports the postponed edits, and why they wait. */
export async function heldBack(context: ApplyContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const step of context.plan.steps) {
    if (!(await isHeldBack(step, context))) continue;
    const { id, addresses = [] } = step;
    findings.push({
      code: 'EDIT_HELD_BACK',
      severity: 'decision',
      subject: printable(`step ${id}`, 80),
      message: `${printable(addresses.join(', '), 300)} was not declared: the state does not have it, and Terraform would plan to create a ruleset that exists`,
      remedy: 'run `apply` without --only: it declares and imports the ruleset',
    });
  }
  return findings;
}

/** Whether a step declares a ruleset that is not imported yet. */
async function isHeldBack(step: Step, context: ApplyContext): Promise<boolean> {
  const { kind, addresses = [] } = step;
  if (kind !== 'edit' || (await openEdits(step, context)).length === 0) return false;
  const { live } = stateOf(context, step);
  return addresses.some((address) => !live.addresses.has(address));
}
