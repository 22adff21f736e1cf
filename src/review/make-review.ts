import { parse } from 'csv-parse/sync';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Client } from '../cloudflare/client';
import { type RateLimiter } from '../cloudflare/rate-limiter';
import { type TimeSpan } from '../cloudflare/security-events';
import { MigrationError } from '../core/migration-error';
import { parseJson } from '../core/json';
import { printable } from '../core/printable';
import { type Ruleset } from '../core/ruleset';
import { readJsonFile } from '../files/read-json-file';
import { writeFiles } from '../files/write-files';
import { readSavedRuleset } from '../generate/read-source';
import { effectSince, parseBaseline } from './baseline';
import { buildReview } from './build-review';
import { comparisonFindings } from './findings';
import {
  AS_LOGGED,
  intendedActions,
  knowledgeOf,
  readZoneKnowledge,
  type ReviewKnowledge,
  type ZoneRule,
} from './managed-rules';
import { type Proposal, propose } from './propose/proposal';
import { comparisonQuery } from './query/comparison-query';
import { dialects, type SqlEngine } from './query/dialect';
import { EVENT_COLUMNS } from './query/events';
import { type ResultRow, resultRowSchema } from './query/result-table';
import { type Review } from './review';
import { reviewEvents, type ReviewInput } from './review-events';
import { renderRule } from '../ruleset/parse-ruleset';
import { builtInCatalogue } from '../translate/catalogue/built-in-catalogue';
import { type Catalogue } from '../translate/catalogue/catalogue';

/** What is compared: files of events, or a result table that another engine made. */
export interface ReviewOrder extends Omit<ReviewInput, 'request'> {
  /** A saved answer or a proposal: what the zone shall have. */
  readonly configFile?: string | undefined;
  /** A result table instead of events. */
  readonly resultFile?: string | undefined;
  /** The service, where it is asked for the zone; with a span, for the events as well. */
  readonly service?: {
    readonly client: Client;
    readonly zoneId: string;
    readonly span?: TimeSpan;
    readonly limiter: RateLimiter;
  };
}

/** A review and what it stands on beside the events. */
export interface MadeReview {
  readonly review: Review;
  readonly config: Ruleset | undefined;
  readonly catalogue: Catalogue;
  readonly zoneRules: readonly ZoneRule[];
}

/**
 * Makes a review.
 * @throws MigrationError those of `reviewEvents` and `reviewResult`, of the client, and for the
 *   configuration `FILE_UNREADABLE`, `RULESET_INVALID`, `RULESET_EMPTY`
 */
export async function makeReview(order: ReviewOrder): Promise<MadeReview> {
  const { configFile, resultFile, service, cwd } = order;
  const zone =
    service === undefined ? undefined : await readZoneKnowledge(service.client, service.zoneId);
  const config =
    configFile === undefined
      ? zone?.config
      : (await readSavedRuleset(resolve(cwd, configFile), 'auto')).ruleset;
  const catalogue = builtInCatalogue();
  const zoneRules = zone?.zoneRules ?? [];
  const knowledge = knowledgeOf(catalogue, config, zoneRules);
  const request = service?.span === undefined ? undefined : { ...service, span: service.span };
  const review =
    resultFile === undefined
      ? await reviewEvents(
          {
            ...order,
            zoneName: order.zoneName ?? zone?.name,
            ...(request === undefined ? {} : { request }),
          },
          knowledge,
        )
      : await reviewResult(resolve(cwd, resultFile), knowledge);
  return { review, config, catalogue, zoneRules };
}

/**
 * Makes the review from the result table of a printed query: CSV with a header, or JSON lines.
 * @throws MigrationError `FILE_UNREADABLE`, `REVIEW_RESULT_INVALID`
 */
export async function reviewResult(path: string, knowledge: ReviewKnowledge): Promise<Review> {
  const rows = await readRows(path);
  const comparison = buildReview(rows, knowledge.nameOf);
  // what a log counts as is part of the printed query
  const findings = [...knowledge.findings, ...comparisonFindings(comparison, { intended: true })];
  return { ...comparison, findings };
}

