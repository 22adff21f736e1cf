import { type Dialect, escapedText, inTurn } from '../dialect';

/** BigQuery, GoogleSQL. */
export const bigquery: Dialect = {
  // within back quotes a backslash escapes, and a back quote cannot be doubled
  quoteName: (name) => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
  text: escapedText,
  asText: (expression) => `CAST(${expression} AS STRING)`,
  tryInteger: (expression) => `SAFE_CAST(${expression} AS INT64)`,
  bitOrOf: (expression) => `BIT_OR(${expression})`,
  bitAnd: (one, other) => `(${one} & ${other})`,
  divide: (dividend, divisor) => `DIV(${dividend}, ${divisor})`,
  dateOfDays: (days) => `CAST(DATE_ADD(DATE '1970-01-01', INTERVAL ${days} DAY) AS STRING)`,
  joinSorted: (expression) => `STRING_AGG(${expression}, ',' ORDER BY ${expression})`,
  greatestFirst: inTurn,
  requestKey: (ray) => ray,
  once: 'AS',
};
