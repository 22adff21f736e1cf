/** What differs between engines, and nothing else: the query is built in one place. */
export interface Dialect {
  /** A part of a name, quoted. */
  readonly quoteName: (name: string) => string;
  /** A string literal. */
  readonly text: (value: string) => string;
  /** Anything as text; null stays null. */
  readonly asText: (expression: string) => string;
  /** Text as an integer, null where it is none. */
  readonly tryInteger: (expression: string) => string;
  readonly divide: (dividend: string, divisor: number) => string;
  /** Days since 1970-01-01 as `YYYY-MM-DD`. */
  readonly dateOfDays: (days: string) => string;
  /** All values of a group in the order of their characters, joined by commas. */
  readonly joinSorted: (expression: string) => string;
  /** What stands for a Ray ID where requests are put together. */
  readonly requestKey: (ray: string) => string;
  /** How a common table expression begins that should be made once, where that can be said. */
  readonly once: string;
}

/** A literal with its quotes doubled, where a backslash means nothing (SQL standard). */
export const standardText = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Bitwise and. */
export const bitAnd = (one: string, other: string): string => `(${one} & ${other})`;

/** The engines that the comparison is written for, as `review --sql` takes them. */
export const SQL_ENGINES = ['duckdb', 'spark'] as const;

/** A value of {@link SQL_ENGINES}. */
export type SqlEngine = (typeof SQL_ENGINES)[number];

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

/** The dialect of every engine. */
export const dialects: Readonly<Record<SqlEngine, Dialect>> = {
  duckdb,
  spark,
};
