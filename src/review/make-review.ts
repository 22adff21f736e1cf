import { rmSync } from 'node:fs';
import { appendFile, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import process from 'node:process';
import { glob } from 'tinyglobby';
import * as z from 'zod';
import { type Client } from '../cloudflare/client';
import { readEntryPoint } from '../cloudflare/rulesets';
import { readSecurityEvents, type TimeSpan } from '../cloudflare/security-events';
import { type Finding, isOpenFinding } from '../core/finding';
import { describeIssues, parseJson, textOf } from '../core/json';
import { attempt, MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Ruleset } from '../core/ruleset';
import { readJsonFile } from '../files/read-files';
import { type FileToWrite, writeFiles } from '../files/write-files';
import { readSavedRuleset } from '../generate/read-source';
import { withTemporaryFolder } from '../terraform/temporary-folder';
import { compareRows, type Comparison } from './comparison';
import {
  comparisonFindings,
  countIntake,
  earlierEvents,
  findNotCompared,
  type Intake,
  intakeFindings,
  tagUnresolved,
} from './findings';
import { intendedActions, readZoneConfig, readZoneRules, ruleNamer } from './managed-rules';
import { type Proposal, propose } from './proposal';
import {
  AS_LOGGED,
  comparisonQuery,
  type Intended,
  type SqlEngine,
} from './query/comparison-query';
import { compareFiles } from './query/duckdb';
import {
  classesSchema,
  type Outcome,
  OUTCOMES,
  type ResultRow,
  resultRowSchema,
} from './query/events';

/** What is compared: files of events, the events of a zone, or a result table that another engine made. */
export interface ReviewOrder {
  /** Files, folders, patterns, or `-`. */
  readonly events?: readonly string[] | undefined;
  readonly cwd: string;
  readonly readStdin: () => AsyncIterable<Uint8Array>;
  /** File of a result table. */
  readonly result?: string | undefined;
  /** File of a saved answer or a proposal: the configuration to validate. */
  readonly config?: string | undefined;
  /** File of an earlier review. */
  readonly baseline?: string | undefined;
  /** File for the proposal, which replaces another one only with `force`. */
  readonly propose?: string | undefined;
  readonly force?: boolean | undefined;
  /** The Cloudflare API, if the zone is read; with a span, its events as well. */
  readonly service?: ZoneAccess;
}

interface ZoneAccess {
  readonly client: Client;
  readonly zoneId: string;
  readonly span?: TimeSpan;
}

/** The comparison of both WAFs in security events: the command's JSON. */
export interface Review extends Comparison {
  readonly format: 'cf-waf-migrate/review';
  readonly formatVersion: 1;
  /** Undefined if a result table was read. */
  readonly intake?: Intake | undefined;
  readonly findings: readonly Finding[];
  readonly proposal?: Proposal;
  readonly effect?: Effect | undefined;
}

/** A count before and after. The shares stay comparable if the traffic differs. */
interface Moved {
  readonly before: number;
  readonly after: number;
  readonly shareBefore: number;
  readonly shareAfter: number;
}

export interface Effect {
  readonly classes: Readonly<Partial<Record<Outcome, Moved>>>;
  /** The newly blocked requests that the baseline promised, as shares; present if it has a proposal. */
  readonly promise?: {
    readonly promised: number;
    readonly actual: number;
    /** Null if unknown: undecidable requests could exceed it, or requests were not compared. */
    readonly kept: boolean | null;
  };
}

/**
 * Whether something would change for a visitor, or a finding needs a decision. A request that is only logged is no
 * change.
 */
export function needsDecision({ impact, classes, findings }: Review): boolean {
  const ended = impact['newly-blocked'].requests + impact['no-longer-blocked'].requests;
  const changes = ended + classes.stricter + classes.laxer;
  return changes > 0 || findings.some(isOpenFinding);
}

/** Makes a review, and writes its proposal. */
export async function makeReview(order: ReviewOrder): Promise<Review> {
  const { cwd, service, result } = order;
  const [zoneRules, config, baseline] = await Promise.all([
    service === undefined ? [] : readZoneRules(service.client, service.zoneId),
    order.config === undefined
      ? service && readZoneConfig(service.client, service.zoneId)
      : readConfig(order.config, cwd),
    order.baseline === undefined ? undefined : readBaseline(resolve(cwd, order.baseline)),
  ]);
  if (order.propose !== undefined && config === undefined) {
    throw new MigrationError('PROPOSAL_IMPOSSIBLE', 'there is no configuration to change');
  }
  const meant = config && intendedActions(config.rules, zoneRules);
  const { rows, intake, findings } =
    result === undefined
      ? await compareEvents(order, meant?.intended ?? AS_LOGGED)
      : { rows: await readResult(result, cwd), intake: undefined, findings: [] };
  const comparison = compareRows(rows, ruleNamer(zoneRules));
  // a printed query already contains how a log counts
  const hasConfig = result !== undefined || meant !== undefined;
  const review: Review = {
    format: 'cf-waf-migrate/review',
    formatVersion: 1,
    intake,
    ...comparison,
    findings: [
      ...findings,
      ...(meant?.unresolvedTags ?? []).map(tagUnresolved),
      ...comparisonFindings(comparison, rows, hasConfig),
    ],
  };
  const effect = baseline && effectSince(baseline, review);
  if (order.propose === undefined || config === undefined) return { ...review, effect };
  const { proposal, text } = propose(review, config, zoneRules);
  writeProposal({ path: resolve(cwd, order.propose), text }, order.force);
  return { ...review, effect, proposal };
}

function writeProposal(file: FileToWrite, force = false): void {
  try {
    writeFiles([file], { force });
  } catch (error) {
    const exists = error instanceof MigrationError && error.code === 'FILE_EXISTS';
    throw exists ? error.withHint('pass --force to overwrite it, or another --propose') : error;
  }
}

/**
 * The comparison as one query for another engine, of the table `firewall_events` with the columns of
 * the log export.
 */
export async function printComparison(
  engine: SqlEngine,
  { config: file, cwd }: Pick<ReviewOrder, 'config' | 'cwd'>,
): Promise<string> {
  const config = file === undefined ? undefined : await readConfig(file, cwd);
  return comparisonQuery(engine, {
    table: 'firewall_events',
    // the log export is not sampled
    sampled: 'FALSE',
    intended: config ? intendedActions(config.rules, []).intended : AS_LOGGED,
  });
}

const readConfig = async (file: string, cwd: string): Promise<Ruleset> =>
  (await readSavedRuleset(resolve(cwd, file), 'auto')).ruleset;

async function compareEvents(order: ReviewOrder, intended: Intended) {
  return withTemporaryFolder('cf-waf-migrate-review-', {}, async (folder) => {
    // a process that the user stops waits for no comparison
    const remove = (): void => {
      attempt(() => {
        rmSync(folder, { recursive: true, force: true });
      });
    };
    process.on('exit', remove);
    return compareIn(await realpath(folder), order, intended).finally(() => {
      process.off('exit', remove);
    });
  });
}

async function compareIn(folder: string, order: ReviewOrder, intended: Intended) {
  const { events = [], cwd, readStdin, service } = order;
  const paths = await findEventFiles(events, cwd);
  if (events.includes(STANDARD_INPUT)) {
    const path = join(folder, 'standard-input');
    await writeFile(path, readStdin(), { mode: 0o600 });
    paths.push(path);
  }
  const notes: Finding[] = [];
  if (service?.span !== undefined) {
    const path = join(folder, 'fetched');
    const span = await sinceLastChange(service, service.span);
    if (span !== service.span) notes.push(earlierEvents(span.from));
    await fetchEvents(service, span, path);
    paths.push(path);
  }
  const { rows, files } = await compareFiles(paths, { folder, intended });
  const intake = countIntake(rows, service?.span === undefined ? files : 0);
  return { rows, intake, findings: [...notes, ...intakeFindings(intake)] };
}

const STANDARD_INPUT = '-';

/**
 * Finds the files of events. A name is that of a file, of a folder, whose visible files are all read, or otherwise a glob
 * pattern. They are sorted by name, and each file is returned once.
 */
async function findEventFiles(names: readonly string[], cwd: string): Promise<string[]> {
  const found = new Set<string>();
  for (const name of names) {
    if (name === STANDARD_INPUT) continue;
    const files = await filesOf(name, cwd);
    if (files.length === 0) {
      throw new MigrationError('EVENTS_MISSING', `no file of events at ${printable(name, 300)}`);
    }
    for (const file of files.sort()) found.add(await realpath(file).catch(() => file));
  }
  return [...found];
}

async function filesOf(name: string, cwd: string): Promise<string[]> {
  const path = resolve(cwd, name);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isDirectory()) return glob('**/*', { cwd: path, absolute: true });
  if (kind?.isFile()) return [path];
  if (kind !== undefined) {
    // it cannot be read twice: its first event would be lost
    const message = `${printable(name, 300)} is not a file`;
    throw new MigrationError('EVENTS_INVALID', message, {
      hint: 'pipe the events to the command, and pass --events -',
    });
  }
  return glob(name.replaceAll(sep, '/'), { cwd, absolute: true });
}

