import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../blocks/decode-config';
import { isJsonObject } from '../../model/json';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Plan } from '../../plan/plan';
import { type TerraformOptions } from '../../terraform/run-terraform';
import { statePull } from '../../terraform/state-pull';
import { statePush } from '../../terraform/state-push';
import { inspectTarget } from '../target-file';
import { writeFiles } from '../write-files';
import { differsByPlanAlone } from './compare-states';
import { type FaultPoint } from './fault-points';
import { type JournalEntry, openJournal, readJournal } from './journal';
import { journalPath } from './journal-path';
import { readLiveState } from './live-state';
import { readBackup } from './read-backup';
import { requirePlaces } from './require-places';
import { sinceRollback } from './since-rollback';
import { withLock } from './with-lock';

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

/** The command's JSON: files and states, relative to the folder of the plan. */
export interface RollbackResult {
  readonly restored: readonly string[];
}

type FileEntry = Extract<JournalEntry, { event: 'file' }>;
type BackupEntry = Extract<JournalEntry, { event: 'backup' }>;

/**
 * Puts files and states back as they were, from journal and backups: files byte for byte, states with
 * their lineage and a serial above the present one. All is checked before anything is written, with the
 * lock that `apply` takes.
 *
 * @throws MigrationError `JOURNAL_INVALID`, `BACKUP_INVALID`, `STATE_CHANGED`, `CONFIG_CHANGED`,
 *   `APPLY_RUNNING`
 */
export async function rollback(request: RollbackRequest): Promise<RollbackResult> {
  const lock = `${join(request.folder, journalPath(request.plan.digest))}.lock`;
  return withLock(lock, () => putBack(request));
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
  const files = entries.filter((one): one is FileEntry => one.event === 'file');
  const backups = entries.filter((one): one is BackupEntry => one.event === 'backup');
  const texts = files.map((entry) => restoredText(entry, request));
  const states = await Promise.all(backups.map((entry) => restoredState(entry, request, entries)));

  const restored: string[] = [];
  const fault = request.fault ?? ((): void => undefined);
  const afterEach = (): void => {
    fault('rollback-file');
  };
  fault('rollback-before');
  writeFiles(
    files.flatMap(({ file }, index) => {
      const text = texts[index];
      return typeof text === 'string' ? [{ path: join(folder, file), text }] : [];
    }),
    { force: true, afterEach },
  );
  fault('rollback-files');
  for (const [index, { file }] of files.entries()) {
    if (texts[index] === null) rmSync(join(folder, file), { force: true });
    fault('rollback-file');
    restored.push(file);
  }
  for (const { name, text, dir } of states) {
    if (text === undefined) continue;
    const pushed = join(dirname(path), `${name}.rollback.tfstate`);
    writeFiles([{ path: pushed, text }], { force: true, mode: 0o600 });
    fault('rollback-written');
    await statePush(pushed, { ...request.terraform, dir: join(folder, dir) });
    fault('rollback-pushed');
    rmSync(pushed, { force: true });
    fault('rollback-after');
    restored.push(`state ${name}`);
  }
  openJournal(path).append({ event: 'rolled-back' });
  fault('rollback-noted');
  return { restored };
}

/** The text of a file before its edit; null where there was none. */
function restoredText(entry: FileEntry, { folder, force }: RollbackRequest): string | null {
  const now = inspectTarget(join(folder, entry.file)).present?.bytes;
  const digest = now === undefined ? null : sha256(now);
  if (digest !== entry.sha256After && digest !== entry.sha256 && !force) {
    throw new MigrationError(
      'CONFIG_CHANGED',
      `${printable(entry.file)} was changed since it was edited`,
      {
        hint: 'look at what was changed; pass --force to put the old file back all the same',
      },
    );
  }
  return entry.backup === null
    ? null
    : readBackup(join(folder, entry.backup), entry.sha256).toString('utf8');
}

async function restoredState(
  entry: BackupEntry,
  { plan, folder, terraform, force }: RollbackRequest,
  entries: readonly JournalEntry[],
): Promise<{ name: string; dir: string; text: string | undefined }> {
  const planned = plan.states.find(({ name }) => name === entry.state);
  if (planned === undefined)
    throw new MigrationError('JOURNAL_INVALID', `the plan has no state ${printable(entry.state)}`);
  const bytes = readBackup(join(folder, entry.file), entry.sha256);
  const live = readLiveState(await statePull({ ...terraform, dir: join(folder, planned.dir) }));
  const steps = plan.steps.filter(({ state }) => state === entry.state);
  const rewritten = steps.flatMap(({ expects }) => expects?.rewritten ?? []);
  const own = {
    gone: new Set([...steps.flatMap(({ expects }) => expects?.gone ?? []), ...rewritten]),
    present: new Set([...steps.flatMap(({ expects }) => expects?.present ?? []), ...rewritten]),
  };
  // a refresh writes every entry anew: from then on, what differs from its copy is somebody else's
  const copy = sinceRollback(entries).findLast(
    (one) => one.event === 'refreshed' && one.state === entry.state,
  );
  const base =
    copy?.event === 'refreshed' ? readBackup(join(folder, copy.file), copy.sha256) : bytes;
  const isOurs = live.lineage === entry.lineage && differsByPlanAlone(base, live.bytes, own);
  if (!isOurs && !force) {
    throw new MigrationError(
      'STATE_CHANGED',
      `state ${printable(entry.state)} was written by somebody else since the backup`,
      {
        hint: 'what they wrote would be lost; pass --force to put the old state back all the same',
      },
    );
  }
  // nothing of ours was written: the state is as it was
  if (live.bytes.equals(bytes)) return { name: planned.name, dir: planned.dir, text: undefined };
  return { name: planned.name, dir: planned.dir, text: withSerial(bytes, live.serial + 1) };
}

/** The state with another serial, every other character of it kept. */
function withSerial(bytes: Buffer, serial: number): string {
  const text = bytes.toString('utf8');
  const raised = text.replace(/^(\s*\{[^{}[\]]*?"serial"\s*:\s*)\d+/, `$1${serial}`);
  const document: unknown = JSON.parse(raised);
  if (isJsonObject(document) && document['serial'] === serial) return raised;
  throw new MigrationError(
    'BACKUP_INVALID',
    'the backup of the state has no serial where Terraform writes it',
  );
}
