import { backQuoted, type Dialect, escapedText, inTurn } from '../dialect';

/** ClickHouse 23 and later. */
export const clickhouse: Dialect = {
  quoteName: backQuoted,
  text: escapedText,
  asText: (expression) => `CAST(${expression} AS Nullable(String))`,
  tryInteger: (expression) => `toInt64OrNull(${expression})`,
  bitOrOf: (expression) => `groupBitOr(toInt64(${expression}))`,
  bitAnd: (one, other) => `bitAnd(${one}, ${other})`,
  divide: (dividend, divisor) => `intDiv(${dividend}, ${divisor})`,
  dateOfDays: (days) => `toString(toDate32('1970-01-01') + ${days})`,
  joinSorted: (expression) =>
    `arrayStringConcat(arraySort(groupArray(coalesce(${expression}, ''))), ',')`,
  greatestFirst: inTurn,
  requestKey: (ray) => ray,
  once: 'AS',
};
