import * as z from 'zod';
import { type Dialect, hasBits, type Stage } from './dialect';
import { FACT_BITS, OUTCOMES, verdictBits, WAF_SIDES } from './events';

/** How many of a kind the result holds; what is left out is counted in the rule's own row. */
const MOST = { paths: 10, others: 5, samples: 5, sets: 5000 } as const;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const count = z.coerce.number().int().nonnegative();
const columns = {
  section: z.enum([
    ...(['event', 'request', 'stopped', 'rule', 'path', 'host', 'country', 'client'] as const),
    ...(['sample', 'set', 'hour'] as const),
  ]),
  outcome: z
    .enum([...OUTCOMES, ''])
    .nullish()
    .transform((value) => value ?? ''),
  side: z
    .enum(['legacy', 'new', ''])
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
};
type Column = keyof typeof columns;
const NUMBERS: readonly Column[] = ['verdict', 'requests', 'clients'];

/** One row of the result table, whichever engine made it. */
export const resultRowSchema = z.object(columns);

/** A row of {@link resultRowSchema}. */
export type ResultRow = z.infer<typeof resultRowSchema>;

/** What a hit says of its request. */
const TEXTS = ['client', 'country', 'host', 'method', 'path'] as const;

/** The steps from examined requests to hits: one row per request, side and rule that acted in it. */
export function hitStages(dialect: Dialect): readonly Stage[] {
  return [
    {
      name: 'examined_events',
      query: `SELECT e.request AS request, e.bits AS bits, o.outcome AS outcome, e.ray AS ray, e.rule_id AS rule_id, ${[...TEXTS, 'query_string', 'seen'].map((name) => `e.${name} AS ${name}`).join(', ')}
FROM events e JOIN examined o ON o.request = e.request`,
    },
    {
      name: 'hits',
      // duplicates of an event fall together; the greatest value counts, in every engine the same
      query: `SELECT request, MAX(ray) AS ray, outcome, side, rule_id, MAX(verdict) AS verdict, ${TEXTS.map((name) => `MAX(${name}) AS ${name}`).join(', ')}, MAX(query_string) AS query_string, MIN(seen) AS seen, MAX(time_text) AS time_text
FROM (${actQuery(dialect)}) acts
GROUP BY request, outcome, side, rule_id`,
    },
    {
      name: 'tops',
      // clients are counted for these paths only
      query: `SELECT outcome, side, rule_id, host, path, requests
FROM (SELECT outcome, side, rule_id, host, path, requests,
    ROW_NUMBER() OVER (PARTITION BY outcome, side, rule_id ORDER BY requests DESC, host, path) AS place
  FROM (SELECT outcome, side, rule_id, host, path, COUNT(*) AS requests
    FROM hits GROUP BY outcome, side, rule_id, host, path) counted) placed
WHERE place <= ${MOST.paths}`,
    },
  ];
}

/** One row per event of an examined request in which a rule of either WAF acted. */
function actQuery(dialect: Dialect): string {
  const has = (bits: number): string => hasBits('e.bits', bits);
  const texts = ['rule_id', ...TEXTS].map((name) => `coalesce(e.${name}, '') AS ${name}`);
  return `SELECT e.request AS request, e.ray AS ray, e.outcome AS outcome,
    CASE WHEN ${has(verdictBits(['legacy', 'legacyScore'], [0, 1, 2, 3]))} THEN 'legacy' ELSE 'new' END AS side,
    CASE WHEN ${has(verdictBits(WAF_SIDES, [3]))} THEN 3 WHEN ${has(verdictBits(WAF_SIDES, [2]))} THEN 2 ELSE 1 END AS verdict,
    ${texts.join(', ')}, e.query_string AS query_string, ${instant(dialect, 'e.seen')} AS seen, e.seen AS time_text
  FROM examined_events e
  WHERE ${has(verdictBits(WAF_SIDES, [1, 2, 3]))}`;
}

/**
 * A time as `YYYY-MM-DDTHH:MM:SS`, UTC: from RFC 3339, or from seconds, milliseconds, microseconds or
 * nanoseconds since 1970, of which the first ten digits are the seconds until the year 2286. Anything else
 * is null: an offset from UTC is not converted.
 */
