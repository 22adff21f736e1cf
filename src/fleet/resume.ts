import { objectOf, parseJson } from '../core/json';
import { type LedgerEntry, type ZoneEntry } from './ledger';

/** Runs with the same stage and the same options are runs of one command. */
export type SameRun = Pick<LedgerEntry, 'stage' | 'request'>;

/** The stages that resume an interrupted run. */
const RESUMING = ['generate', 'rehearse', 'apply', 'finish'];

/** The other stages read again, to be current; edits that `plan --write` made cannot be planned again. */
function resumes({ stage, request }: SameRun): boolean {
  return (
    RESUMING.includes(stage) || (stage === 'plan' && objectOf(parseJson(request))['write'] === true)
  );
}

/** Describes what the command of a stopped run does when it runs again. */
export function whenRunAgain(run: SameRun): string {
  return resumes(run)
    ? 'the same command resumes with the zones that are left'
    : 'the same command does all zones again';
}

/**
 * Returns the zones that an incomplete earlier run of the same command has done. A complete run is not resumed,
 * because its results may be out of date. Pure.
 * @param onlyDone whether zones that need attention are done again
 */
export function doneEarlier(
  entries: readonly LedgerEntry[],
  run: SameRun & { readonly onlyDone?: boolean },
): ReadonlyMap<string, ZoneEntry> {
  const done = new Map<string, ZoneEntry>();
  if (!resumes(run)) return done;
  const { stage, request, onlyDone = false } = run;
  const counted = onlyDone ? ['done'] : ['done', 'attention'];
  for (const entry of entries) {
    if (entry.stage !== stage || entry.request !== request) continue;
    if (entry.event === 'end' && entry.open === 0) done.clear();
    if (entry.event !== 'zone' && entry.event !== 'start') continue;
    // a start makes the earlier result out of date
    done.delete(entry.zone);
    if (entry.event === 'zone' && counted.includes(entry.outcome)) done.set(entry.zone, entry);
  }
  return done;
}
