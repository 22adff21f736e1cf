import { type Plan, type Step } from '../../plan/plan';
import { type JournalEntry, sinceRollback } from '../journal/journal';
import { type OwnChanges } from '../preflight/compare-states';

/**
 * The steps that `apply` has begun since the last rollback, and those whose work is somebody else's where it is done.
 * Begun is also the step that a run left in the middle before: its Terraform may wait for the lock still, outlive the
 * rollback, and write then.
 */
export function byBegun(
  { steps }: Plan,
  entries: readonly JournalEntry[],
): { readonly begun: readonly Step[]; readonly others: readonly Step[] } {
  const last = entries.findLast(({ event }) => event === 'start' || event === 'done');
  const ids = new Set(
    [...sinceRollback(entries), ...(last === undefined ? [] : [last])].flatMap((one) =>
      one.event === 'start' ? [one.step] : [],
    ),
  );
  return {
    begun: steps.filter(({ id }) => ids.has(id)),
    others: steps.filter(({ id }) => !ids.has(id)),
  };
}

/**
 * What `apply` may have changed in a state: what the steps that it has begun add and remove. A colleague, or a later
 * plan, can have carried out the others.
 */
export function ownChanges(
  plan: Plan,
  state: string,
  entries: readonly JournalEntry[],
): OwnChanges {
  const expected = byBegun(plan, entries)
    .begun.filter((step) => step.state === state)
    .flatMap(({ expects }) => expects ?? []);
  const drifted = sinceRollback(entries).flatMap((one) =>
    one.event === 'drifted' && one.state === state ? one.addresses : [],
  );
  return {
    gone: new Set(expected.flatMap(({ gone = [] }) => gone)),
    present: new Set([...expected.flatMap(({ present = [] }) => present), ...drifted]),
  };
}
