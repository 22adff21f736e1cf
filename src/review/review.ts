import { type Finding } from '../model/finding';
import { type Comparison } from './comparison';
import { type Effect } from './effect';
import { type Proposal } from './propose/proposal';
import { type Intake } from './read/event-input';

/** The old WAF against the new one, in security events. The command's JSON, less `sets`. */
export interface Review extends Comparison {
  readonly format: 'cf-waf-migrate/review';
  readonly formatVersion: 1;
  /** Undefined where a result table was read. */
  readonly intake?: Intake;
  readonly findings: readonly Finding[];
  /** With `--propose`. */
  readonly proposal?: Proposal;
  /** With `--baseline`. */
  readonly effect?: Effect;
}
