import { isIdentifier } from '../../core/identifier';
import {
  ACTIONS,
  ENDING_ACTIONS,
  EVENT_COLUMNS,
  EXAMINED,
  type Outcome,
  OUTCOMES,
  type Rank,
  RANKS,
  type ResultRow,
  resultRowSchema,
  SOURCES,
  type WafSide,
} from './events';

/** What differs between engines, and nothing else. */
interface Dialect {
  readonly quote: string;
  /** The key that the events of a request share. */
  readonly requestKey: string;
}

export const SQL_ENGINES = ['duckdb', 'spark'] as const;

export type SqlEngine = (typeof SQL_ENGINES)[number];

const dialects: Readonly<Record<SqlEngine, Dialect>> = {
  // 64 bits take half of the memory and time of the text; two of ten million requests collide with a
  // chance of 1 in 300,000
  duckdb: { quote: '"', requestKey: 'hash(ray)' },
  /** Spark SQL 3.5 and later, Databricks. */
  spark: { quote: '`', requestKey: 'ray' },
};

/**
 * What the rules of the new WAF are configured to do. While every new rule only logs
 * (`start-validation --log-only`), a log of a rule counts as this.
 */
export interface Intended {
  readonly fallback: Rank;
  readonly rules: ReadonlyMap<string, Rank>;
}

export const AS_LOGGED: Intended = { fallback: RANKS.log, rules: new Map() };

interface ComparisonInput {
  readonly table: string;
  /** Whether an event is of sampled data, in SQL. */
  readonly sampled: string;
  readonly intended: Intended;
}

/** The steps of the comparison: each a name, and the query that makes it from the steps before. */
export const comparisonStages = (engine: SqlEngine, input: ComparisonInput) => [
  { name: 'events', query: eventStage(engine, input) },
  { name: 'kinds', query: KINDS },
  { name: 'active', query: ACTIVE },
  { name: 'requests', query: REQUESTS },
  { name: 'hits', query: HITS },
];

/** The whole comparison as one query, for an engine elsewhere. */
export function comparisonQuery(engine: SqlEngine, input: ComparisonInput): string {
  const stages = comparisonStages(engine, input).map(
    ({ name, query }) => `${name} AS (\n${query}\n)`,
  );
  return `WITH ${stages.join(',\n')}\n${RESULT_QUERY}\n`;
}

const list = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/**
 * What the answers show of an event, as one column that chr(31) separates: separate columns need 40 % more memory, and time
 * to write what does not fit (measured). HTTP allows no chr(31) in any of them.
 */
const SHOWN = ['seen', 'ray', 'client', 'host', 'method', 'path', 'query_string'];

/** One row per event: its request, the verdict of its side, and what the answers need. */
function eventStage(engine: SqlEngine, { table, sampled, intended }: ComparisonInput): string {
  const { quote, requestKey } = dialects[engine];
  const textOf = (column: string): string => `CAST(${quote}${column}${quote} AS STRING)`;
  const columns = Object.entries(EVENT_COLUMNS).map(([column, name]) => {
    // the GraphQL API writes some actions with `_`
    const text = name === 'action' ? `replace(${textOf(column)}, '_', '')` : textOf(column);
    return `${text} AS ${name}`;
  });
  const isOf = (side: WafSide): string =>
    `coalesce(${textOf('Source')} IN (${list(SOURCES[side])}), FALSE)`;
  const texts = SHOWN.map((name) => `coalesce(${name}, '')`).join(', ');
  return `SELECT CASE WHEN ray <> '' THEN ${requestKey} END AS request,
  CAST(CASE WHEN is_legacy THEN verdict END AS TINYINT) AS legacy,
  CAST(CASE WHEN is_new THEN ${intentOf(intended)} END AS TINYINT) AS fresh,
  ended AND is_new AS new_ended, ended AND NOT (is_legacy OR is_new) AS other_ended,
  coalesce(ray, source, action, rule_id) IS NULL AS unreadable, verdict IS NULL AS unknown_action, sampled,
  CASE WHEN is_legacy OR is_new THEN rule_id END AS rule_id,
  CASE WHEN is_legacy OR is_new THEN concat_ws(chr(31), ${texts}) END AS shown
FROM (
  SELECT ${columns.join(', ')}, ${sampled} AS sampled,
    ${isOf('legacy')} AS is_legacy, ${isOf('new')} AS is_new
  FROM ${table}
) source_events LEFT JOIN (VALUES ${VERDICTS}) verdicts(word, verdict, ended) ON action = word`;
}

