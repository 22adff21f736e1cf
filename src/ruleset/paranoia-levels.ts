import { SCORING_RULE } from '../core/ruleset';
import { PARANOIA_CATEGORIES } from './known-rulesets';
import { type ExecuteView } from './view-ruleset';

/**
 * What of a rule that deploys OWASP is off, so that it does nothing, or nearly: the scoring rule alone acts,
 * and each level adds to those below it. Undefined: it acts.
 */
export function owaspOff(execute: ExecuteView): string | undefined {
  if (isScoringOff(execute)) return 'the scoring rule is off';
  return readLevel(execute).level === 0 ? 'paranoia level 1 is off' : undefined;
}

/** Whether the one rule that acts is off. */
export function isScoringOff({ rules, all }: ExecuteView): boolean {
  return (rules.get(SCORING_RULE)?.enabled ?? all.enabled) === false;
}

/** The highest paranoia level of OWASP that is on with all levels below it. */
interface ParanoiaLevel {
  /** 0: none. */
  readonly level: number;
  /** The next level is as by default, which is documented in two ways. */
  readonly isUnclear: boolean;
}

/**
 * A category overrides the ruleset. Without a word on either the default holds: level 1 alone, or all
 * four (docs/report.md); level 1 is on in both. If the highest is switched off, as in the proposal of
 * Cloudflare, the others are assumed to be on.
 */
export function readLevel({ categories, all }: ExecuteView): ParanoiaLevel {
  const isCut = categories.get(PARANOIA_CATEGORIES[3])?.enabled === false;
  const states = PARANOIA_CATEGORIES.map(
    (category, at) =>
      categories.get(category)?.enabled ?? all.enabled ?? (isCut || at === 0 || undefined),
  );
  const level = [...states, false].findIndex((state) => state !== true);
  return { level, isUnclear: level < states.length && states[level] === undefined };
}
