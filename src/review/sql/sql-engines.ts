/** The engines that the comparison is written for, as `review --sql` takes them; src/review/sql/dialects has them. */
export const SQL_ENGINES = ['duckdb', 'spark'] as const;

/** A value of {@link SQL_ENGINES}. */
export type SqlEngine = (typeof SQL_ENGINES)[number];
