/** How much a finding weighs: `info` informs, `decision` asks a person, `blocker` stops the command. */
export type Severity = 'info' | 'decision' | 'blocker';

/**
 * Something that a person should know: expected results (a zone that is not compatible, a lossy
 * setting) are findings, not errors. Part of every command's JSON (docs/plan-format.md).
 */
export interface Finding {
  /** Stable, upper case, e.g. `URI_OVERRIDE`. Scripts rely on it. */
  readonly code: string;
  readonly severity: Severity;
  /** What it is about: a zone id, an address, a JSON path. */
  readonly subject: string;
  readonly message: string;
  /** What to do, in the imperative. */
  readonly remedy: string;
}