/** Each action with its rank, and whether it ends the request. */
const VERDICTS = (['block', 'log', 'challenge', 'none'] as const)
  .flatMap((rank) =>
    ACTIONS[rank].map((word) => `('${word}', ${RANKS[rank]}, ${ENDING_ACTIONS.includes(word)})`),
  )
  .join(', ');

/** The verdict of a new rule: its log counts as what it is configured to do. */
function intentOf({ fallback, rules }: Intended): string {
  const groups = Object.values(RANKS).flatMap((meant) => {
    const ids = [...rules].flatMap(([id, rank]) => (rank === meant && isIdentifier(id) ? id : []));
    return ids.length === 0 ? [] : [`WHEN rule_id IN (${list(ids)}) THEN ${meant}`];
  });
  return `CASE WHEN verdict IS DISTINCT FROM ${RANKS.log} THEN verdict ${groups.join(' ')} ELSE ${fallback} END`;
}

const FLAGS = [
  ['request IS NULL', 'without-ray'],
  ['unknown_action', 'unknown-action'],
  ['sampled', 'sampled'],
].map(([when, flag]) => `CASE WHEN ${when} THEN ' ${flag}' ELSE '' END`);

/** How many events have each combination of flags. */
const KINDS = `SELECT item, COUNT(*) AS events FROM (
  SELECT CASE WHEN unreadable THEN 'unreadable' ELSE concat('event', ${FLAGS.join(', ')}) END AS item FROM events
) flagged GROUP BY item`;

const SIDE = "CASE WHEN legacy IS NULL THEN 'new' ELSE 'legacy' END";

/** The rules that acted in any request. */
const ACTIVE = `SELECT DISTINCT ${SIDE} AS side, coalesce(rule_id, '') AS rule_id
FROM events WHERE request IS NOT NULL AND coalesce(legacy, fresh) > 0`;

/** The first condition that is true decides; the last outcome is that of all others. */
const OUTCOME_CASES: readonly (readonly [when: string, outcome: Outcome])[] = [
  ['legacy = 0 AND fresh = 0 AND other_ended', 'stopped-before'],
  ['legacy = 0 AND fresh = 0', 'neither'],
  // The new WAF runs first (spec: validation mode): the legacy WAF never sees what it ends.
  ['legacy = 0 AND new_ended', 'hidden'],
  ['legacy = 0 AND other_ended', 'cut-short'],
  // In sampled data an absence says nothing.
  ['(legacy = 0 OR fresh = 0) AND sampled', 'sampled'],
  // A log stops nothing: a request that one WAF logs and the other one blocks is of the other one only.
  ['legacy = 0 OR (legacy = 1 AND fresh > 1)', 'only-new'],
  ['fresh = 0 OR (fresh = 1 AND legacy > 1)', 'only-legacy'],
  ['legacy = 1 AND fresh = 1', 'both-log'],
  ['legacy = fresh', 'both-act'],
  ['fresh > legacy', 'stricter'],
  ['TRUE', 'laxer'],
];

/** The word of an outcome; millions of rows hold only its number. */
const OUTCOME = `CASE code ${OUTCOMES.map((outcome, code) => `WHEN ${code} THEN '${outcome}'`).join(' ')} END`;

/** One row per request: what all of its events say. Events without a Ray ID belong to none. */
const REQUESTS = `SELECT request, CAST(greatest(legacy, fresh) AS TINYINT) AS verdict,
  CAST(CASE ${OUTCOME_CASES.map(([when, outcome]) => `WHEN ${when} THEN ${OUTCOMES.indexOf(outcome)}`).join('\n    ')} END AS TINYINT) AS code
FROM (
  SELECT request, coalesce(MAX(legacy), 0) AS legacy, coalesce(MAX(fresh), 0) AS fresh,
    bool_or(new_ended) AS new_ended, bool_or(other_ended) AS other_ended, bool_or(sampled) AS sampled
  FROM events WHERE request IS NOT NULL GROUP BY request
) joined`;

