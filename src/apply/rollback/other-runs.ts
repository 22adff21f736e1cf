import { relative, resolve } from 'node:path';
import { MigrationError } from '../../core/migration-error';
import { posixQuote } from '../../core/posix-quote';
import { readJsonFile } from '../../files/read-files';
import { parsePlan } from '../../plan/parse-saved-plan';
import { changedStates, type Plan } from '../../plan/plan-schema';
import { isOpen, listJournals, openJournal, planCopyPath } from '../journal/journal';

/**
 * Requires that the latest run is rolled back first. Otherwise its edits would remain beside older states, and
 * Terraform would destroy resources without a block. States that a run does not change do not count. A run in another
 * workspace shares the files of the folder.
 * @returns the journal of an earlier run to roll back, as in `earlier` of `RollbackResult`
 * @throws MigrationError `STATE_CHANGED`, also with `force`
 */
export async function earlierRun({
  journal,
  plan,
  folder,
}: {
  readonly journal: string;
  readonly plan: Plan;
  readonly folder: string;
}): Promise<string | undefined> {
  const changed = changedStates(plan);
  const ownStates = changed.length === 0 ? plan.states : changed;
  const own = new Map(ownStates.map((state) => [identityOf(state), state.serial]));
  const dirs = new Set(ownStates.map(({ dir }) => dir));
  // the last modified first
  const journals = listJournals(folder);
  const ownAt = journals.findIndex((one) => resolve(one) === resolve(journal));
  let earlier: string | undefined;
  for (const [at, other] of journals.entries()) {
    const entries = at === ownAt ? [] : openJournal(other).entries;
    if (!entries.some(({ event }) => event === 'start' || event === 'file')) continue;
    const states = changedStates(parsePlan(await readJsonFile(planCopyPath(other))));
    const isLaterState = states.some((state) => {
      const { serial } = state;
      const ownSerial = own.get(identityOf(state));
      // a run that was interrupted before it changed the state leaves its serial
      return (
        ownSerial !== undefined && (serial > ownSerial || (serial === ownSerial && at < ownAt))
      );
    });
    const isOfWorkspace = states.some(
      (state) => !own.has(identityOf(state)) && dirs.has(state.dir),
    );
    if (!isLaterState && !(isOfWorkspace && at < ownAt)) {
      // a copied folder has the same lineage
      const isSameState = states.some((state) => own.has(identityOf(state)) && dirs.has(state.dir));
      // a run that changed nothing restores nothing, so the user means an earlier one
      if (isSameState && (isOpen(other) || changed.length === 0))
        earlier ??= relative(folder, other);
      continue;
    }
    const what = isLaterState ? 'to the same state' : 'in another workspace of the same folder';
    throw new MigrationError('STATE_CHANGED', `a later plan was applied ${what}`, {
      hint: `roll that plan back first:\ncf-waf-migrate rollback ${posixQuote(other)}`,
    });
  }
  return earlier;
}

/** Its lineage; a state that does not exist yet has none, in any folder. */
export function identityOf({ lineage, dir, workspace }: Plan['states'][number]): string {
  return lineage === '' ? JSON.stringify([dir, workspace]) : lineage;
}