async function readRows(path: string): Promise<ResultRow[]> {
  const about = printable(path, 200);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${about}`, { cause });
  });
  const rows = parseRows(text, about).map((row) => {
    const parsed = resultRowSchema.safeParse(row);
    if (parsed.success) return parsed.data;
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new MigrationError(
      'REVIEW_RESULT_INVALID',
      `${about}: a row has a bad value in ${place}`,
    );
  });
  if (rows.some(({ section }) => section === 'event')) return rows;
  throw new MigrationError('REVIEW_RESULT_INVALID', `${about} has no rows`);
}

function parseRows(text: string, about: string): unknown[] {
  if (text.startsWith('{')) return text.trim().split('\n').map(parseJson);
  try {
    return parse(text, { bom: true, columns: true });
  } catch (cause) {
    const message = `${about} is neither CSV nor JSON lines`;
    throw new MigrationError('REVIEW_RESULT_INVALID', message, { cause });
  }
}

/** For which engine, over which table. */
export interface ComparisonOrder {
  readonly engine: SqlEngine;
  /** `name`, `schema.name` or `catalog.schema.name`. */
  readonly table: string;
  readonly configFile?: string | undefined;
  readonly cwd: string;
}

/**
 * The comparison as one query for an engine elsewhere, over a table with the columns of the export.
 * @throws MigrationError `USAGE`, and those of reading the configuration
 */
export async function printComparison(order: ComparisonOrder): Promise<string> {
  const { engine, table, configFile, cwd } = order;
  const dialect = dialects[engine];
  const parts = table.split('.');
  if (parts.length > 3 || parts.some((part) => part === '' || /\p{Cc}/u.test(part))) {
    throw new MigrationError('USAGE', `--table "${printable(table, 80)}" is no name of a table`);
  }
  const intended =
    configFile === undefined
      ? AS_LOGGED
      : intendedActions(
          (await readSavedRuleset(resolve(cwd, configFile), 'auto')).ruleset.rules,
          builtInCatalogue(),
        ).intended;
  return comparisonQuery(dialect, {
    table: parts.map(dialect.quoteName).join('.'),
    // the log export is not sampled and has no such column
    present: EVENT_COLUMNS.filter((column) => column !== 'SampleInterval'),
    intended,
  });
}

/** Where the proposal goes and what it changes. */
interface ProposalInput {
  readonly path: string;
  readonly force: boolean;
  readonly config: Ruleset;
  readonly catalogue: Catalogue;
  readonly zoneRules: readonly ZoneRule[];
}

/**
 * Adds what is proposed, and writes it.
 * @throws MigrationError `FILE_EXISTS`, `FILE_UNWRITABLE`
 */
export function addProposal(review: Review, input: ProposalInput): Review {
  const { path, force, config, catalogue, zoneRules } = input;
  const { proposal, ruleset } = propose(review, config, { catalogue, zoneRules });
  writeFiles([{ path, text: renderProposal(ruleset, proposal) }], { force });
  return { ...review, proposal };
}

/**
 * Adds what changed since an earlier review.
 * @throws MigrationError `FILE_UNREADABLE`, `REVIEW_BASELINE_INVALID`
 */
export async function addEffect(review: Review, path: string): Promise<Review> {
  return { ...review, effect: effectSince(parseBaseline(await readJsonFile(path)), review) };
}

/**
 * The file of a proposal: the configuration in the form of a saved answer, so that `generate --config`
 * and `start-validation --config` take it, and beside it what was changed and why.
 */
export function renderProposal(ruleset: Ruleset, proposal: Proposal): string {
  const { id, name, kind, phase, description, rules, fields } = ruleset;
  const result = {
    ...(id === undefined ? {} : { id }),
    name,
    kind,
    phase,
    ...(description === undefined ? {} : { description }),
    ...fields,
    rules: rules.map(renderRule),
  };
  const document = { success: true, errors: [], messages: [], result, proposal };
  return `${JSON.stringify(document, null, 2)}\n`;
}
