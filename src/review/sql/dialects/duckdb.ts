import { type Dialect, standardText } from '../dialect';

/** DuckDB 1.5: the engine that is embedded. */
export const duckdb: Dialect = {
  quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
  text: standardText,
  asText: (expression) => `CAST(${expression} AS VARCHAR)`,
  tryInteger: (expression) => `TRY_CAST(${expression} AS BIGINT)`,
  divide: (dividend, divisor) => `(${dividend} // ${divisor})`,
  dateOfDays: (days) => `CAST(DATE '1970-01-01' + CAST(${days} AS INTEGER) AS VARCHAR)`,
  joinSorted: (expression) => `string_agg(${expression}, ',' ORDER BY ${expression})`,
  // 64 bits: half of the memory and of the time of the text; that any two of ten million requests fall
  // together has a chance of 1 in 300,000
  requestKey: (ray) => `hash(${ray})`,
  once: 'AS MATERIALIZED',
};
