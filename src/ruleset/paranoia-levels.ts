import { SCORING_RULE } from '../core/ruleset';
import { PARANOIA_CATEGORIES } from './known-rulesets';
import { type ExecuteView } from './view-ruleset';

/**
 * Why a rule that deploys OWASP does nothing or almost nothing; undefined if it acts. Only the scoring rule
 * acts, and each level adds to those below it.
 */
export function owaspOff(execute: ExecuteView): string | undefined {
  if (isScoringOff(execute)) return 'the scoring rule is off';
  return readLevel(execute).level === 0 ? 'paranoia level 1 is off' : undefined;
}

/** Whether the scoring rule is off, which is the only rule that acts. */
export function isScoringOff({ rules, all }: ExecuteView): boolean {
  return (rules.get(SCORING_RULE)?.enabled ?? all.enabled) === false;
}

/** The highest paranoia level of OWASP that is on with all levels below it. */
interface ParanoiaLevel {
  /** 0 if none is on. */
  readonly level: number;
  /** Whether the next level has its default, which is documented in two ways. */
  readonly isUnclear: boolean;
}

/**
 * Reads the paranoia level; a category overrides the ruleset. If neither is set, the default applies: only
 * level 1, or all four (docs/report.md), so level 1 is on in both cases. If level 4 is switched off, as in
 * Cloudflare's proposal, the others are assumed to be on.
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