/**
 * One row per examined request, side and rule that acted in it. Of duplicates of an event the last one
 * counts, in every engine the same.
 */
const HITS = `SELECT request, outcome, side, rule_id, verdict,
  ${SHOWN.map((name, at) => `split_part(shown, chr(31), ${at + 1}) AS ${name}`).join(', ')}
FROM (
  SELECT e.request AS request, ${OUTCOME} AS outcome, ${SIDE} AS side,
    coalesce(rule_id, '') AS rule_id, MAX(coalesce(legacy, fresh)) AS verdict, MAX(shown) AS shown
  FROM events e JOIN requests r ON e.request = r.request
  WHERE code IN (${EXAMINED.map((outcome) => OUTCOMES.indexOf(outcome)).join(', ')}) AND coalesce(legacy, fresh) > 0
  GROUP BY ALL
) acted`;

/** How many of a kind the result holds; what is left out is counted in the rule's own row. */
const MOST = { path: 10, client: 5, sample: 5 } as const;

type Column = keyof ResultRow;
/** What fills columns of the result, in SQL. */
type Filled = Readonly<Partial<Record<Column, string>>>;

/** Columns that have the same name in a stage. */
const same = (...columns: readonly Column[]): Filled =>
  Object.fromEntries(columns.map((column) => [column, column]));

const RULE = same('outcome', 'side', 'rule_id');
const COLUMNS = resultRowSchema.keyof().options;
const NUMBERS: readonly Column[] = ['verdict', 'requests', 'clients'];

/** One part of the result table: the given values, and nothing in the other columns. */
function part(section: ResultRow['section'], given: Filled, from: string): string {
  const values: Filled = { section: `'${section}'`, ...given };
  const selected = COLUMNS.map(
    (column) => `${values[column] ?? (NUMBERS.includes(column) ? '0' : "''")} AS ${column}`,
  );
  return `SELECT ${selected.join(', ')} FROM ${from}`;
}

function most(section: 'path' | 'client', given: Filled): string {
  const keys = Object.keys(RULE).join(', ');
  const names = Object.values(given).join(', ');
  return part(
    section,
    { ...RULE, ...given, requests: 'requests' },
    `(SELECT ${keys}, ${names}, COUNT(*) AS requests,
    ROW_NUMBER() OVER (PARTITION BY ${keys} ORDER BY COUNT(*) DESC, ${names}) AS place
  FROM hits GROUP BY ${keys}, ${names}) counted WHERE place <= ${MOST[section]}`,
  );
}

/** The result table: small, whatever the number of events; every answer is made from it. */
export const RESULT_QUERY = [
  part('event', { item: 'item', requests: 'events' }, 'kinds'),
  part('active', same('side', 'rule_id'), 'active'),
  part(
    'request',
    { outcome: OUTCOME, verdict: 'verdict', requests: 'COUNT(*)' },
    'requests GROUP BY code, verdict',
  ),
  part(
    'rule',
    {
      ...RULE,
      verdict: 'verdict',
      requests: 'COUNT(*)',
      clients: 'COUNT(DISTINCT client)',
      first_seen: 'MIN(seen)',
      last_seen: 'MAX(seen)',
    },
    'hits GROUP BY outcome, side, rule_id, verdict',
  ),
  most('path', same('host', 'path')),
  most('client', { item: 'client' }),
  part(
    'sample',
    {
      ...RULE,
      ...same('verdict', 'host', 'method', 'path', 'query_string', 'client'),
      item: 'ray',
      requests: '1',
      first_seen: 'seen',
    },
    `(SELECT *, ROW_NUMBER() OVER (PARTITION BY outcome, side, rule_id ORDER BY ray) AS place FROM hits) placed WHERE place <= ${MOST.sample}`,
  ),
].join('\nUNION ALL\n');
