import { closeSync, existsSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { type Finding } from '../core/finding';
import { objectOf, parseJson } from '../core/json';
import { MigrationError, writing } from '../core/migration-error';
import { WORDS_OF_ONE_COMMAND } from '../core/posix-quote';
import { printable } from '../core/printable';
import { readRegularFile } from '../files/read-files';
import { makeFolders } from '../files/write-files';
import { type RefusedEntry } from './resolve-zones';

/** An append-only record on disk of what was done for each zone, in JSON lines. */
export interface Ledger {
  /** The lines of the file, including those appended since it was opened. */
  readonly entries: readonly LedgerEntry[];
  /**
   * Appends lines with one write.
   * @param flush waits until the lines are on disk, for steps that cannot be undone
   */
  append(entries: readonly LedgerEntry[], flush?: boolean): void;
  close(): void;
}

/**
 * Opens or creates a ledger. It writes related lines at once, so that two runs cannot mix them and a killed process
 * loses none. Only lines about irreversible steps are flushed, because other steps can run again after a power loss.
 *
 * @throws MigrationError `LEDGER_INVALID`, `FILE_UNWRITABLE`
 */
export function openLedger(path: string): Ledger {
  const before = existsSync(path) ? textOfLedger(path) : '';
  const entries = parseLedger(before, path);
  const unwritable = `cannot write the ledger ${printable(path)}`;
  const file = writing(unwritable, () => {
    makeFolders(dirname(path), 0o700);
    return openSync(path, 'a', 0o600);
  });
  // starts a new line after an incomplete one
  let prefix = before === '' || before.endsWith('\n') ? '' : '\n';
  return {
    entries,
    append(added, flush = false) {
      const text = added.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      const lines = Buffer.from(`${prefix}${text}`);
      writing(unwritable, () => {
        const isWhole = writeSync(file, lines) === lines.length;
        // after an incomplete line, the next append starts a new one
        prefix = isWhole ? '' : '\n';
        if (!isWhole) throw new Error('the disk is full');
        if (flush) fsyncSync(file);
      });
      entries.push(...added);
    },
    close() {
      closeSync(file);
    },
  };
}

/**
 * Reads a ledger without changing it.
 * @throws MigrationError `LEDGER_INVALID`, also if the file is missing
 */
export function readLedger(path: string): readonly LedgerEntry[] {
  if (!existsSync(path)) {
    throw new MigrationError('LEDGER_INVALID', `there is no ledger ${printable(path)}`, {
      hint: 'pass the ledger of an earlier run with --ledger; a command for many zones writes one',
    });
  }
  return parseLedger(textOfLedger(path), path);
}

function textOfLedger(path: string): string {
  try {
    return readRegularFile(path, Infinity).toString('utf8');
  } catch (cause) {
    throw new MigrationError('LEDGER_INVALID', `cannot read ${printable(path)}`, { cause });
  }
}

/**
 * Parses a ledger. Skips incomplete lines of killed runs, so that their zones are done again.
 * @throws MigrationError `LEDGER_INVALID` for a line that is not from a ledger
 */
function parseLedger(text: string, path: string): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const parsed = parseJson(line);
    const entry = ledgerEntry.safeParse(parsed);
    const isOfLedger = entries.length > 0 || line.startsWith('{"event":');
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

const text = z.string();
/** Identifies entries of the same run: its stage (a command) and its options. */
const run = { stage: text, request: text, at: z.iso.datetime() };

const listedZone = z.object({ zone: z.string().regex(/^[0-9a-f]{32}$/), name: text });

/** Written before the work for a zone, and flushed before an irreversible step. */
const startEntry = z.object({ event: z.literal('start'), ...run, ...listedZone.shape });

/** Blockers and other findings of an error; absent if it has none. */
const findings = z.array(z.record(text, z.union([text, z.array(text).readonly()]))).optional();

export const recordedFindings = (found: readonly Finding[]) =>
  found.length > 0 && { findings: found.map((one) => ({ ...one })) };

/** An entry of the list that is not a zone of the run. */
const refusedText = z.object({
  /** The line in the list; absent without a list. */
  line: z.int().optional(),
  text,
  error: z.object({ code: text, message: text, hint: text, findings }),
});

export function describeRefused({ line, text, error }: RefusedEntry): RefusedText {
  const { code, message, hint, findings } = error;
  return { line, text, error: { code, message, hint, ...recordedFindings(findings) } };
}

const zoneEntry = z.object({
  event: z.literal('zone'),
  ...run,
  ...listedZone.shape,
  /** `attention`: done, but differences, decisions or manual steps remain. */
  outcome: z.enum(['done', 'attention', 'failed']),
  line: text,
  /** The JSON of the command, unless it failed: {@link readResult} reads it. */
  result: z.unknown().optional(),
  error: z
    .object({ code: text, message: text, hint: text, causes: z.array(text), findings })
    .optional(),
});

const ledgerEntry = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('begin'),
    ...run,
    /** The arguments of the command line, for a shell. It is printed to be copied, so it must be one command. */
    command: text.regex(WORDS_OF_ONE_COMMAND).optional().catch(undefined),
    /** The file or the account that lists the zones, as the user named it. */
    list: text.optional(),
    /** All zones of the run, including those that it did not start. */
    zones: z.array(listedZone),
    /** The refused entries of the list; absent if there are none. */
    refused: z.array(refusedText).optional(),
  }),
  startEntry,
  zoneEntry,
  /** `open`: how many zones the next run does again; a run without any is not resumed. */
  z.object({ event: z.literal('end'), ...run, open: z.int() }),
]);

