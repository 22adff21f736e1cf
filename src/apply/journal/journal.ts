import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { MigrationError, writing } from '../../core/migration-error';
import { parseJson } from '../../core/json';
import { printable } from '../../core/printable';
import { makeFolders } from '../../files/write-files';
import { BACKUP_FOLDER, isBackupFile } from '../../files/backups';

const entry = z.discriminatedUnion('event', [
  z.object({ event: z.literal('begin'), digest: z.string() }),
  z.object({
    event: z.literal('backup'),
    state: z.string(),
    file: z.string().refine(isBackupFile),
    sha256: z.string(),
    lineage: z.string(),
    serial: z.int(),
  }),
  // resources that applying a saved plan refreshes in the state
  z.object({
    event: z.literal('drifted'),
    state: z.string(),
    addresses: z.array(z.string()).readonly(),
  }),
  // written before the edit; `backup` is the copy of the original file
  z.object({
    event: z.literal('file'),
    file: z.string(),
    sha256: z.string().nullable(),
    sha256After: z.string(),
    backup: z.string().nullable(),
  }),
  z.object({ event: z.literal('start'), step: z.string() }),
  z.object({ event: z.literal('done'), step: z.string() }),
  // every step is done, including those of the user and of earlier runs
  z.object({ event: z.literal('end') }),
  // a rollback is about to restore states and files
  z.object({ event: z.literal('rollback') }),
  // its rollback is complete, including the steps to undo by hand
  z.object({ event: z.literal('undone') }),
]);

/** A line of the journal: a step about to run, or something done. */
export type JournalEntry = z.infer<typeof entry>;

/** An append-only record of the runs of one plan, flushed to disk after each line. */
export interface Journal {
  readonly path: string;
  readonly entries: readonly JournalEntry[];
  append(line: JournalEntry): void;
}

/**
 * Opens or creates the journal of a plan. Skips an incomplete last line (power loss during the write), because
 * nothing was done after it.
 *
 * @throws MigrationError `JOURNAL_INVALID` if a line is not from a journal; `FILE_UNWRITABLE`
 */
export function openJournal(path: string): Journal {
  const text = textOfJournal(path);
  const entries = parseEntries(text, path);
  // starts a new line after an incomplete one
  let prefix = text === '' || text.endsWith('\n') ? '' : '\n';
  return {
    path,
    entries,
    append(line) {
      const text = `${prefix}${JSON.stringify(line)}\n`;
      prefix = '\n';
      writeFlushed(path, text, entries.length === 0);
      prefix = '';
      entries.push(line);
    },
  };
}

function parseEntries(text: string, path: string): JournalEntry[] {
  const lines = text.split('\n');
  const complete = lines.slice(0, -1);
  return complete.flatMap((line, index): JournalEntry[] => {
    if (line === '') return [];
    const parsed = entry.safeParse(parseJson(line));
    if (parsed.success) return [parsed.data];
    // an incomplete line: the next run started a new line
    if (parseJson(line) === undefined) return [];
    throw new MigrationError(
      'JOURNAL_INVALID',
      `line ${index + 1} of ${printable(path)} does not belong to a journal`,
    );
  });
}

/** Returns an empty text if the file is missing. Refuses links, which point elsewhere, and pipes, which block. */
function textOfJournal(path: string): string {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return '';
    if (!stats.isFile()) throw new Error('it exists, and is not a regular file');
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new MigrationError('JOURNAL_INVALID', `cannot read ${printable(path)}`, { cause });
  }
}

/** @param isFirst whether to create the journal; otherwise it must exist, because no run can use one without its begin */
function writeFlushed(path: string, text: string, isFirst: boolean): void {
  const append = constants.O_WRONLY | constants.O_APPEND;
  writing(`cannot write the journal ${printable(path)}`, () => {
    if (isFirst) makeFolders(dirname(path), 0o700);
    const file = openSync(path, isFirst ? append | constants.O_CREAT : append, 0o600);
    try {
      // unlike `writeSync`, it repeats a write of which a nearly full disk accepts some of the bytes
      writeFileSync(file, Buffer.from(text));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
}

/**
 * Lists the journals in a folder of plans, the last modified first.
 * @returns absolute paths if `folder` is absolute
 */
export function listJournals(
  folder: string,
  which: 'journal' | 'rolled-back' = 'journal',
): string[] {
  const backups = join(folder, BACKUP_FOLDER);
  if (statSync(backups, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(backups)
    .filter((name) => name.endsWith(`.${which}.jsonl`))
    .map((name) => join(backups, name))
    .map((path) => ({ path, changed: lstatSync(path).mtimeMs }))
    .sort((one, other) => other.changed - one.changed)
    .map(({ path }) => path);
}

/** Path of the journal of a plan, relative to the folder of the plan. */
export function journalPath(digest: string): string {
  return `${BACKUP_FOLDER}/${digest.slice(0, 12)}.journal.jsonl`;
}

/** Path of the copy of a file with this sha256, relative to the folder of the plan. */
export function fileCopyPath(digest: string): string {
  return `${BACKUP_FOLDER}/files/${digest}`;
}

/** Path of the copy of the plan, beside its journal. */
export function planCopyPath(journal: string): string {
  return journal.replace(/\.(journal|rolled-back)\.jsonl$/, '') + '.plan.json';
}

/** Path of a journal after its rollback: `apply` does not find it there. */
function archivePath(journal: string): string {
  return journal.replace(/\.journal\.jsonl$/, '.rolled-back.jsonl');
}

/** Renames the journal of a rolled-back run. @throws MigrationError `FILE_UNWRITABLE` */
export function archiveJournal(path: string): void {
  writing(`cannot rename the journal ${printable(path)}`, () => {
    renameSync(path, archivePath(path));
  });
}

/** Whether a path is that of a journal after its rollback. */
export function isArchive(journal: string): boolean {
  return journal === archivePath(journal);
}

/** Whether the run of a journal was rolled back, and no run began since. */
export function isRolledBack(journal: string): boolean {
  return existsSync(archivePath(journal)) && !existsSync(journal);
}

/** Path of a journal, or of its archive after a rollback. */
export function currentPath(journal: string): string {
  return isRolledBack(journal) ? archivePath(journal) : journal;
}

/** The last line of a journal; undefined if the run did not begin. */
export function lastEvent(journal: string): JournalEntry['event'] | undefined {
  return openJournal(journal).entries.at(-1)?.event;
}

/** Whether a run began, and a step of its plan remains. */
export function isUnfinished(journal: string): boolean {
  const last = lastEvent(journal);
  return last !== undefined && last !== 'end';
}

export function isStarted(step: string, { entries }: Pick<Journal, 'entries'>): boolean {
  return entries.some((one) => one.event === 'start' && one.step === step);
}

/** The ids of the steps that are done, and that no rollback has undone since. */
export function doneSteps(entries: readonly JournalEntry[]): string[] {
  const last = entries.findLastIndex(({ event }) => event === 'rollback');
  return entries.slice(last + 1).flatMap((one) => (one.event === 'done' ? one.step : []));
}

export function backupOf(
  state: string,
  entries: readonly JournalEntry[],
): Extract<JournalEntry, { event: 'backup' }> | undefined {
  return entries.filter((one) => one.event === 'backup').find((one) => one.state === state);
}
