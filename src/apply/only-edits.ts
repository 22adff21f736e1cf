import { type Finding } from '../core/finding';
import { printable } from '../core/printable';
import { type Step } from '../plan/plan';
import { type ApplyContext, stateOf } from './apply-context';
import { openEdits, requireNotHeld, requirePlannedFiles } from './steps/edit';

/**
 * Selects the edits of `--only edits`, and checks before the first one that all can be made without the other steps.
 * Postpones the declaration of a ruleset that is not imported yet.
 * @returns the edits to make, and a finding for each postponed one
 * @throws MigrationError `CONFIG_EDIT_REFUSED` if a state still has a resource whose block an edit removes,
 *   `CONFIG_CHANGED` if a file differs from the planned one
 */
export async function selectEdits(
  context: ApplyContext,
): Promise<{ readonly steps: readonly Step[]; readonly findings: readonly Finding[] }> {
  const steps: Step[] = [];
  const findings: Finding[] = [];
  for (const step of context.plan.steps.filter(({ kind }) => kind === 'edit')) {
    const { addresses = [] } = step;
    const { live } = stateOf(context, step);
    const isOpen = (await openEdits(step, context)).length > 0;
    if (isOpen && addresses.some((address) => !live.addresses.has(address))) {
      findings.push(postponed(step));
      continue;
    }
    if (isOpen) await requireNotHeld(step, context);
    steps.push(step);
  }
  await requirePlannedFiles(steps, context);
  return { steps, findings };
}

function postponed({ id, addresses = [] }: Step): Finding {
  return {
    code: 'EDIT_HELD_BACK',
    severity: 'decision',
    subject: printable(`step ${id}`, 80),
    message: `${printable(addresses.join(', '), 300)} was not declared: the state does not have it, and Terraform would plan to create a ruleset that exists`,
    remedy: 'run `apply` without --only: it declares and imports the ruleset',
  };
}
