import { type LedgerEntry, type LedgerRun, type ZoneEntry } from './ledger-entry';

/**
 * The zones that an earlier run of the same stage and request did, when that run did not do all:
 * it was stopped, or zones failed. A run that did all is not picked up: who asks again wants to
 * know how things stand now.
 * @param onlyDone whether zones that need attention are done again
 */
export function doneEarlier(
  entries: readonly LedgerEntry[],
  { stage, request, onlyDone = false }: LedgerRun & { readonly onlyDone?: boolean },
): ReadonlyMap<string, ZoneEntry> {
  const done = new Map<string, ZoneEntry>();
  for (const entry of entries) {
    if (entry.stage !== stage || entry.request !== request) continue;
    if (entry.event === 'begin') {
      if (!entry.resumes) done.clear();
    } else if (entry.event === 'end') {
      if (entry.failed === 0) done.clear();
    } else if (entry.event === 'start') {
      // what was known of it holds no longer
      done.delete(entry.zone);
    } else if (entry.outcome === 'failed' || (onlyDone && entry.outcome === 'attention')) {
      done.delete(entry.zone);
    } else done.set(entry.zone, entry);
  }
  return done;
}
