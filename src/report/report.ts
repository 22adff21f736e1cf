import { type Finding } from '../core/finding';
import { type Parity } from '../translate/compare/parity';

/** One zone of a report. */
export interface ZoneReport {
  readonly zoneId: string;
  /** Its domain, where the service was asked. */
  readonly name?: string;
  /** What the old settings were held against, in words: `the live entry point`. */
  readonly against: string;
  readonly parity: Parity;
  readonly findings: readonly Finding[];
}

/** What became of the old settings of one zone or many. */
export interface Report {
  readonly zones: readonly ZoneReport[];
}
