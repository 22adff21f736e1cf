import { type Side, verdictBit } from '../event-bits';
import { type Dialect } from './dialect';

/**
 * One row per examined request, side and rule that acted in it: duplicates of an event fall
 * together, and where they differ the greatest value stands, in every engine the same.
 */
export function hitStage(dialect: Dialect): string {
  const { bitAnd } = dialect;
  const has = (bits: number): string => `${bitAnd('e.bits', String(bits))} > 0`;
  const last = (column: string): string => `MAX(coalesce(${column}, '')) AS ${column}`;
  return `SELECT ray, outcome, side, rule_id, MAX(verdict) AS verdict, ${last('client')}, ${last('host')},
  ${last('method')}, ${last('path')}, ${last('query_string')}, MIN(seen) AS seen
FROM (
  SELECT e.ray AS ray, o.outcome AS outcome,
    CASE WHEN ${has(ofSides(['old', 'oldScore'], [0, 1, 2, 3]))} THEN 'old' ELSE 'new' END AS side,
    CASE WHEN ${has(ofSides(WAFS, [3]))} THEN 3 WHEN ${has(ofSides(WAFS, [2]))} THEN 2 ELSE 1 END AS verdict,
    coalesce(e.rule_id, '') AS rule_id, e.client AS client, e.host AS host,
    e.method AS method, e.path AS path, e.query_string AS query_string, ${instant(dialect, 'e.seen')} AS seen
  FROM events e
  JOIN examined o ON o.request = e.request
  WHERE ${has(ofSides(WAFS, [1, 2, 3]))}
) acting
GROUP BY ray, outcome, side, rule_id`;
}

const WAFS: readonly Side[] = ['old', 'new', 'oldScore', 'newScore'];

/** The bits of these verdicts of these sides. */
const ofSides = (sides: readonly Side[], ranks: readonly number[]): number =>
  sides.reduce((all, side) => ranks.reduce((sum, rank) => sum | verdictBit(side, rank), all), 0);

/** How many rules of a side acted in a request: mostly one, of which nothing need be put together. */
export const setStage = (): string =>
  `SELECT ray, outcome, side, COUNT(*) AS rules, MIN(rule_id) AS one FROM hits GROUP BY ray, outcome, side`;

/**
 * A time as `YYYY-MM-DDTHH:MM:SS`, UTC: from RFC 3339, or from seconds, milliseconds, microseconds or
 * nanoseconds since 1970, of which the first ten digits are the seconds until the year 2286. Null where
 * it is something else: an offset from UTC is not guessed at.
 */
export function instant(dialect: Dialect, time: string): string {
  const { tryInteger, divide, dateOfDays, asText } = dialect;
  const isText = `${time} LIKE '____-__-__%'`;
  const isUtc = `(length(${time}) <= 19 OR ${time} LIKE '%Z' OR ${time} LIKE '%+00' OR ${time} LIKE '%+00:00' OR ${time} LIKE '% UTC' OR (${time} NOT LIKE '%+%' AND ${time} NOT LIKE '%-__:__'))`;
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