function instant({ tryInteger, divide, dateOfDays, asText }: Dialect, time: string): string {
  const rest = `substr(${time}, 20)`;
  // an offset may have no minutes (`-05`), or be a name (` America/New_York`)
  const isUtc = `(${time} LIKE '%Z' OR ${time} LIKE '%+00' OR ${time} LIKE '%+00:00' OR ${time} LIKE '% UTC' OR (${rest} NOT LIKE '%+%' AND ${rest} NOT LIKE '%-%' AND ${rest} NOT LIKE '% %'))`;
  const seconds = tryInteger(`substr(${time}, 1, 10)`);
  const two = (number: string): string => `lpad(${asText(number)}, 2, '0')`;
  const day = `(${seconds} - ${divide(seconds, 86_400)} * 86400)`;
  const hour = divide(day, 3600);
  const minute = divide(`(${day} - ${hour} * 3600)`, 60);
  const second = `(${day} - ${divide(day, 60)} * 60)`;
  return `CASE WHEN ${time} LIKE '____-__-__%' AND ${isUtc} THEN concat(substr(${time}, 1, 10), 'T', substr(${time}, 12, 8))
    WHEN length(${time}) IN (10, 13, 16, 19) AND ${seconds} >= 0 AND ${tryInteger(time)} >= 0
      THEN concat(${dateOfDays(divide(seconds, 86_400))}, 'T', ${two(hour)}, ':', ${two(minute)}, ':', ${two(second)}) END`;
}

/** The result table: small, whatever the number of events; every answer is made from it. */
export function resultQuery({ text: literal, joinSorted }: Dialect): string {
  const row = (
    section: ResultRow['section'],
    given: Partial<Record<Column, string>>,
    from: string,
  ) => {
    const values: Partial<Record<string, string>> = { section: literal(section), ...given };
    const selected = Object.keys(columns).map((column) => {
      const absent = NUMBERS.some((one) => one === column) ? '0' : "''";
      return `${values[column] ?? absent} AS ${column}`;
    });
    return `SELECT ${selected.join(', ')} FROM ${from}`;
  };
  const rule = { outcome: 'outcome', side: 'side', rule_id: 'rule_id' };
  return [
    row(
      'event',
      {
        verdict: 'bits',
        requests: 'events',
        item: `CASE WHEN ${hasBits('bits', FACT_BITS.withoutRay)} THEN 'without-ray' ELSE 'event' END`,
      },
      'kinds',
    ),
    row('request', { outcome: 'outcome', verdict: 'bits', requests: 'requests' }, 'outcomes'),
    row(
      'stopped',
      {
        outcome: 'outcome',
        side: 'side',
        verdict: 'MAX(verdict)',
        requests: 'COUNT(DISTINCT request)',
        clients: 'COUNT(DISTINCT client)',
      },
      'hits WHERE verdict >= 2 GROUP BY outcome, side',
    ),
    row(
      'rule',
      {
        ...rule,
        verdict: 'verdict',
        requests: 'COUNT(*)',
        clients: 'COUNT(DISTINCT client)',
        first_seen: "coalesce(MIN(seen), '')",
        last_seen: "coalesce(MAX(seen), '')",
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
    ...(['host', 'country', 'client'] as const).map((column) =>
      row(
        column,
        { ...rule, item: column, requests: 'requests' },
        `(SELECT outcome, side, rule_id, ${column}, requests,
    ROW_NUMBER() OVER (PARTITION BY outcome, side, rule_id ORDER BY requests DESC, ${column}) AS place
  FROM (SELECT outcome, side, rule_id, ${column}, COUNT(*) AS requests
    FROM hits WHERE ${column} <> '' GROUP BY outcome, side, rule_id, ${column}) counted) placed
WHERE place <= ${MOST.others}`,
      ),
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
        query_string: "coalesce(query_string, '')",
        client: 'client',
        requests: '1',
        first_seen: "coalesce(seen, '')",
      },
      `(SELECT hits.*, ROW_NUMBER() OVER (PARTITION BY outcome, side, rule_id ORDER BY ray) AS place FROM hits) placed WHERE place <= ${MOST.samples}`,
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
