/** One file of events, as the engine is given it. */
export interface EventFile {
  /** Its link or copy in the folder of the engine: a name that this tool chose. */
  readonly path: string;
  readonly format: 'lines' | 'parquet';
  readonly compression: 'uncompressed' | 'gzip';
}

/** What was found of the input before the comparison. */
export interface EventInput {
  readonly files: readonly EventFile[];
  /** Where the links lead to. */
  readonly targets: readonly string[];
  /** Names of gzip files that end too early or are damaged. */
  readonly cut: readonly string[];
}

/** What the answers are based on. */
export interface Intake {
  readonly files: number;
  /** Events of either WAF and of other products. */
  readonly events: number;
  /** Lines that are no event: no JSON, or none of the fields. */
  readonly unreadable: number;
  readonly withoutRay: number;
  readonly sampled: number;
  readonly unknownActions: number;
  /** Events of the two WAFs with a time that is not understood. */
  readonly unknownTimes: number;
  /** Fields that no event of the two WAFs has. */
  readonly missing: readonly string[];
  /** The last two labels of hosts, most frequent first. */
  readonly domains: readonly string[];
  readonly cut: readonly string[];
}