/** Without the time before the last change of the new WAF. Cloudflare sets its time and those of events. */
async function sinceLastChange({ client, zoneId }: ZoneAccess, span: TimeSpan): Promise<TimeSpan> {
  const entryPoint = await readEntryPoint(client, zoneId);
  const changed = Date.parse(textOf(entryPoint?.['last_updated']));
  return changed > span.from ? { ...span, from: changed } : span;
}

async function fetchEvents(
  { client, zoneId }: ZoneAccess,
  span: TimeSpan,
  path: string,
): Promise<void> {
  let count = 0;
  for await (const events of readSecurityEvents(client, zoneId, span)) {
    count += events.length;
    const lines = events.map((event) => `${JSON.stringify(event)}\n`);
    await appendFile(path, lines.join(''), { mode: 0o600 });
  }
  if (count > 0) return;
  const [from, until] = [span.from, span.until].map((time) => new Date(time).toISOString());
  const message = `zone ${zoneId} has no security event from ${String(from)} to ${String(until)}`;
  throw new MigrationError('EVENTS_MISSING', message, {
    hint: 'wait until a WAF has handled requests, or pass a longer time with --since; both WAFs log only in validation mode, and events before the last change of the new WAF are not counted',
  });
}

async function readResult(file: string, cwd: string): Promise<ResultRow[]> {
  const about = printable(file, 200);
  const text = await readFile(resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${about}`, { cause });
  });
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((line, index) => {
    const parsed = resultRowSchema.safeParse(parseJson(line));
    if (parsed.success) return parsed.data;
    const message = `${about}: line ${index + 1} is not a row of the result: ${describeIssues(parsed.error)}`;
    throw new MigrationError('REVIEW_RESULT_INVALID', message);
  });
  if (rows.some(({ section }) => section === 'event')) return rows;
  throw new MigrationError('REVIEW_RESULT_INVALID', `${about} has no rows`);
}

const count = z.number().nonnegative();
const baselineSchema = z.object({
  format: z.literal('cf-waf-migrate/review'),
  formatVersion: z.literal(1),
  requests: count,
  classes: classesSchema,
  proposal: z
    .object({ promise: z.object({ newlyBlocked: z.object({ before: count, after: count }) }) })
    .optional(),
});

/** An earlier review, as `review --json` printed it. */
type Baseline = z.infer<typeof baselineSchema>;

async function readBaseline(path: string): Promise<Baseline> {
  const parsed = baselineSchema.safeParse(await readJsonFile(path));
  if (parsed.success) return parsed.data;
  const where = printable(describeIssues(parsed.error), 300);
  throw new MigrationError('REVIEW_BASELINE_INVALID', `the baseline is not a review: ${where}`);
}

function effectSince({ requests, classes, proposal }: Baseline, review: Review): Effect {
  const then = (part: number): number => part / Math.max(requests, 1);
  const now = (part: number): number => part / Math.max(review.requests, 1);
  const moved: Partial<Record<Outcome, Moved>> = {};
  for (const outcome of OUTCOMES) {
    const [before, after] = [classes[outcome], review.classes[outcome]];
    if (before === 0 && after === 0) continue;
    moved[outcome] = { before, after, shareBefore: then(before), shareAfter: now(after) };
  }
  if (proposal === undefined) return { classes: moved };
  const promised = then(proposal.promise.newlyBlocked.after);
  const { requests: blocked } = review.impact['newly-blocked'];
  const actual = now(blocked);
  const isKept = now(blocked + review.undecidable) <= promised && !findNotCompared(review.findings);
  const kept = actual <= promised && (isKept || null);
  return { classes: moved, promise: { promised, actual, kept } };
}
