import { SIDES } from '../event-bits';
import { type Intake } from '../read/event-input';
import { type Stage } from '../sql/comparison-query';
import { type Engine } from './engine';

const names: Readonly<Record<string, string>> = {
  rule_id: 'RuleID',
  client: 'ClientIP',
  host: 'ClientRequestHost',
  path: 'ClientRequestPath',
  seen: 'Datetime',
};

/** All bits of verdicts but those of the side `other`. */
const WAF_BITS = 0xfffff & ~(0xf << (SIDES.other * 4));

/**
 * How the times of the events of the two WAFs are written, and which fields they have: one small row
 * for each form and host, made in one go over them. Events of other products keep none of these
 * fields (event-stage.ts): they are not looked at.
 */
export const FIELD_STAGE: Stage = {
  name: 'fields',
  // cheap tests first: this goes over every event
  query: `SELECT CASE WHEN seen IS NULL OR seen = '' THEN 'missing' WHEN seen[5] = '-' AND seen[8] = '-' THEN 'rfc3339'
    WHEN strlen(seen) = 10 AND TRY_CAST(seen AS BIGINT) >= 0 THEN 'unix'
    WHEN strlen(seen) IN (13, 16, 19) AND TRY_CAST(seen AS BIGINT) >= 0 THEN 'unix-fraction' ELSE 'unknown' END AS format,
  host AS of_host, count(*) AS events,
  ${Object.keys(names)
    .map((name) => `bool_or(strlen(${name}) > 0) AS ${name}`)
    .join(', ')}
FROM events WHERE (bits & ${WAF_BITS}) <> 0 GROUP BY format, of_host`,
};

/** What the table of {@link FIELD_STAGE} says. */
export async function fieldFacts(
  engine: Engine,
): Promise<Pick<Intake, 'times' | 'missing' | 'domains'>> {
  const had = Object.keys(names).map((name) => `coalesce(bool_or(${name}), false) AS ${name}`);
  const [row = {}] = await engine.rows(`SELECT count(*) AS kinds, ${had.join(', ')} FROM fields`);
  const times = await engine.rows(
    `SELECT format, CAST(sum(events) AS BIGINT) AS events FROM fields GROUP BY format ORDER BY format`,
  );
  const domains = await engine.rows(
    `SELECT regexp_extract(lower(of_host), '[^.]+(\\.[^.]+)?$') AS domain, sum(events) AS events
     FROM fields WHERE of_host IS NOT NULL GROUP BY domain ORDER BY events DESC, domain LIMIT 5`,
  );
  const missing = Object.entries(names).filter(([name]) => row[name] === false);
  return {
    missing: Number(row['kinds']) === 0 ? [] : missing.map(([, name]) => name),
    times: Object.fromEntries(times.map(({ format, events }) => [String(format), Number(events)])),
    domains: domains.map(({ domain }) => String(domain)).filter((domain) => domain !== ''),
  };
}
