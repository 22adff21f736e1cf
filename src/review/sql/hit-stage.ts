import { type Side, verdictBit } from '../event-bits';
import { bitAnd, type Dialect } from './dialect';

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
export function instant(dialect: Dialect, time: string): string {
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
