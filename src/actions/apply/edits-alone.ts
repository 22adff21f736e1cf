import { join } from 'node:path';
import { sha256 } from '../../blocks/decode-config';
import { requireUnchanged } from '../../blocks/require-unchanged';
import { type Finding } from '../../model/finding';
import { printable } from '../../model/printable';
import { type Step } from '../../plan/plan';
import { isMade } from '../apply-edits';
import { inspectTarget } from '../target-file';
import { type ApplyContext, stateOf } from './apply-context';
import { refuseHeld } from './steps/edit';

/** Whether a step is none for `--only edits`: it is no edit, or one that has to wait for another step. */
export function isLeftOut(step: Step, context: ApplyContext): boolean {
  return step.kind !== 'edit' || isHeldBack(step, context);
}

/**
 * All edits that are to be made without the other steps can be made, before the first of them is.
 * @throws MigrationError `CONFIG_EDIT_REFUSED` where a state still holds what an edit takes out,
 *   `CONFIG_CHANGED` where a file is not the one that was planned for
 */
export function requireEdits(context: ApplyContext): void {
  const left = new Map<string, string>();
  for (const step of context.plan.steps) {
    if (isLeftOut(step, context)) continue;
    const open = (step.edits ?? []).filter((edit) => !isMade(edit, context.folder));
    if (open.length > 0) refuseHeld(step, context);
    for (const edit of open) {
      const now = left.get(edit.file) ?? sha256OfFile(join(context.folder, edit.file));
      requireUnchanged(now, edit);
      left.set(edit.file, edit.sha256After);
    }
  }
}

/** What is held back, and why. */
export function heldBack(context: ApplyContext): Finding[] {
  return context.plan.steps
    .filter((step) => isHeldBack(step, context))
    .map(({ id, addresses = [] }) => ({
      code: 'EDIT_HELD_BACK',
      severity: 'decision',
      subject: printable(`step ${id}`, 80),
      message: `${printable(addresses.join(', '), 300)} is not declared: the state does not have it, and Terraform would plan to create what is live already`,
      remedy: 'run `apply` without --only, which declares and imports it',
    }));
}

/** A declaration whose ruleset is not imported yet. */
function isHeldBack(step: Step, context: ApplyContext): boolean {
  const { kind, addresses = [], edits = [] } = step;
  if (kind !== 'edit' || edits.every((edit) => isMade(edit, context.folder))) return false;
  const { live } = stateOf(context, step);
  return addresses.some((address) => !live.addresses.has(address));
}

function sha256OfFile(path: string): string | null {
  const bytes = inspectTarget(path).present?.bytes;
  return bytes === undefined ? null : sha256(bytes);
}
