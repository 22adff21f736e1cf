import * as z from 'zod';

const text = z.string();
/** What belongs together: the stage (a command), and what was asked of it. */
const run = { stage: text, request: text, at: z.iso.datetime() };

const listedZone = z.object({ zone: z.string().regex(/^[0-9a-f]{32}$/), name: text });

/** Written, and flushed, before anything is done for a zone that cannot be undone. */
const startEntry = z.object({ event: z.literal('start'), ...run, ...listedZone.shape });

/** An entry of the list that is no zone of the run. */
const refusedText = z.object({
  /** Where it stands; absent where no list was given. */
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
      /** What stood in the way, one by one. */
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
/** That a zone was begun at one stage. */
export type StartEntry = z.infer<typeof startEntry>;
/** How a zone fared at one stage. */
export type ZoneEntry = z.infer<typeof zoneEntry>;
/** How a zone stands at one stage; `waiting`: a run listed it, and none has done it. */
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