// a default before the `catch`: an error for each missing field takes most of the time of a large ledger
const word = text.default('').catch('');
const flag = z.boolean().default(false).catch(false);
const list = z.array(z.unknown()).default([]).catch([]);

const finding = z.object({
  code: text,
  subject: text,
  message: word,
  remedy: word,
  severity: z.enum(['blocker', 'decision', 'info']).catch('info'),
});

/** What other runs read in the JSON of a command. A field of another type counts as absent. */
const resultFields = z.object({
  plan: word,
  digest: word,
  /** Codes of open findings, separated by commas. */
  codes: word,
  ready: flag,
  isBlocked: flag,
  moved: flag,
  /** Whether a plan no longer fits. */
  outdated: flag,
  migrationState: word,
  source: word,
  files: z.array(text).default([]).catch([]),
  byHand: z.array(text).default([]).catch([]),
  changes: list,
  manual: z.object({ id: text, title: text }).optional().catch(undefined),
  summary: z.object({ lost: z.number() }).default({ lost: 0 }).catch({ lost: 0 }),
  findings: list.transform(readFindings),
});

export type ResultFields = z.infer<typeof resultFields>;

/** The known fields of a result; all are empty if there is none. */
export const readResult = (entry?: Pick<ZoneEntry, 'result'>): ResultFields =>
  resultFields.parse(objectOf(entry?.result));

/** Whether `apply` comes after a rehearsal: it leads to the step of the user that the rehearsal cannot pass. */
export const leadsToApply = ({ changes, ready }: Pick<ResultFields, 'changes' | 'ready'>) =>
  changes.length === 0 || ready;

/** The findings of a result, or of an error. */
export function readFindings(recorded: readonly unknown[]): Finding[] {
  return recorded.flatMap((one) => finding.safeParse(one).data ?? []);
}

export type LedgerEntry = z.infer<typeof ledgerEntry>;
export type RefusedText = z.infer<typeof refusedText>;
export type BeginEntry = Extract<LedgerEntry, { readonly event: 'begin' }>;
export type ZoneEntry = z.infer<typeof zoneEntry>;
/** The outcome of a zone at one stage. `waiting`: not started. `unknown`: started, but no result was recorded. */
export type ZoneOutcomeKind = ZoneEntry['outcome'] | 'waiting' | 'unknown';

