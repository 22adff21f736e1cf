import { resolve } from 'node:path';
import { MigrationError } from '../../core/migration-error';
import { posixQuote } from '../../core/posix-quote';
import { isOutside } from '../../plan/facts/plan-removal';
import { readSavedPlan } from '../../plan/parse-saved-plan';
import { changedStates, type Plan, type PlanState } from '../../plan/plan-schema';
import { listJournals, openJournal, planCopyPath } from '../journal/journal';

/**
 * Requires that later runs are rolled back first. Otherwise their edits would remain beside older states, and
 * Terraform would destroy resources without a block. States that a run does not change do not count.
 * @throws MigrationError `STATE_CHANGED`, also with `force`
 */
export async function refuseLaterRuns(journal: string, plan: Plan, folder: string): Promise<void> {
  const changed = changedStates(plan);
  const own = changed.length === 0 ? plan.states : changed;
  for (const other of await otherRuns(journal, folder)) refuseLater(other, own);
}

interface OtherRun {
  readonly journal: string;
  /** The states that its plan changes; all of its states, if it edits a file outside of their folders. */
  readonly states: readonly PlanState[];
  /** Whether its journal was modified after that of the rollback. */
  readonly isNewer: boolean;
}

/** The runs in a folder that began to change something, the last modified first. */
async function otherRuns(journal: string, folder: string): Promise<OtherRun[]> {
  const journals = listJournals(folder);
  const ownAt = journals.findIndex((one) => resolve(one) === resolve(journal));
  const runs: OtherRun[] = [];
  for (const [at, other] of journals.entries()) {
    const { entries } = openJournal(other);
    const isBegun = entries.some(({ event }) => event === 'start' || event === 'file');
    if (at === ownAt || !isBegun) continue;
    const plan = await readSavedPlan(planCopyPath(other));
    const changed = changedStates(plan);
    // the module of several states: one that is rolled back would have resources without a block
    const editsShared = plan.steps.some(({ edits = [] }) =>
      edits.some(({ file }) => changed.every(({ dir }) => isOutside(dir, file))),
    );
    const states = editsShared ? plan.states : changed;
    runs.push({ journal: other, states, isNewer: at < ownAt });
  }
  return runs;
}

/** @throws MigrationError `STATE_CHANGED` */
function refuseLater({ journal, states, isNewer }: OtherRun, own: readonly PlanState[]): void {
  const serials = new Map(own.map((state) => [identityOf(state), state.serial]));
  const isOfLaterState = states.some((state) => {
    const serial = serials.get(identityOf(state));
    if (serial === undefined) return false;
    // a run that was interrupted before it changed the state leaves its serial
    return state.serial > serial || (state.serial === serial && isNewer);
  });
  // a run in another workspace shares the files of the folder
  const ofWorkspace = states.find(
    (state) => !serials.has(identityOf(state)) && own.some(({ dir }) => dir === state.dir),
  );
  const rollback = `cf-waf-migrate rollback ${posixQuote(journal)}`;
  if (isOfLaterState) throw appliedLater('to the same state', rollback);
  if (ofWorkspace && isNewer) {
    const line = `TF_WORKSPACE=${posixQuote(ofWorkspace.workspace)} ${rollback}`;
    throw appliedLater('in another workspace or backend of the same folder', line);
  }
}

const appliedLater = (place: string, rollback: string): MigrationError =>
  new MigrationError('STATE_CHANGED', `a later plan was applied ${place}`, {
    hint: `roll that plan back first:\n${rollback}`,
  });

/** Its lineage; a state that does not exist yet has none, in any folder. */
export function identityOf({ lineage, dir, workspace }: PlanState): string {
  return lineage === '' ? JSON.stringify([dir, workspace]) : lineage;
}
