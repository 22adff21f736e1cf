import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mapConcurrently } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { findStateBackup, writeStateBackup } from '../../files/write-backup';
import { writeFiles } from '../../files/write-files';
import { backupFile, type Plan } from '../../plan/plan';
import { type TerraformOptions } from '../../terraform/run-terraform';
import { PULLS_AT_ONCE, statePull, statePush } from '../../terraform/subcommands';
import { sha256 } from '../../tfconfig/config-source';
import { type FaultPoint } from '../fault-points';
import { removeParts, secureBackupFolder } from '../journal/backup-folder';
import { fileCopyPath, journalPath, openJournal, readJournal } from '../journal/journal';
import { PLAN_LOCK, withLock } from '../journal/lock';
import { isSameState } from '../preflight/compare-states';
import { readLiveState } from '../preflight/live-state';
import { requirePlaces } from '../preflight/require-places';
import { filesToRestore, type FileToRestore } from './files-to-restore';
import { describeDone, doneOfPlan, stateToRestore, type StateToRestore } from './state-to-restore';
import { type UndoByHand, undoByHand } from './undo-by-hand';

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

/** A copy of what a rollback overwrites. */
export interface SavedCopy {
  readonly of: string;
  /** Relative to the folder of the plan. */
  readonly file: string;
}

/**
 * Copies each state before it is overwritten, and each file that was changed since the plan edited it, for its owner
 * alone. No comparison tells every change of another process from what a provider rewrites: nothing is lost either way.
 */
export function saveOverwritten(
  files: readonly FileToRestore[],
  states: readonly StateToRestore[],
  folder: string,
  fault: (point: FaultPoint) => void,
): SavedCopy[] {
  const ofFiles = files.flatMap(({ file, foreign: bytes }) =>
    bytes === undefined ? [] : [{ of: file, file: fileCopyPath(sha256(bytes)), bytes }],
  );
  writeFiles(
    ofFiles.map(({ file, bytes }) => ({ path: join(folder, file), text: bytes })),
    { force: true, mode: 0o600 },
  );
  fault('rollback-saved');
  const ofStates = states.flatMap(({ planned, text, live }) => {
    if (text === undefined || live.bytes.length === 0) return [];
    const name = backupFile(planned, live.serial, 'overwritten.tfstate');
    const file = writeStateBackup(folder, name, live.bytes);
    fault('rollback-saved');
    return [{ of: `state ${planned.name}`, file }];
  });
  return [...ofFiles.map(({ of, file }) => ({ of, file })), ...ofStates];
}

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

/**
 * Pushes a state as a rollback leaves it, where that is another one, and reads it back: what declares the
 * ruleset leaves after that, and an exit code is no proof that the state no longer holds it.
 * @throws MigrationError `STATE_CHANGED` where it was not taken, and those of Terraform
 */
export async function pushState(
  { planned, text, after }: StateToRestore,
  { journal, folder, plan, terraform }: RollbackRequest,
  fault: (point: FaultPoint) => void,
): Promise<void> {
  // the plans of two workspaces of a folder can be rolled back at a time: each has its own file
  const own = `${plan.digest.slice(0, 12)}.${planned.name}.rollback.tfstate`;
  const pushed = join(dirname(journal), own);
  if (text !== undefined) {
    const options = { ...terraform, dir: join(folder, planned.dir) };
    writeFiles([{ path: pushed, text }], { force: true, mode: 0o600 });
    fault('rollback-written');
    await statePush(pushed, flagsOf(plan, planned.name), options);
    fault('rollback-pushed');
    if (!isSameState(after.bytes, await statePull(options))) {
      throw new MigrationError(
        'STATE_CHANGED',
        `state ${printable(planned.name, 80)} is not as it was pushed, though Terraform says that it is`,
      );
    }
  }
  // also that of a rollback which was killed behind its push
  rmSync(pushed, { force: true });
  fault('rollback-after');
}

/** What was passed behind `--` when the plan was made, as `-lock-timeout=60s`. */
function flagsOf({ steps }: Plan, state: string): string[] {
  return steps
    .filter((step) => step.state === state)
    .flatMap(({ runs = [] }) => runs.flatMap(({ argv }) => argv));
}

/** What to undo. */
export interface RollbackRequest {
  readonly journal: string;
  readonly plan: Plan;
  /** The folder of the plan. */
  readonly folder: string;
  readonly terraform: Omit<TerraformOptions, 'dir'>;
  /** Go on although somebody else has written since. */
  readonly force: boolean;
  readonly fault?: (point: FaultPoint) => void;
}