interface StageFacts {
  /** Whether an interrupted run is resumed; other stages read again, to be current. */
  readonly resumes?: true;
  /** Whether it only reads a zone. */
  readonly reads?: true;
  /** Whether it succeeds only if the new WAF is on. */
  readonly showsNew?: true;
}

/** The commands for many zones, in the order of the migration. */
const stages = {
  check: { reads: true },
  'fetch-config': { reads: true },
  report: { reads: true },
  generate: { resumes: true },
  // a migrated zone can have lost its rules since
  finish: { showsNew: true },
  plan: {},
  rehearse: { resumes: true },
  apply: { resumes: true, showsNew: true },
  verify: { showsNew: true },
} as const satisfies Readonly<Record<string, StageFacts>>;

export type Stage = keyof typeof stages;

/** By name: a ledger can have the stages of another version. */
export const STAGES: ReadonlyMap<string, StageFacts> = new Map(Object.entries(stages));

/** Runs with the same stage and the same options are runs of one command. */
type SameRun = Pick<LedgerEntry, 'stage' | 'request'>;

/**
 * Returns the zones that an incomplete earlier run of the same command has done. A complete run is not resumed,
 * because its results may be out of date. Pure.
 * @param onlyDone whether zones that need attention are done again
 */
export function doneEarlier(
  entries: readonly LedgerEntry[],
  run: SameRun & { readonly onlyDone?: boolean },
): ReadonlyMap<string, ZoneEntry> {
  const { stage, request, onlyDone = false } = run;
  if (STAGES.get(stage)?.resumes !== true) return new Map();
  const ofCommand = entries.filter((one) => one.stage === stage && one.request === request);
  const complete = ofCommand.findLastIndex((one) => one.event === 'end' && one.open === 0);
  const counted = onlyDone ? ['done'] : ['done', 'attention'];
  const done = new Map<string, ZoneEntry>();
  for (const entry of ofCommand.slice(complete + 1)) {
    // a start makes the earlier result out of date
    if ('zone' in entry) done.delete(entry.zone);
    if (entry.event === 'zone' && counted.includes(entry.outcome)) done.set(entry.zone, entry);
  }
  return done;
}

export type StageRefusal = RefusedText & Pick<BeginEntry, 'stage'>;

/**
 * Returns the refused entries of the last run of each stage and list. Leaves out zones that a later run of the stage took,
 * and entries without a zone that the last run of the list does not have. Pure.
 */
export function refusedEntries(entries: readonly LedgerEntry[]): StageRefusal[] {
  const begins = entries.filter((entry) => entry.event === 'begin');
  const last = new Map(begins.map((one) => [JSON.stringify([one.stage, one.list]), one]));
  const newest = new Map(begins.map((one) => [one.list, one.refused?.map(({ text }) => text)]));
  return [...last.values()].flatMap((run) => {
    const { stage, list: name, refused = [] } = run;
    if (refused.length === 0) return [];
    const later = begins.slice(begins.indexOf(run) + 1).filter((one) => one.stage === stage);
    const taken = new Set(later.flatMap(({ zones }) => zones.flatMap(textsOfZone)));
    const isOpen = ({ text: entry, error }: RefusedText): boolean =>
      !taken.has(entry) &&
      (!NO_ZONE.includes(error.code) || newest.get(name)?.includes(entry) === true);
    return refused.filter(isOpen).map((one) => ({ stage, ...one }));
  });
}

/** Why an entry is no zone. */
const NO_ZONE = ['ZONE_NOT_REACHED', 'ZONE_AMBIGUOUS', 'ZONE_CONTRADICTED'];

const textsOfZone = ({ zone, name }: z.infer<typeof listedZone>): string[] => [zone, name];
