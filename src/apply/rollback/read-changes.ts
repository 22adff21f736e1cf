import { join } from 'node:path';
import { fileDigest } from '../../tfconfig/config-source';
import { groupBy, mapConcurrently } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { linkOf } from '../../files/write-files';
import { type Plan } from '../../plan/plan-schema';
import { type TerraformSettings } from '../../terraform/run-terraform';
import { PULLS_AT_ONCE } from '../../terraform/subcommands';
import { fileCopyPath, isArchive, type JournalEntry, openJournal } from '../journal/journal';
import { pullState } from '../live-state';
import { requirePlaces } from '../preflight/require-places';
import { inspectEdited } from '../steps/edit';
import { refuseLaterRuns } from './other-runs';
import {
  readBackup,
  requireAsBefore,
  type RestoreSource,
  stateToRestore,
  type StateToRestore,
} from './state-to-restore';

/** A file of the configuration, and how a rollback restores it. */
interface FileToRestore {
  /** Relative to the folder of the plan. */
  readonly file: string;
  /** Its bytes before the first edit; null if the plan created the file. */
  readonly text: Buffer | null;
  /** Its current bytes, if another process changed it since. */
  readonly foreign: Buffer | undefined;
}

export interface Changes {
  /** Each edited file that differs from before the plan. */
  readonly files: readonly FileToRestore[];
  readonly states: readonly StateToRestore[];
  /** All files that the plan began to edit. */
  readonly edited: readonly string[];
}

/**
 * Reads what differs from before the plan. Here a rollback refuses all that it refuses, before its first write: a journal
 * of another plan, another workspace, a later run that is not rolled back, states and files that other processes changed,
 * and states without a backup from before.
 * @throws MigrationError `JOURNAL_INVALID`, `PLACE_CHANGED`, `STATE_CHANGED`, `BACKUP_INVALID`, `CONFIG_CHANGED`,
 *   `PLAN_INVALID`
 */
export async function readChanges(
  request: Pick<RestoreSource, 'plan' | 'folder' | 'force'> & {
    readonly journal: string;
    readonly terraform: TerraformSettings;
  },
): Promise<Changes> {
  const { journal, plan, folder, terraform } = request;
  const { entries } = openJournal(journal);
  const [first] = entries;
  if (first?.event !== 'begin' || first.digest !== plan.digest) {
    throw new MigrationError(
      'JOURNAL_INVALID',
      `${printable(journal)} is not a journal of this plan`,
    );
  }
  requirePlaces(plan, folder, terraform.environment);
  await refuseLaterRuns(journal, plan, folder);
  const source = { ...request, entries, isRepeated: isArchive(journal) };
  const states = await mapConcurrently(plan.states, PULLS_AT_ONCE, async (state) =>
    stateToRestore(state, await pullState(state, request), source),
  ).catch((error: unknown) => {
    throw withRefusedFiles(error, source);
  });
  const files = filesToRestore(source);
  requireAsBefore(states, plan);
  const edited = entries.flatMap((entry) => (entry.event === 'file' ? entry.file : []));
  return { files, states, edited };
}

type FileEntry = Extract<JournalEntry, { event: 'file' }>;

function filesToRestore(source: RestoreSource): FileToRestore[] {
  const { plan, entries } = source;
  const edits = entries.filter((one): one is FileEntry => one.event === 'file');
  for (const edit of edits) requireOfPlan(edit, plan);
  const files = [...groupBy(edits, ({ file }) => file).values()];
  return files.flatMap((same) => fileToRestore(same, source));
}

/** Adds to the refusal of a state that of the files, because `--force` overrides both. */
function withRefusedFiles(error: unknown, source: RestoreSource): unknown {
  try {
    filesToRestore(source);
  } catch (also) {
    if (!(error instanceof MigrationError && also instanceof MigrationError)) return error;
    const hint = `${error.hint}; ${also.hint}`;
    return new MigrationError(error.code, `${error.message}; ${also.message}`, { hint });
  }
  return error;
}

/**
 * Checks that a journal line names a file of the plan and the copy that `apply` makes, because any process can
 * edit a journal.
 */
function requireOfPlan({ file, sha256, sha256After, backup }: FileEntry, { steps }: Plan): void {
  const isPlanned = steps.some(({ edits = [] }) =>
    edits.some(
      (edit) => edit.file === file && edit.sha256 === sha256 && edit.sha256After === sha256After,
    ),
  );
  if (isPlanned && backup === (sha256 === null ? null : fileCopyPath(sha256))) return;
  throw new MigrationError(
    'JOURNAL_INVALID',
    `the journal has a line about ${printable(file)} that \`apply\` does not write for this plan`,
  );
}

function fileToRestore(
  edits: readonly [FileEntry, ...FileEntry[]],
  { folder, force, isRepeated }: RestoreSource,
): FileToRestore[] {
  const [first] = edits;
  const { file, backup } = first;
  const target = inspectEdited(file, folder);
  const now = target.present?.bytes;
  const digest = fileDigest(now);
  if (digest === first.sha256) return [];
  const isOurs = edits.some((one) => digest === one.sha256After || digest === one.sha256);
  if (!isOurs && !force) {
    if (isRepeated) return [];
    const link = linkOf(target, join(folder, file));
    throw new MigrationError(
      'CONFIG_CHANGED',
      `${printable(file)} changed after the plan edited it${link && `${link} now`}`,
      {
        hint: `pass --force to restore ${printable(file)} from before the plan; the present file is kept in the backup folder, so that you can copy your changes from it. If you changed only what a step or hint named, such as a version constraint, or a ruleset that \`generate\` wrote again, there is nothing to copy`,
      },
    );
  }
  const text = backup === null ? null : readBackup(join(folder, backup), first.sha256);
  return [{ file, text, foreign: isOurs ? undefined : now }];
}
