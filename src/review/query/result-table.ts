import * as z from 'zod';
import { type Outcome, OUTCOMES } from '../comparison';
import { bitAnd, type Dialect } from './dialect';
import { FACT_BITS, type Side, verdictBit } from './events';

/** The columns of the result table, in this order: text, but for the three that count. */
const RESULT_COLUMNS = [
  'section',
  'outcome',
  'side',
  'rule_id',
  'verdict',
  'item',
  'host',
  'method',
  'path',
  'query_string',
  'client',
  'requests',
  'clients',
  'first_seen',
  'last_seen',
] as const;

type ResultColumn = (typeof RESULT_COLUMNS)[number];
const numbers: readonly ResultColumn[] = ['verdict', 'requests', 'clients'];

/** How many of a kind the result holds; what is left out is counted in the rule's own row. */
export const MOST = { paths: 10, samples: 5, sets: 5000 } as const;

/** The paths that most requests of a rule went to; clients are told apart for these alone. */
export const topStage = (): string =>
  `SELECT outcome, side, rule_id, host, path, requests
FROM (SELECT outcome, side, rule_id, host, path, requests,
    ROW_NUMBER() OVER (PARTITION BY outcome, side, rule_id ORDER BY requests DESC, host, path) AS place
  FROM (SELECT outcome, side, rule_id, host, path, COUNT(*) AS requests
    FROM hits GROUP BY outcome, side, rule_id, host, path) counted) placed
WHERE place <= ${MOST.paths}`;

/** The result table: small, whatever the number of events; every answer is made from it. */
export function answerStage(dialect: Dialect): string {
  const { text, joinSorted } = dialect;
  const row = (section: string, given: Partial<Record<ResultColumn, string>>, from: string) => {
    const columns = RESULT_COLUMNS.map((column) => {
      const value = column === 'section' ? text(section) : given[column];
      return `${value ?? (numbers.includes(column) ? '0' : "''")} AS ${column}`;
    });
    return `SELECT ${columns.join(', ')} FROM ${from}`;
  };
  const rule = { outcome: 'outcome', side: 'side', rule_id: 'rule_id' };
  const seen = { first_seen: "coalesce(MIN(seen), '')", last_seen: "coalesce(MAX(seen), '')" };
  const byRule = 'PARTITION BY outcome, side, rule_id';
  return [
    row(
      'event',
      {
        verdict: 'bits',
        requests: 'events',
        item: `CASE WHEN ${bitAnd('bits', String(FACT_BITS.withoutRay))} > 0 THEN 'without-ray' ELSE 'event' END`,
      },
      'kinds',
    ),
    row('request', { outcome: 'outcome', verdict: 'bits', requests: 'requests' }, 'outcomes'),
    row(
      'rule',
      {
        ...rule,
        verdict: 'verdict',
        requests: 'COUNT(*)',
        clients: 'COUNT(DISTINCT client)',
        ...seen,
      },
      'hits GROUP BY outcome, side, rule_id, verdict',
    ),
    row(
      'path',
      { ...rule, host: 'host', path: 'path', requests: 'requests', clients: 'clients' },
      `(SELECT t.outcome AS outcome, t.side AS side, t.rule_id AS rule_id, t.host AS host, t.path AS path,
    MAX(t.requests) AS requests, COUNT(DISTINCT h.client) AS clients
  FROM tops t JOIN hits h ON h.outcome = t.outcome AND h.side = t.side AND h.rule_id = t.rule_id AND h.host = t.host AND h.path = t.path
  GROUP BY t.outcome, t.side, t.rule_id, t.host, t.path) counted`,
    ),
    row(
      'sample',
      {
        ...rule,
        verdict: 'verdict',
        item: 'ray',
        host: 'host',
        method: 'method',
        path: 'path',
        query_string: 'query_string',
        client: 'client',
        requests: '1',
        first_seen: "coalesce(seen, '')",
      },
      `(SELECT hits.*, ROW_NUMBER() OVER (${byRule} ORDER BY ray) AS place FROM hits) placed WHERE place <= ${MOST.samples}`,
    ),
    row(
      'set',
      { outcome: 'outcome', side: 'side', item: 'item', requests: 'requests' },
      `(SELECT outcome, side, item, requests, ROW_NUMBER() OVER (ORDER BY requests DESC, outcome, side, item) AS place
  FROM (SELECT outcome, side, item, COUNT(*) AS requests FROM (
      SELECT request, outcome, side, ${joinSorted('rule_id')} AS item FROM hits GROUP BY request, outcome, side
    ) joined GROUP BY outcome, side, item) counted) placed WHERE place <= ${MOST.sets}`,
    ),
    row(
      'hour',
      { outcome: 'outcome', item: 'item', requests: 'COUNT(*)' },
      `(SELECT request, outcome, coalesce(MIN(substr(seen, 1, 13)), '') AS item
  FROM hits GROUP BY request, outcome) timed GROUP BY outcome, item`,
    ),
  ].join('\nUNION ALL\n');
}

/** What a hit says of its request. */
const TEXTS = ['client', 'host', 'method', 'path', 'query_string'] as const;

