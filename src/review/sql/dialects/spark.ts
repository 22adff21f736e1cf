import { backQuoted, type Dialect, escapedText, inTurn } from '../dialect';

/** Spark SQL 3.5 and later, Databricks. */
export const spark: Dialect = {
  quoteName: backQuoted,
  text: escapedText,
  asText: (expression) => `CAST(${expression} AS STRING)`,
  // from Spark 4 on a plain CAST of text that is no number is an error (ANSI mode)
  tryInteger: (expression) => `try_cast(${expression} AS BIGINT)`,
  bitOrOf: (expression) => `bit_or(${expression})`,
  bitAnd: (one, other) => `(${one} & ${other})`,
  divide: (dividend, divisor) => `(${dividend} DIV ${divisor})`,
  dateOfDays: (days) => `CAST(date_add(DATE '1970-01-01', CAST(${days} AS INT)) AS STRING)`,
  joinSorted: (expression) => `array_join(sort_array(collect_list(${expression})), ',')`,
  greatestFirst: inTurn,
  requestKey: (ray) => ray,
  once: 'AS',
};
