import { SIDES } from '../event-bits';
import { type Intake } from '../read/event-input';
import { type Engine } from './engine';

/** The fields that a finding names when no event of either WAF has them. */
const FIELDS = {
  rule_id: 'RuleID',
  client: 'ClientIP',
  host: 'ClientRequestHost',
  path: 'ClientRequestPath',
  method: 'ClientRequestMethod',
  query_string: 'ClientRequestQuery',
} as const;

/** Events of either WAF: the verdict bits of all sides but `other`. */
const OF_WAF = `(bits & ${0xfffff & ~(0xf << (SIDES.other * 4))}) <> 0`;

/** How a time is written. */
const TIME = `CASE WHEN seen LIKE '____-__-%' THEN 'rfc3339' WHEN seen IS NULL OR seen = '' THEN 'missing'
    WHEN length(seen) = 10 AND TRY_CAST(seen AS BIGINT) >= 0 THEN 'unix'
    WHEN length(seen) IN (13, 16, 19) AND TRY_CAST(seen AS BIGINT) >= 0 THEN 'unix-fraction' ELSE 'unknown' END`;

/** What the events of the two WAFs have, from the table `events` of the comparison. */
export async function fieldFacts(
  engine: Engine,
): Promise<Pick<Intake, 'times' | 'missing' | 'domains'>> {
  // a request without a query has an empty one
  const counts = Object.keys(FIELDS).map((column) =>
    column === 'query_string' ? `count(${column})` : `count(nullif(${column}, ''))`,
  );
  const formats = await engine.rows(
    `SELECT ${TIME} AS format, count(*) AS events, ${Object.keys(FIELDS)
      .map((column, index) => `${counts[index] ?? ''} AS ${column}`)
      .join(', ')} FROM events WHERE ${OF_WAF} GROUP BY format ORDER BY format`,
  );
  const missing: string[] = Object.entries(FIELDS)
    .filter(([column]) => formats.length > 0 && formats.every((row) => row[column] === 0))
    .map(([, name]) => name);
  const times = Object.fromEntries(
    formats.map(({ format, events }) => [String(format), Number(events)]),
  );
  if (formats.length === 1 && times['missing'] !== undefined) missing.push('Datetime');
  const domains = await engine.rows(
    `SELECT regexp_extract(lower(host), '[^.]+(\\.[^.]+)?$') AS domain, sum(events) AS events
     FROM (SELECT host, count(*) AS events FROM events WHERE ${OF_WAF} AND host <> '' GROUP BY host)
     GROUP BY domain HAVING domain <> '' ORDER BY events DESC, domain LIMIT 5`,
  );
  return { missing, times, domains: domains.map(({ domain }) => String(domain)) };
}
