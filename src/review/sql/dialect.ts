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
