/** What differs between engines, and nothing else: the query is built in one place. */
export interface Dialect {
  /** A part of a name, quoted. */
  readonly quoteName: (name: string) => string;
  /** A string literal. */
  readonly text: (value: string) => string;
  /** Anything as text; null stays null. */
  readonly asText: (expression: string) => string;
  /** Text as an integer; null if it is none. */
  readonly tryInteger: (expression: string) => string;
  readonly divide: (dividend: string, divisor: number) => string;
  /** Days since 1970-01-01 as `YYYY-MM-DD`. */
  readonly dateOfDays: (days: string) => string;
  /** All values of a group in the order of their characters, joined by commas. */
  readonly joinSorted: (expression: string) => string;
  /** The key that the events of a request share. */
  readonly requestKey: (ray: string) => string;
  /** How a common table expression begins that should be computed once. */
  readonly once: string;
}

/** The engines that the comparison is written for, as `review --sql` takes them. */
export const SQL_ENGINES = ['duckdb', 'spark'] as const;

/** A value of {@link SQL_ENGINES}. */
export type SqlEngine = (typeof SQL_ENGINES)[number];

/** A literal with its quotes doubled; a backslash means nothing (SQL standard). */
export const standardText = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Whether an expression has one of these bits. */
export const hasBits = (expression: string, bits: number): string =>
  `(${expression} & ${bits}) > 0`;

/** The dialect of every engine. */
export const dialects: Readonly<Record<SqlEngine, Dialect>> = {
  /** DuckDB 1.5: the embedded engine. */
  duckdb: {
    quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
    text: standardText,
    asText: (expression) => `CAST(${expression} AS VARCHAR)`,
    tryInteger: (expression) => `TRY_CAST(${expression} AS BIGINT)`,
    divide: (dividend, divisor) => `(${dividend} // ${divisor})`,
    dateOfDays: (days) => `CAST(DATE '1970-01-01' + CAST(${days} AS INTEGER) AS VARCHAR)`,
    joinSorted: (expression) => `array_to_string(list_sort(list(${expression})), ',')`,
    // 64 bits take half of the memory and time of the text; two of ten million requests collide with a
    // chance of 1 in 300,000
    requestKey: (ray) => `hash(${ray})`,
    once: 'AS MATERIALIZED',
  },
  /** Spark SQL 3.5 and later, Databricks. */
  spark: {
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
  },
};

/** One step of the comparison: a name, and the query that makes it from the steps before. */
export interface Stage {
  readonly name: string;
  readonly query: string;
}
