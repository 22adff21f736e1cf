import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Finding } from '../../core/finding';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { backupFile, writeStateBackup } from '../../files/backups';
import { deleteParts, writeFiles } from '../../files/write-files';
import { type Plan } from '../../plan/plan-schema';
import { isCheck } from '../../plan/steps/step-kinds';
import { type TerraformSettings } from '../../terraform/run-terraform';
import { statePush, stateRemove } from '../../terraform/subcommands';
import { compareStates } from '../../tfstate/compare-states';
import { sha256 } from '../../core/json';
import { placeOf, type Undo } from '../apply-context';
import { secureBackupFolder } from '../journal/secure-backup-folder';
import {
  archiveJournal,
  currentPath,
  fileCopyPath,
  isStarted,
  type Journal,
  journalPath,
  openJournal,
} from '../journal/journal';
import { PLAN_LOCK, withLock } from '../journal/lock';
import { pullState } from '../live-state';
import { stepExecutors } from '../steps/step-executors';
import { type Changes, readChanges } from './read-changes';
import { isToChange, leavingAddresses, type StateToRestore } from './state-to-restore';

interface RollbackRequest {
  readonly journal: string;
  readonly plan: Plan;
  readonly folder: string;
  readonly terraform: TerraformSettings;
  /** Overwrite later changes of other processes. */
  readonly force: boolean;
  /** Asks the user, if there is something to restore. `leaving` are the addresses that leave each state. */
  readonly confirm: (
    leaving: readonly { readonly state: string; readonly address: string }[],
  ) => Promise<void>;
  readonly fault?: (point: string) => void;
}

/** The command's JSON. */
export interface RollbackResult {
  readonly restored: readonly string[];
  readonly deleted?: readonly string[];
  /** Copies of overwritten files and states. */
  readonly saved?: readonly SavedCopy[];
  /** Steps to undo by hand before the next apply, which otherwise has another result than before the plan. */
  readonly byHand?: readonly StepToUndo[];
  /** Blocks from which the user may have removed the restored resources. */
  readonly findings?: readonly Finding[];
}

interface StepToUndo extends Undo {
  readonly step: string;
  readonly title: string;
}

/** A copy of a file or state that a rollback overwrites. */
interface SavedCopy {
  readonly of: string;
  /** Relative to the folder of the plan. */
  readonly file: string;
}

/**
 * Restores files and states from journal and backups: files byte for byte, states with their lineage and a serial
 * above the current one. Checks everything but the lock of a backend before the first write. Needs the lock of `apply`.
 *
 * @throws MigrationError `JOURNAL_INVALID`, `BACKUP_INVALID`, `STATE_CHANGED`, `CONFIG_CHANGED`, `APPLY_RUNNING`
 */
export async function rollback(requested: RollbackRequest): Promise<RollbackResult> {
  const { folder, plan } = requested;
  // a rollback can be repeated, for example when it was killed before it showed its result
  const journal = currentPath(requested.journal);
  const { fault = () => undefined } = requested;
  const request = { ...requested, journal, fault };
  await secureBackupFolder(folder, request.terraform);
  const lock = `${join(folder, journalPath(plan.digest))}.lock`;
  return withLock(lock, PLAN_LOCK, async () => {
    const changes = await readChanges(request);
    const { files, states } = changes;
    const changing = states.filter(isToChange);
    if (files.length > 0 || changing.length > 0) {
      const leaving = changing.flatMap((one) =>
        leavingAddresses(one).map((address) => ({ state: one.planned.name, address })),
      );
      await request.confirm(leaving);
      openJournal(journal).append({ event: 'rollback' });
    }
    fault('rollback-before');
    const saved = saveOverwritten(changes, request);
    await restore(changes, request).catch((error: unknown) => {
      throw asIncomplete(error);
    });
    archiveJournal(journal);
    fault('rollback-noted');
    const byHand = await stepsToUndo(request);
    const archive = openJournal(currentPath(journal));
    if (byHand.length === 0) archive.append({ event: 'undone' });
    fault('rollback-undone');
    const findings = narrowedBlocks(plan, archive);
    return {
      ...changedBy(changes),
      ...(saved.length > 0 && { saved }),
      ...(byHand.length > 0 && { byHand }),
      ...(findings.length > 0 && { findings }),
    };
  });
}

function changedBy({ files, states }: Changes): Pick<RollbackResult, 'restored' | 'deleted'> {
  const deleted = files.flatMap(({ file, text }) => (text === null ? file : []));
  const changed = files.flatMap(({ file, text }) => (text === null ? [] : file));
  const names = states.filter(isToChange).map(({ planned }) => `state ${planned.name}`);
  return { restored: [...changed, ...names], ...(deleted.length > 0 && { deleted }) };
}

/** Finds steps that are still done after a rollback, by the configuration and the lock file: the last one first. */
export async function stepsToUndo(
  run: Pick<RollbackRequest, 'plan' | 'folder' | 'terraform'>,
): Promise<StepToUndo[]> {
  const found: StepToUndo[] = [];
  for (const step of run.plan.steps.toReversed()) {
    const left = await stepExecutors[step.kind].undo?.(placeOf(step, run));
    if (left !== undefined) found.push({ step: step.id, title: step.title, ...left });
  }
  return found;
}

