import { verdictBit } from '../event-bits';
import { EXAMINED } from '../outcome';
import { type Dialect } from './dialect';

/**
 * One row per examined request, side and rule that acted in it: duplicates of an event fall
 * together, and where they differ the greatest value stands, in every engine the same.
 */
export function hitStage(dialect: Dialect): string {
  const { bitAnd, text } = dialect;
  const acting = [1, 2, 3].reduce(
    (sum, rank) =>
      sum |
      verdictBit('old', rank) |
      verdictBit('new', rank) |
      verdictBit('oldScore', rank) |
      verdictBit('newScore', rank),
    0,
  );
  const old = [0, 1, 2, 3].reduce(
    (sum, rank) => sum | verdictBit('old', rank) | verdictBit('oldScore', rank),
    0,
  );
  const last = (column: string): string => `MAX(coalesce(${column}, '')) AS ${column}`;
  return `SELECT ray, outcome, side, rule_id, MAX(intent) AS verdict, ${last('client')}, ${last('host')},
  ${last('method')}, ${last('path')}, ${last('query_string')}, MIN(seen) AS seen
FROM (
  SELECT e.ray AS ray, o.outcome AS outcome,
    CASE WHEN ${bitAnd('e.bits', String(old))} > 0 THEN 'old' ELSE 'new' END AS side,
    coalesce(e.rule_id, '') AS rule_id, e.intent AS intent, e.client AS client, e.host AS host,
    e.method AS method, e.path AS path, e.query_string AS query_string, ${instant(dialect, 'e.seen')} AS seen
  FROM events e
  JOIN requests r ON r.ray = e.ray
  JOIN outcomes o ON o.bits = r.bits
  WHERE o.outcome IN (${EXAMINED.map(text).join(', ')})
    AND ${bitAnd('e.bits', String(acting))} > 0
) examined
GROUP BY ray, outcome, side, rule_id`;
}

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
