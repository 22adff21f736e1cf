interface StageFacts {
  /** Whether an interrupted run is resumed; other stages read again, to be current. */
  readonly resumes?: true;
  /** Whether it only reads a zone. */
  readonly reads?: true;
  /** Whether it succeeds only if the new WAF is on. */
  readonly showsNew?: true;
}

/** The commands for many zones, in the order of the migration. */
const stages = {
  check: { reads: true },
  'fetch-config': { reads: true },
  generate: { resumes: true },
  finish: { resumes: true, showsNew: true },
  status: { reads: true },
  report: { reads: true },
  plan: {},
  rehearse: { resumes: true },
  apply: { resumes: true, showsNew: true },
  verify: { showsNew: true },
} as const satisfies Readonly<Record<string, StageFacts>>;

export type Stage = keyof typeof stages;

/** By name: a ledger can have the stages of another version. */
export const STAGES: ReadonlyMap<string, StageFacts> = new Map(Object.entries(stages));
