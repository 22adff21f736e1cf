import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { mapConcurrently } from '../../model/map-concurrently';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { PULLS_AT_ONCE, statePull } from '../../terraform/state-pull';
import { removeParts } from '../remove-parts';
import { writeFiles } from '../write-files';
import { filesToRestore } from './files-to-restore';
import { journalPath, openJournal, readJournal } from '../journal/journal';
import { secureBackupFolder } from '../journal/secure-backup-folder';
import { readLiveState } from '../preflight/live-state';
import { requirePlaces } from '../preflight/require-places';
import { pushState } from './push-state';
import { requireAsBefore } from './require-as-before';
import { type RollbackRequest } from './rollback-request';
import { type SavedCopy, saveOverwritten } from './save-overwritten';
import { stateToRestore } from './state-to-restore';
import { type UndoByHand, undoByHand } from './undo-by-hand';
import { PLAN_LOCK, withLock } from '../journal/with-lock';

/** The command's JSON: files and states, relative to the folder of the plan. */
export interface RollbackResult {
  readonly restored: readonly string[];
  /** Copies of what was overwritten. */
  readonly saved?: readonly SavedCopy[];
  /** What a person has to take back: until then the next apply is not that of before. */
  readonly byHand?: readonly UndoByHand[];
}

/**
 * Puts files and states back as they were, from journal and backups: files byte for byte, states with
 * their lineage and a serial above the present one. All is checked before anything is written, with the
 * lock that `apply` takes.
 *
 * Old blocks come back first, then the states, and what declares the rulesets leaves last: wherever this
 * ends in the middle, whatever a state holds is declared, and no plan of Terraform destroys anything.
 *
 * @throws MigrationError `JOURNAL_INVALID`, `BACKUP_INVALID`, `STATE_CHANGED`, `CONFIG_CHANGED`,
 *   `APPLY_RUNNING`
 */
export async function rollback(request: RollbackRequest): Promise<RollbackResult> {
  await secureBackupFolder(request.folder, request.terraform);
  const lock = `${join(request.folder, journalPath(request.plan.digest))}.lock`;
  return withLock(lock, PLAN_LOCK, () => putBack(request));
}

async function putBack(request: RollbackRequest): Promise<RollbackResult> {
  const { journal: path, plan, folder } = request;
  const entries = readJournal(path);
  const [first] = entries;
  if (first?.event !== 'begin' || first.digest !== plan.digest) {
    throw new MigrationError(
      'JOURNAL_INVALID',
      `${printable(path)} is the journal of another plan`,
    );
  }
  requirePlaces(plan, folder, request.terraform.environment);
  removeParts(plan, folder);
  const files = filesToRestore({ ...request, entries });
  const states = await mapConcurrently(plan.states, PULLS_AT_ONCE, async (state) => {
    const options = { ...request.terraform, dir: join(folder, state.dir) };
    const live = readLiveState(await statePull(options));
    return stateToRestore(state, live, { ...request, entries });
  });
  requireAsBefore(states, plan, folder);

  const fault = request.fault ?? ((): void => undefined);
  const afterEach = (): void => {
    fault('rollback-file');
  };
  fault('rollback-before');
  const saved = saveOverwritten(files, states, folder, fault);
  try {
    writeFiles(
      files.flatMap(({ file, text }) =>
        text === null ? [] : [{ path: join(folder, file), text }],
      ),
      { force: true, afterEach },
    );
    fault('rollback-files');
    for (const state of states) await pushState(state, request, fault);
    for (const { file, text } of files) {
      if (text === null) rmSync(join(folder, file), { force: true });
      fault('rollback-created');
    }
  } catch (error) {
    throw halfway(error);
  }
  const record = openJournal(path);
  record.append({ event: 'rolled-back' });
  fault('rollback-noted');
  const byHand = await undoByHand({
    ...request,
    journal: record,
    live: new Map(states.map(({ planned: { name }, after }) => [name, after])),
  });
  const pushed = states.filter(({ text }) => text !== undefined);
  return {
    restored: [
      ...files.map(({ file }) => file),
      ...pushed.map(({ planned: { name } }) => `state ${name}`),
    ],
    ...(saved.length > 0 && { saved }),
    ...(byHand.length > 0 && { byHand }),
  };
}

/** What failed when something was put back and something else was not. */
function halfway(error: unknown): unknown {
  if (!(error instanceof MigrationError)) return error;
  return error.withHint(
    'the rollback ended in the middle: let Terraform apply nothing, and run the same rollback again when what stopped it is gone',
  );
}
