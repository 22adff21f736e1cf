import { type Dialect, doubleQuoted, inTurn, standardText } from '../dialect';

/** Trino, Athena engine 3. */
export const trino: Dialect = {
  quoteName: doubleQuoted,
  text: standardText,
  asText: (expression) => `CAST(${expression} AS VARCHAR)`,
  tryInteger: (expression) => `TRY_CAST(${expression} AS BIGINT)`,
  bitOrOf: (expression) => `bitwise_or_agg(${expression})`,
  bitAnd: (one, other) => `bitwise_and(${one}, ${other})`,
  // integers divide to an integer
  divide: (dividend, divisor) => `(${dividend} / ${divisor})`,
  dateOfDays: (days) => `CAST(date_add('day', ${days}, DATE '1970-01-01') AS VARCHAR)`,
  joinSorted: (expression) => `array_join(array_sort(array_agg(${expression})), ',')`,
  greatestFirst: inTurn,
  requestKey: (ray) => ray,
  once: 'AS',
};