/** The events of examined requests, with what became of the request. */
export const examinedEventStage = (): string =>
  `SELECT e.request AS request, e.bits AS bits, o.outcome AS outcome, e.ray AS ray, e.rule_id AS rule_id, ${TEXTS.map((name) => `e.${name} AS ${name}`).join(', ')}, e.seen AS seen
FROM events e JOIN examined o ON o.request = e.request`;

/** One row per event of an examined request in which a rule of either WAF acted. */
export function actStage(dialect: Dialect): string {
  const has = (bits: number): string => `${bitAnd('e.bits', String(bits))} > 0`;
  const texts = ['rule_id', ...TEXTS].map((name) => `coalesce(e.${name}, '') AS ${name}`);
  return `SELECT e.request AS request, e.ray AS ray, e.outcome AS outcome,
    CASE WHEN ${has(ofSides(['old', 'oldScore'], [0, 1, 2, 3]))} THEN 'old' ELSE 'new' END AS side,
    CASE WHEN ${has(ofSides(WAFS, [3]))} THEN 3 WHEN ${has(ofSides(WAFS, [2]))} THEN 2 ELSE 1 END AS verdict,
    ${texts.join(', ')}, ${instant(dialect, 'e.seen')} AS seen
  FROM examined_events e
  WHERE ${has(ofSides(WAFS, [1, 2, 3]))}`;
}

/**
 * One row per request, side and rule that acted in it: duplicates of an event fall together, and
 * where they differ the greatest value stands, in every engine the same.
 * @param acts rows of {@link actStage}, as they stand in a FROM clause
 */
export const hitStage = (acts: string): string =>
  `SELECT request, MAX(ray) AS ray, outcome, side, rule_id, MAX(verdict) AS verdict, ${TEXTS.map((name) => `MAX(${name}) AS ${name}`).join(', ')}, MIN(seen) AS seen
FROM ${acts}
GROUP BY request, outcome, side, rule_id`;

const WAFS: readonly Side[] = ['old', 'new', 'oldScore', 'newScore'];

/** The bits of these verdicts of these sides. */
const ofSides = (sides: readonly Side[], ranks: readonly number[]): number =>
  sides.reduce((all, side) => ranks.reduce((sum, rank) => sum | verdictBit(side, rank), all), 0);

/**
 * A time as `YYYY-MM-DDTHH:MM:SS`, UTC: from RFC 3339, or from seconds, milliseconds, microseconds or
 * nanoseconds since 1970, of which the first ten digits are the seconds until the year 2286. Null where
 * it is something else: an offset from UTC is not guessed at.
 */
function instant(dialect: Dialect, time: string): string {
  const { tryInteger, divide, dateOfDays, asText } = dialect;
  const isText = `${time} LIKE '____-__-__%'`;
  const rest = `substr(${time}, 20)`;
  // an offset may have no minutes (`-05`), or be a name (` America/New_York`)
  const isUtc = `(${time} LIKE '%Z' OR ${time} LIKE '%+00' OR ${time} LIKE '%+00:00' OR ${time} LIKE '% UTC' OR (${rest} NOT LIKE '%+%' AND ${rest} NOT LIKE '%-%' AND ${rest} NOT LIKE '% %'))`;
  const seconds = tryInteger(`substr(${time}, 1, 10)`);
  const two = (number: string): string => `lpad(${asText(number)}, 2, '0')`;
  const day = `(${seconds} - ${divide(seconds, 86_400)} * 86400)`;
  const hour = divide(day, 3600);
  const minute = divide(`(${day} - ${hour} * 3600)`, 60);
  const second = `(${day} - ${divide(day, 60)} * 60)`;
  return `CASE WHEN ${isText} AND ${isUtc} THEN concat(substr(${time}, 1, 10), 'T', substr(${time}, 12, 8))
    WHEN length(${time}) IN (10, 13, 16, 19) AND ${seconds} >= 0 AND ${tryInteger(time)} >= 0
      THEN concat(${dateOfDays(divide(seconds, 86_400))}, 'T', ${two(hour)}, ':', ${two(minute)}, ':', ${two(second)}) END`;
}

const count = z.coerce.number().int().nonnegative();
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const outcome = z
  .enum([...OUTCOMES, ''])
  .nullish()
  .transform((value) => value ?? '');

/** One row of the result table (answer-stage.ts), wherever it was made. */
export const resultRowSchema = z.object({
  section: z.enum(['event', 'request', 'rule', 'path', 'sample', 'set', 'hour']),
  outcome,
  side: z
    .enum(['old', 'new', ''])
    .nullish()
    .transform((value) => value ?? ''),
  rule_id: text,
  verdict: count,
  item: text,
  host: text,
  method: text,
  path: text,
  query_string: text,
  client: text,
  requests: count,
  clients: count,
  first_seen: text,
  last_seen: text,
});

/** A row of {@link resultRowSchema}. */
export type ResultRow = Omit<z.infer<typeof resultRowSchema>, 'outcome'> & {
  readonly outcome: Outcome | '';
};
