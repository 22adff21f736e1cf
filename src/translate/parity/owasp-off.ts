import { SCORING_RULE } from '../../model/ruleset';
import { PARANOIA_CATEGORIES } from '../known-ids';
import { type Answer } from './answer';
import { inWords, readLevels } from './paranoia-levels';
import { type ExecuteView } from './ruleset-view';

const OFF = 'the OWASP ruleset is deployed, and its overrides leave nothing of it to act';

/**
 * Why a rule that deploys OWASP does nothing, or nearly: the scoring rule alone acts, and it needs rules
 * that count. Undefined: it acts.
 */
export function whyOwaspOff(execute: ExecuteView): Pick<Answer, 'to' | 'why'> | undefined {
  if (isScoringOff(execute)) return { to: 'the scoring rule is off', why: OFF };
  const { off } = readLevels(execute);
  if (off.length === PARANOIA_CATEGORIES.length)
    return { to: 'every paranoia level is off', why: OFF };
  if (!off.includes(1)) return undefined;
  const to = `off: paranoia level ${inWords(off)}`;
  return {
    to,
    why: 'each level adds to those below it, and without the first the rest counts little',
  };
}

/** Whether the one rule that acts is off. */
export function isScoringOff({ rules, all }: ExecuteView): boolean {
  return (rules.get(SCORING_RULE)?.enabled ?? all.enabled) === false;
}
