/** One file of events, as the engine is given it. */
export interface EventFile {
  /** As the user named it. */
  readonly name: string;
  /** Its link or copy in the folder of the engine: a name that this tool chose. */
  readonly path: string;
  readonly format: 'lines' | 'parquet';
  readonly compression: 'uncompressed' | 'gzip' | 'zstd';
}

/** What was found of the input before the comparison. */
export interface EventInput {
  readonly files: readonly EventFile[];
  /** Where the links lead to. */
  readonly targets: readonly string[];
  /** Names of files that have no byte. */
  readonly empty: readonly string[];
  /** Names of packed files that end too early or are damaged. */
  readonly cut: readonly string[];
}

/** What the answers stand on. */
export interface Intake {
  readonly files: number;
  /** Events, of either WAF and of other products. */
  readonly events: number;
  /** Lines that are no event: no JSON, or none of the fields. */
  readonly unreadable: number;
  /** The first of these that are no JSON. */
  readonly firstUnreadable: readonly { readonly file: string; readonly text: string }[];
  readonly withoutRay: number;
  readonly sampled: number;
  readonly unknownActions: number;
  /** Events whose host is not of the zone that was named; they are left out. */
  readonly otherZone: number;
  /** Of the events of the two WAFs, how the time is written. */
  readonly times: Readonly<Record<string, number>>;
  /** Fields that no event of the two WAFs has. */
  readonly missing: readonly string[];
  /** The last two labels of hosts, most frequent first. */
  readonly domains: readonly string[];
  readonly empty: readonly string[];
  readonly cut: readonly string[];
}
