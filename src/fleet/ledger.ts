import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { refuseDevice } from '../files/read-json-file';
import { makeFolders } from '../files/write-files';

/** An append-only record on disk of what was done for which zone: one JSON line each. */
export interface Ledger {
  readonly path: string;
  /** Its lines when it was opened, and those appended since. */
  readonly entries: readonly LedgerEntry[];
  /**
   * Appends lines that belong together, in one piece.
   * @param how `flush`: wait until the disk has them, as for what cannot be done twice
   */
  append(entries: readonly LedgerEntry[], how?: { readonly flush: boolean }): void;
  close(): void;
}

/**
 * Opens a ledger, or begins one. Lines are appended in one piece each, so that those of two runs
 * never mix, and go to the system at once, so that a killed process loses none. Only what cannot be
 * done twice is flushed to the disk: what a machine that lost its power forgot is asked again.
 *
 * @throws MigrationError `LEDGER_INVALID`, `FILE_UNWRITABLE`
 */
export function openLedger(path: string): Ledger {
  const isPipe = attempt(path, () => statSync(path, { throwIfNoEntry: false })?.isFIFO() === true);
  if (isPipe) {
    throw new MigrationError('LEDGER_INVALID', `${printable(path)} is a pipe, not a file`);
  }
  const before = readText(path);
  const entries = parseLedger(before, path);
  const file = attempt(path, () => {
    makeFolders(dirname(path), 0o700);
    return openSync(path, 'a', 0o600);
  });
  // what follows a line that was cut begins on a line of its own
  let prefix = before === '' || before.endsWith('\n') ? '' : '\n';
  return {
    path,
    entries,
    append(added, { flush } = { flush: false }) {
      const text = added.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      const lines = Buffer.from(`${prefix}${text}`);
      const written = attempt(path, () => {
        const count = writeSync(file, lines);
        if (flush) fsyncSync(file);
        return count;
      });
      if (written < lines.length) {
        // what another zone still has to say is not lost on the line that was cut
        prefix = '\n';
        throw unwritable(path, new Error('the disk is full'));
      }
      prefix = '';
      entries.push(...added);
    },
    close() {
      closeSync(file);
    },
  };
}

/**
 * Reads a ledger without changing it.
 * @throws MigrationError `LEDGER_INVALID`, also when there is none
 */
export function readLedger(path: string): readonly LedgerEntry[] {
  if (!existsSync(path)) {
    throw new MigrationError('LEDGER_INVALID', `there is no ledger ${printable(path)}`);
  }
  return parseLedger(readText(path), path);
}

function readText(path: string): string {
  try {
    refuseDevice(path);
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (!existsSync(path)) return '';
    throw new MigrationError('LEDGER_INVALID', `cannot read ${printable(path)}`, { cause });
  }
}

function attempt<Result>(path: string, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): MigrationError {
  return new MigrationError('FILE_UNWRITABLE', `cannot write the ledger ${printable(path)}`, {
    cause,
  });
}

/**
 * Reads the lines of a ledger, without those that are cut: their run was killed while it wrote, so that their zones are
 * done again.
 * @throws MigrationError `LEDGER_INVALID` for a line of something else
 */
function parseLedger(text: string, path: string): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const parsed = parseJson(line);
    const entry = ledgerEntry.safeParse(parsed);
    const isOfLedger = entries.length > 0 || BEGIN.startsWith(line.slice(0, BEGIN.length));
    if (entry.success) entries.push(entry.data);
    else if (line.trim() !== '' && !(parsed === undefined && isOfLedger)) {
      throw new MigrationError(
        'LEDGER_INVALID',
        `line ${index + 1} of ${printable(path)} does not belong to a ledger`,
      );
    }
  }
  return entries;
}

/** How each line begins. */
const BEGIN = '{"event":';

const text = z.string();
/** What belongs together: the stage (a command), and what was asked of it. */
const run = { stage: text, request: text, at: z.iso.datetime() };

const listedZone = z.object({ zone: z.string().regex(/^[0-9a-f]{32}$/), name: text });

/** Written, and flushed, before anything is done for a zone that cannot be undone. */
const startEntry = z.object({ event: z.literal('start'), ...run, ...listedZone.shape });

/** An entry of the list that is no zone of the run. */
const refusedText = z.object({
  /** In the list; absent without a list. */
  line: z.int().optional(),
  text,
  error: z.object({ code: text, message: text, hint: text }),
});

const finding = z.object({
  code: text,
  severity: z.enum(['info', 'decision', 'blocker']),
  ...{ subject: text, message: text, remedy: text },
});

const zoneEntry = z.object({
  event: z.literal('zone'),
  ...run,
  ...listedZone.shape,
  /** `attention`: done, and differences, decisions or manual steps remain. */
  outcome: z.enum(['done', 'attention', 'failed']),
  /** One line for people. */
  line: text,
  /** The JSON of the command, unless it failed. */
  result: z.unknown().optional(),
  error: z
    .object({
      ...{ code: text, message: text, hint: text, causes: z.array(text) },
      /** The blockers. */
      findings: z.array(finding).optional(),
    })
    .optional(),
});

/** The lines of a ledger. */
export const ledgerEntry = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('begin'),
    ...run,
    resumes: z.boolean(),
    /** The command line without the name of the program. */
    command: text.optional(),
    /** All zones of the run, so that those that it did not begin are known. */
    zones: z.array(listedZone),
    /** What else was on the list; absent where there is nothing of that. */
    refused: z.array(refusedText).optional(),
  }),
  startEntry,
  zoneEntry,
  z.object({ event: z.literal('end'), ...run, failed: z.int() }),
]);

/** A line of a ledger: a run began or ended, or a zone was begun or done. */
export type LedgerEntry = z.infer<typeof ledgerEntry>;
/** An entry of a list that was refused. */
export type RefusedText = z.infer<typeof refusedText>;
/** The begin of a run, with its list. */
export type BeginEntry = Extract<LedgerEntry, { readonly event: 'begin' }>;
/** How a zone fared at one stage. */
export type ZoneEntry = z.infer<typeof zoneEntry>;
/** The outcome of a zone at one stage; `waiting`: a run listed it, and none has done it. */
export type ZoneOutcomeKind = ZoneEntry['outcome'] | 'waiting';
/** The stage and the request that entries belong to. */
type LedgerRun = Pick<LedgerEntry, 'stage' | 'request'>;

/**
 * The zones that an earlier run of the same stage and request did, when that run did not do all:
 * it was stopped, or zones failed. A run that did all is not picked up: who asks again wants to
 * know how things stand now.
 * @param onlyDone whether zones that need attention are done again
 */
export function doneEarlier(
  entries: readonly LedgerEntry[],
  { stage, request, onlyDone = false }: LedgerRun & { readonly onlyDone?: boolean },
): ReadonlyMap<string, ZoneEntry> {
  const done = new Map<string, ZoneEntry>();
  for (const entry of entries) {
    if (entry.stage !== stage || entry.request !== request) continue;
    if (entry.event === 'begin') {
      if (!entry.resumes) done.clear();
    } else if (entry.event === 'end') {
      if (entry.failed === 0) done.clear();
    } else if (entry.event === 'start') {
      // what was known of it holds no longer
      done.delete(entry.zone);
    } else if (entry.outcome === 'failed' || (onlyDone && entry.outcome === 'attention')) {
      done.delete(entry.zone);
    } else done.set(entry.zone, entry);
  }
  return done;
}
