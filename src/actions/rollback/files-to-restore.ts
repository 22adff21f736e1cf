import { join } from 'node:path';
import { sha256 } from '../../blocks/decode-config';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { inspectTarget } from '../target-file';
import { type JournalEntry } from '../journal/journal';
import { readBackup } from '../journal/read-backup';

type FileEntry = Extract<JournalEntry, { event: 'file' }>;

/** A file of the configuration, and how a rollback leaves it. */
export interface FileToRestore {
  /** Relative to the folder of the plan. */
  readonly file: string;
  /** Its text before the first edit; null where there was none. */
  readonly text: string | null;
  /** What somebody else has written into it since. */
  readonly foreign: Buffer | undefined;
}

/**
 * The files that a plan has edited, each once, however many of its steps did.
 * @param force take what somebody else has written, too
 * @throws MigrationError `CONFIG_CHANGED`, `BACKUP_INVALID`
 */
export function filesToRestore(
  entries: readonly JournalEntry[],
  folder: string,
  force: boolean,
): FileToRestore[] {
  const edits = entries.filter((one): one is FileEntry => one.event === 'file');
  return [...new Set(edits.map(({ file }) => file))].flatMap((file) =>
    fileToRestore(
      edits.filter((one) => one.file === file),
      folder,
      force,
    ),
  );
}

function fileToRestore(
  edits: readonly FileEntry[],
  folder: string,
  force: boolean,
): FileToRestore[] {
  const [first] = edits;
  if (first === undefined) return [];
  const { file, backup } = first;
  const now = inspectTarget(join(folder, file)).present?.bytes;
  const digest = now === undefined ? null : sha256(now);
  const isOurs = edits.some((one) => digest === one.sha256After || digest === one.sha256);
  if (!isOurs && !force) {
    throw new MigrationError(
      'CONFIG_CHANGED',
      `${printable(file)} was changed since it was edited`,
      {
        hint: `keep what you wrote into ${printable(file)} since, as a version constraint: --force puts the old file back, and that is lost`,
      },
    );
  }
  const text =
    backup === null ? null : readBackup(join(folder, backup), first.sha256).toString('utf8');
  return [{ file, text, foreign: isOurs ? undefined : now }];
}