/** Blocks from which `apply` asked the user to remove the restored resources: Terraform would destroy these. */
function narrowedBlocks(plan: Plan, run: Journal): Finding[] {
  return plan.findings.flatMap((finding) => {
    const { code, subject } = finding;
    const last = plan.steps.findLast((step) => step.state === subject && isCheck(step));
    if (code !== 'BLOCK_SHARED' || last === undefined || !isStarted(last.id, run)) return [];
    const remedy =
      'if you removed the migrated zones from the count, for_each or module call, put them back before the next `terraform apply`: otherwise it would destroy their restored resources';
    return { ...finding, remedy };
  });
}

/**
 * Copies each state, and each file that others changed, before it is overwritten, because a comparison cannot
 * separate all changes of other processes from those of a provider. Only the owner can read the copies.
 */
function saveOverwritten(
  { files, states }: Changes,
  { folder, fault }: Required<RollbackRequest>,
): SavedCopy[] {
  const saved: SavedCopy[] = [];
  for (const { file: of, foreign } of files) {
    if (foreign === undefined) continue;
    const file = fileCopyPath(sha256(foreign));
    writeFiles([{ path: join(folder, file), text: foreign }], { force: true, mode: 0o600 });
    fault('rollback-saved');
    saved.push({ of, file });
  }
  for (const state of states) {
    const { planned, live } = state;
    if (!isToChange(state) || live.bytes.length === 0) continue;
    const name = backupFile(planned, live.serial, 'overwritten.tfstate');
    const file = writeStateBackup(folder, name, live.bytes);
    fault('rollback-saved');
    saved.push({ of: `state ${planned.name}`, file });
  }
  return saved;
}

/**
 * Restores legacy blocks first, then the states, and deletes created files last. If it ends early, every
 * resource in a state still has a block, so that Terraform destroys nothing.
 */
async function restore(
  { files, states, edited }: Changes,
  request: Required<RollbackRequest>,
): Promise<void> {
  const { folder, fault } = request;
  const afterEach = (): void => {
    fault('rollback-file');
  };
  const changed = files.flatMap(({ file, text }) =>
    text === null ? [] : [{ path: join(folder, file), text }],
  );
  writeFiles(changed, { force: true, afterEach });
  fault('rollback-files');
  for (const state of states) await restoreState(state, request);
  for (const { file, text } of files) {
    if (text === null) rmSync(join(folder, file), { force: true });
    fault('rollback-created');
  }
  for (const file of edited) deleteParts(join(folder, file));
}

function asIncomplete(error: unknown): unknown {
  if (!(error instanceof MigrationError)) return error;
  // its hint says how to unlock the state, and to run the same command again
  if (error.code === 'STATE_LOCKED') return error.withPrefix('the rollback is incomplete');
  return error.withHint(
    'fix the cause, then run the same rollback again; do not run `terraform apply` before: the rollback is incomplete',
  );
}

/** Restores a state, if it differs from before the plan. */
async function restoreState(
  state: StateToRestore,
  request: Required<RollbackRequest>,
): Promise<void> {
  const { planned, text, imported = [] } = state;
  const { journal, folder, plan, terraform, fault } = request;
  // two workspaces of a folder can be rolled back at once, so each has its own file
  const file = `${plan.digest.slice(0, 12)}.${planned.name}.rollback.tfstate`;
  const pushed = join(dirname(journal), file);
  if (isToChange(state)) {
    const options = { ...terraform, dir: join(folder, planned.dir) };
    // flags after `--` when the plan was made, such as `-lock-timeout=60s`
    const flags = plan.steps
      .filter((step) => step.state === planned.name)
      .flatMap(({ runs = [] }) => runs.flatMap(({ argv }) => argv));
    if (text === undefined) {
      await stateRemove(imported, flags, planned.workspace, options);
      fault('rollback-pushed');
    } else {
      writeFiles([{ path: pushed, text }], { force: true, mode: 0o600 });
      fault('rollback-written');
      await statePush(pushed, flags, options);
      fault('rollback-pushed');
    }
    await requireRestored(state, request);
  }
  // including the file of a rollback that was killed after its push
  rmSync(pushed, { force: true });
  fault('rollback-after');
}

/**
 * Reads a state again, because an exit code does not prove that the ruleset is gone. Its declaration is removed next.
 */
async function requireRestored(
  { planned, text, imported = [] }: StateToRestore,
  request: RollbackRequest,
): Promise<void> {
  const now = await pullState(planned, request);
  const left =
    text === undefined
      ? imported.filter((one) => now.addresses.has(one))
      : Object.values(compareStates(Buffer.from(text), now.bytes)).flat();
  if (left.length === 0) return;
  throw new MigrationError(
    'STATE_CHANGED',
    `state ${printable(planned.name, 80)} is not restored, though Terraform reported success`,
  );
}
