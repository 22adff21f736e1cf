import { type Finding } from '../core/finding';
import { type Comparison } from './comparison';
import { type Effect } from './baseline';
import { type Proposal } from './propose/proposal';
import { type Intake } from './read/event-files';

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

/** What scripts read; the sets of rules are only for proposals. */
export function reviewJson(review: Review): Omit<Review, 'sets'> {
  const { format, formatVersion, intake, requests, classes, undecidable, sampled } = review;
  const { scores, rules, timeline, findings, proposal, effect } = review;
  return {
    format,
    formatVersion,
    ...(intake === undefined ? {} : { intake }),
    requests,
    classes,
    undecidable,
    sampled,
    scores,
    rules,
    timeline,
    ...(proposal === undefined ? {} : { proposal }),
    ...(effect === undefined ? {} : { effect }),
    findings,
  };
}
