import { type JournalEntry } from './journal';

/** What stands in a journal since its last rollback: what was before is undone. */
export function sinceRollback(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entries.slice(entries.findLastIndex(({ event }) => event === 'rolled-back') + 1);
}

/** Whether a plan was rolled back and no step of it was begun since. */
export function isRolledBack(entries: readonly JournalEntry[]): boolean {
  const since = sinceRollback(entries);
  return since.length < entries.length && !since.some(({ event }) => event === 'start');
}
