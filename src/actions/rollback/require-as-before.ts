import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Plan } from '../../plan/plan';
import { findStateBackup } from '../write-backup';
import { describeDone, doneOfPlan } from './done-of-plan';
import { type StateToRestore } from './state-to-restore';

/**
 * Checks that every state is as it was before the plan, once the rollback has pushed what it pushes. Where
 * somebody else has carried the steps out, as the run of a pull request does, or the journal has lost the line of
 * the backup, the old files would have Terraform destroy the ruleset, and create what left the state. A backup
 * that was taken after that is none of the state of before.
 * @throws MigrationError `STATE_CHANGED`, whatever was forced
 */
export function requireAsBefore(
  states: readonly StateToRestore[],
  plan: Plan,
  folder: string,
): void {
  const changed = states.flatMap((state) => {
    const done = describeDone(doneOfPlan(state.planned, plan, state.after.addresses));
    return done === '' ? [] : [{ ...state, done }];
  });
  if (changed.length === 0) return;
  const told = changed.map(
    ({ planned, after, done }) =>
      `state ${printable(planned.name, 80)} (serial ${after.serial}, planned for ${planned.serial}) ${done}`,
  );
  const copies = changed.map((state) => copyOf(state, plan, folder)).join(' and ');
  throw new MigrationError(
    'STATE_CHANGED',
    `the plan was carried out, and the journal has no backup of before: ${told.join('; ')}: with the old files Terraform would destroy or create these`,
    {
      hint: `leave the files as they are, also in git, and go on: \`apply\`, or plan again; or put ${copies} back first (terraform state push, its serial raised), run the same rollback, and let Terraform apply nothing in between; no flag goes over that`,
    },
  );
}

/** Where the state of before may be: a backup that only the journal has forgotten lies beside it. */
function copyOf({ planned, hasBackup }: StateToRestore, { steps }: Plan, folder: string): string {
  const { name, serial, lineage } = planned;
  const saved = steps.find(({ kind, state }) => kind === 'backup' && state === name);
  const file = saved?.runs?.[0]?.saveTo;
  const copy = hasBackup || file === undefined ? undefined : findStateBackup(folder, file, lineage);
  return copy !== undefined
    ? printable(copy)
    : `the version of state ${printable(name, 80)} with serial ${serial} that its backend keeps`;
}
