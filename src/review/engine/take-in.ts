import { FACT_BITS, SIDES } from '../event-bits';
import { type EventInput, type Intake } from '../read/event-input';
import { type ResultRow } from '../result-row';
import { type Engine } from './open-duckdb';

/** What the numbers are based on, once the events were compared. */
export async function takeIn(
  engine: Engine,
  { files, cut }: EventInput,
  rows: readonly ResultRow[],
): Promise<Intake> {
  const counts = rows.filter(({ section }) => section === 'event');
  const isBlank = ({ verdict }: ResultRow): boolean => (verdict & FACT_BITS.blank) !== 0;
  const read = counts.filter((row) => !isBlank(row));
  const having = (bit: number): number => sum(read.filter(({ verdict }) => (verdict & bit) !== 0));
  return {
    files: files.length,
    events: sum(read),
    unreadable: sum(counts.filter(isBlank)),
    withoutRay: having(FACT_BITS.withoutRay),
    sampled: having(FACT_BITS.sampled),
    unknownActions: having(FACT_BITS.unknownAction),
    ...(await fieldFacts(engine)),
    cut,
  };
}

const sum = (rows: readonly ResultRow[]): number =>
  rows.reduce((total, { requests }) => total + requests, 0);

/** The fields that a finding names when no event of either WAF has them. */
const FIELDS = {
  rule_id: 'RuleID',
  client: 'ClientIP',
  host: 'ClientRequestHost',
  path: 'ClientRequestPath',
  method: 'ClientRequestMethod',
  query_string: 'ClientRequestQuery',
  seen: 'Datetime',
} as const;

/** Events of either WAF: the verdict bits of all sides but `other`. */
const OF_WAF = `(bits & ${0xfffff & ~(0xf << (SIDES.other * 4))}) <> 0`;

const UNKNOWN_TIME = `seen <> '' AND seen NOT LIKE '____-__-%'
  AND NOT (length(seen) IN (10, 13, 16, 19) AND coalesce(TRY_CAST(seen AS BIGINT) >= 0, false))`;

/** What the events of the two WAFs have, from the table `events` of the comparison. */
async function fieldFacts(
  engine: Engine,
): Promise<Pick<Intake, 'unknownTimes' | 'missing' | 'domains'>> {
  // a request without a query has an empty one
  const counts = Object.keys(FIELDS).map((column) =>
    column === 'query_string'
      ? `count(${column}) AS ${column}`
      : `count(nullif(${column}, '')) AS ${column}`,
  );
  const [facts = {}] = await engine.rows(
    `SELECT count(*) AS events, count(*) FILTER (${UNKNOWN_TIME}) AS unknown, ${counts.join(', ')}
     FROM events WHERE ${OF_WAF}`,
  );
  const missing = Object.entries(FIELDS).flatMap(([column, name]) =>
    facts['events'] !== 0 && facts[column] === 0 ? [name] : [],
  );
  const domains = await engine.rows(
    `SELECT regexp_extract(lower(host), '[^.]+(\\.[^.]+)?$') AS domain, sum(events) AS events
     FROM (SELECT host, count(*) AS events FROM events WHERE ${OF_WAF} AND host <> '' GROUP BY host)
     GROUP BY domain HAVING domain <> '' ORDER BY events DESC, domain LIMIT 5`,
  );
  return {
    unknownTimes: Number(facts['unknown']),
    missing,
    domains: domains.map(({ domain }) => String(domain)),
  };
}
