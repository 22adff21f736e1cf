import { type Dialect } from '../dialect';

/** Spark SQL 3.5 and later, Databricks. */
export const spark: Dialect = {
  quoteName: (name) => `\`${name.replaceAll('`', '``')}\``,
  // a backslash escapes
  text: (value) =>
    `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`,
  asText: (expression) => `CAST(${expression} AS STRING)`,
  // from Spark 4 on a plain CAST of text that is no number is an error (ANSI mode)
  tryInteger: (expression) => `try_cast(${expression} AS BIGINT)`,
  divide: (dividend, divisor) => `(${dividend} DIV ${divisor})`,
  dateOfDays: (days) => `CAST(date_add(DATE '1970-01-01', CAST(${days} AS INT)) AS STRING)`,
  joinSorted: (expression) => `array_join(sort_array(collect_list(${expression})), ',')`,
  requestKey: (ray) => ray,
  once: 'AS',
};
