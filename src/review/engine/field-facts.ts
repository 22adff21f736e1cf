import { type Intake } from '../read/event-input';
import { type Stage } from '../sql/comparison-query';
import { type Engine } from './engine';
import { textOf } from './packed-events';

/** How times are written; the place of the word is its number in {@link FORM}. */
const FORMATS = ['missing', 'rfc3339', 'unix', 'unix-fraction', 'unknown'] as const;

/** Above the three bits of the format: which fields the event has. */
const FIELDS = [
  { column: 'rule_id', bit: 8, name: 'RuleID' },
  { column: 'client', bit: 16, name: 'ClientIP' },
  { column: 'host', bit: 32, name: 'ClientRequestHost' },
  { column: 'path', bit: 64, name: 'ClientRequestPath' },
  { column: 'method', bit: 128, name: 'ClientRequestMethod' },
] as const;

/** Most requests have no query: its field is only missing where it is not there. */
const QUERY_BIT = 256;

/** The bits of all facts. */
const FACTS = 511;

const ALL = FIELDS.reduce((all, { bit }) => all | bit, QUERY_BIT);

/** How the time is written, the usual ways first. */
const FORMAT = `CASE WHEN seen LIKE '____-__-%' THEN 1 WHEN seen IS NULL OR seen = '' THEN 0
    WHEN strlen(seen) = 10 AND TRY_CAST(seen AS BIGINT) >= 0 THEN 2
    WHEN strlen(seen) IN (13, 16, 19) AND TRY_CAST(seen AS BIGINT) >= 0 THEN 3 ELSE 4 END`;

/** Which fields there are: mostly all. */
const PRESENT = `CASE WHEN ${FIELDS.map(({ column }) => `${column} <> ''`).join(' AND ')} AND query_string IS NOT NULL THEN ${ALL}
    ELSE ${FIELDS.map(({ column, bit }) => `CASE WHEN ${column} <> '' THEN ${bit} ELSE 0 END`).join(' + ')}
      + CASE WHEN query_string IS NULL THEN 0 ELSE ${QUERY_BIT} END END`;

/** What of the fields of an event must be known of every event, in the lowest bits of a hash of its host. */
export const FORM = `CAST(CAST(hash(host) & ${2 ** 32 - 1 - FACTS} AS BIGINT) + ${FORMAT} + ${PRESENT} AS UINTEGER)`;

/** One small row for each form of an event of the two WAFs, and each host. */
export const FIELD_STAGE: Stage = {
  name: 'fields',
  query: `SELECT forms.form & ${FACTS} AS facts, events, ${textOf('host')} AS host
FROM (SELECT form, count(*) AS events, min(rowid) AS first
  FROM packed_events WHERE form IS NOT NULL GROUP BY form) forms
JOIN packed_events ON packed_events.rowid = forms.first`,
};

/** What the table of {@link FIELD_STAGE} says. */
export async function fieldFacts(
  engine: Engine,
): Promise<Pick<Intake, 'times' | 'missing' | 'domains'>> {
  const rows = await engine.rows(
    'SELECT facts, CAST(sum(events) AS BIGINT) AS events FROM fields GROUP BY facts',
  );
  const kinds = rows.map(({ facts, events }) => ({ facts: Number(facts), events: Number(events) }));
  const written = FORMATS.map((format, code) => {
    const own = kinds.filter(({ facts }) => (facts & 7) === code);
    return [format, own.reduce((total, { events }) => total + events, 0)] as const;
  }).filter(([, events]) => events > 0);
  const has = (bit: number): boolean =>
    kinds.length === 0 || kinds.some(({ facts }) => (facts & bit) > 0);
  const missing: string[] = FIELDS.filter(({ bit }) => !has(bit)).map(({ name }) => name);
  if (!has(QUERY_BIT)) missing.push('ClientRequestQuery');
  if (written.length === 1 && written[0]?.[0] === 'missing') missing.push('Datetime');
  const domains = await engine.rows(
    `SELECT regexp_extract(lower(host), '[^.]+(\\.[^.]+)?$') AS domain, sum(events) AS events
     FROM fields WHERE host <> '' GROUP BY domain ORDER BY events DESC, domain LIMIT 5`,
  );
  return {
    missing,
    times: Object.fromEntries(written),
    domains: domains.map(({ domain }) => String(domain)).filter((domain) => domain !== ''),
  };
}
