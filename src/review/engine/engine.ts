/** A value that a parameter of a statement may have. */
export type Parameter = string;

/** The embedded engine, as the review uses it. */
export interface Engine {
  /** Runs a statement without an answer. */
  readonly run: (sql: string) => Promise<void>;
  /** The rows of an answer; integers are numbers. */
  readonly rows: (
    sql: string,
    parameters?: readonly Parameter[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly close: () => void;
}

/** What the engine may use. */
export interface EngineOptions {
  /** The folder that it may read from and write to. */
  readonly folder: string;
  /** Real paths of further files that it may read: links in the folder lead to them. */
  readonly files?: readonly string[];
  /** In megabytes: what does not fit goes to the folder. */
  readonly memory?: number;
}
