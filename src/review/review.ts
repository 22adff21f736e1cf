import { type Finding } from '../core/finding';
import { type Effect } from './baseline';
import { type Comparison } from './comparison';
import { type Intake } from './intake';
import { type Proposal } from './propose/proposal';

/** The comparison of both WAFs in security events: the command's JSON. */
export interface Review extends Comparison {
  readonly format: 'cf-waf-migrate/review';
  readonly formatVersion: 1;
  /** Undefined if a result table was read. */
  readonly intake?: Intake;
  readonly findings: readonly Finding[];
  /** With `--propose`. */
  readonly proposal?: Proposal;
  /** With `--baseline`. */
  readonly effect?: Effect;
}

/** Whether something would change for a visitor, or is undecidable. */
export function needsDecision({ classes, findings }: Review): boolean {
  const changes = classes['only-legacy'] + classes['only-new'] + classes.stricter + classes.laxer;
  return changes > 0 || findings.some(({ severity }) => severity === 'decision');
}
