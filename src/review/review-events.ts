import { appendFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client } from '../cloudflare/client';
import { type RateLimiter } from '../cloudflare/rate-limiter';
import { readSecurityEvents, type TimeSpan } from '../cloudflare/security-events';
import { counted, printable } from '../core/printable';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { buildReview } from './build-review';
import { comparisonFindings, intakeFindings } from './findings';
import { AS_LOGGED, type ReviewKnowledge } from './managed-rules';
import {
  compareEvents,
  eventTable,
  LONGEST_LINE_MEBIBYTES,
  openDuckDb,
  takeIn,
} from './query/duckdb';
import { EVENT_COLUMNS } from './query/events';
import { eventText, renderEventLines } from './read/event-documents';
import {
  type EventInput,
  findEventFiles,
  type Intake,
  stageFiles,
  STANDARD_INPUT,
} from './read/event-files';
import { type Review } from './review';
import { withTemporaryFolder } from '../terraform/temporary-folder';

/** Where events come from and how they are understood. */
export interface ReviewInput {
  /** Files, folders, patterns, or `-`. */
  readonly names: readonly string[];
  readonly cwd: string;
  readonly readStdin: () => Promise<Buffer>;
  /** Only events of this host and of those below it. */
  readonly zoneName?: string | undefined;
  /** Events that the service is asked for, beside the files. */
  readonly request?: EventRequest;
}

/**
 * Compares the old and the new WAF in files of security events.
 * @throws MigrationError `EVENTS_MISSING`, `EVENTS_INVALID`, `FILE_UNREADABLE`, `REVIEW_ENGINE_MISSING`
 */
export async function reviewEvents(
  input: ReviewInput,
  knowledge: ReviewKnowledge,
): Promise<Review> {
  return withTemporaryFolder('cf-waf-migrate-review-', {}, async (made) => {
    const folder = await realpath(made);
    const files = await findEventFiles(input.names, input.cwd);
    if (input.names.includes(STANDARD_INPUT)) {
      const path = join(folder, 'standard-input');
      await writeFile(path, await input.readStdin(), { mode: 0o600 });
      files.push(path);
    }
    const findings = [...knowledge.findings];
    if (input.request !== undefined) {
      const path = join(folder, 'fetched');
      const { events, overfull } = await fetchEvents(input.request, path);
      if (overfull > 0) findings.push(pagesOverfull(overfull));
      if (events > 0) files.push(path);
      else if (files.length === 0) throw noEvents(input.request);
    }
    const staged = await stageFiles(files, folder);
    return reviewFiles(staged, folder, input.zoneName, { ...knowledge, findings });
  });
}

async function reviewFiles(
  events: EventInput,
  folder: string,
  zoneName: string | undefined,
  knowledge: ReviewKnowledge,
): Promise<Review> {
  if (events.files.length === 0) {
    throw new MigrationError('EVENTS_INVALID', 'the files of events are empty');
  }
  const engine = await openDuckDb({ folder, files: events.targets });
  try {
    const table = eventTable(events.files, zoneName);
    const { intended } = knowledge;
    const rows = await compareEvents(engine, {
      table,
      present: EVENT_COLUMNS,
      intended: intended ?? AS_LOGGED,
    });
    const intake = await takeIn(engine, events, rows);
    requireEvents(intake, zoneName);
    const comparison = buildReview(rows, knowledge.nameOf);
    const findings: Finding[] = [
      ...intakeFindings(intake),
      ...knowledge.findings,
      ...comparisonFindings(comparison, { intended: intended !== undefined }),
    ];
    return { ...comparison, intake, findings };
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    if (String(error).includes('"maximum_object_size"')) {
      const message = `a line of the events is longer than ${LONGEST_LINE_MEBIBYTES} MiB`;
      throw new MigrationError('EVENTS_INVALID', message);
    }
    // what the engine says of the data; it names its own links, not the files
    throw new MigrationError('EVENTS_INVALID', 'the events cannot be read', { cause: error });
  } finally {
    engine.close();
  }
}

function noEvents({ zoneId, span }: EventRequest): MigrationError {
  const [from, to] = [span.from, span.until].map((time) => new Date(time).toISOString());
  return new MigrationError(
    'EVENTS_MISSING',
    `zone ${zoneId} has no security event from ${String(from)} to ${String(to)}`,
    { hint: 'ask for a longer time with --since; both WAFs log only in validation mode' },
  );
}

function pagesOverfull(pages: number): Finding {
  return {
    code: 'PAGES_OVERFULL',
    severity: 'decision',
    subject: 'firewallEventsAdaptive',
    message: `in ${pages} seconds there were more events than one answer takes: the rest is missing`,
    remedy: 'use the log export',
  };
}

/** Without these there is nothing to compare, and no number would be true. */
function requireEvents(
  { events, unreadable, withoutRay, unknownActions }: Intake,
  zoneName: string | undefined,
): void {
  if (events === 0 && zoneName !== undefined && unreadable === 0) {
    throw new MigrationError(
      'EVENTS_INVALID',
      `there is no event of the host ${printable(zoneName, 100)}`,
      { hint: 'pass the name of their zone with --zone-name, or the events of this one' },
    );
  }
  if (events === 0) {
    throw new MigrationError(
      'EVENTS_INVALID',
      `there is no event in ${counted(unreadable, 'line')}`,
    );
  }
  if (withoutRay === events) {
    throw new MigrationError('EVENTS_INVALID', `none of ${events} events has a RayID`, {
      hint: 'add the field RayID to the log job: requests are joined by it',
    });
  }
  if (unknownActions === events) {
    throw new MigrationError(
      'EVENTS_INVALID',
      `none of ${events} events has an Action that is known`,
    );
  }
}

/** Events of a zone to fetch. */
interface EventRequest {
  readonly client: Client;
  readonly zoneId: string;
  readonly span: TimeSpan;
  readonly limiter: RateLimiter;
}

/**
 * Fetches the events of a zone page by page into a file of lines.
 * @returns how many events there are, and how many pages were too full to be fetched whole
 * @throws MigrationError those of the client
 */
async function fetchEvents(
  request: EventRequest,
  path: string,
): Promise<{ events: number; overfull: number }> {
  const { client, zoneId, span, limiter } = request;
  let [events, overfull] = [0, 0];
  for await (const page of readSecurityEvents(client, zoneId, span, limiter)) {
    if (page.overfull) overfull += 1;
    events += page.events.length;
    await appendFile(path, renderEventLines(page.events.map(eventText)), { mode: 0o600 });
  }
  return { events, overfull };
}
