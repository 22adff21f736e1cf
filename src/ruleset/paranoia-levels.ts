import { SCORING_RULE } from '../core/ruleset';
import { PARANOIA_CATEGORIES } from './known-rulesets';
import { type ExecuteView } from './view-ruleset';

const OFF = 'the OWASP ruleset is deployed, but its overrides switch everything off';

/**
 * Why a rule that deploys OWASP does nothing, or nearly: the scoring rule alone acts, and it needs rules
 * that count. Undefined: it acts.
 */
export function whyOwaspOff(execute: ExecuteView): { to: string; why: string } | undefined {
  if (isScoringOff(execute)) return { to: 'the scoring rule is off', why: OFF };
  const { off } = readLevels(execute);
  if (off.length === PARANOIA_CATEGORIES.length)
    return { to: 'every paranoia level is off', why: OFF };
  if (!off.includes(1)) return undefined;
  const to = `off: paranoia level ${inWords(off)}`;
  return {
    to,
    why: 'each level adds to those below it, and without the first level the others count little',
  };
}

/** Whether the one rule that acts is off. */
export function isScoringOff({ rules, all }: ExecuteView): boolean {
  return (rules.get(SCORING_RULE)?.enabled ?? all.enabled) === false;
}

/** Which paranoia levels of OWASP are on. Each adds the rules of its category to those below it. */
interface ParanoiaLevels {
  readonly on: readonly number[];
  readonly off: readonly number[];
  /** As by default, which is documented in two ways. */
  readonly unclear: readonly number[];
}

/**
 * A category overrides the ruleset. Without a word on either the default holds: level 1 alone, or all
 * four (docs/report.md); level 1 is on in both. If the highest is switched off, as in the proposal of
 * Cloudflare, the others are assumed to be on.
 */
export function readLevels({ categories, all }: ExecuteView): ParanoiaLevels {
  const isCut = categories.get(PARANOIA_CATEGORIES[3])?.enabled === false;
  const states = PARANOIA_CATEGORIES.map((category, at) => ({
    level: at + 1,
    state: categories.get(category)?.enabled ?? all.enabled ?? (isCut || at === 0 || undefined),
  }));
  const levels = (wanted: boolean | undefined): number[] =>
    states.flatMap(({ level, state }) => (state === wanted ? [level] : []));
  return { on: levels(true), off: levels(false), unclear: levels(undefined) };
}

/** In words, of levels of which the first is on: `paranoia level 4 without 2 and 3`. */
export function describeLevels(levels: ParanoiaLevels): string {
  const gaps = gapsOf(levels);
  const { on, unclear } = levels;
  return [
    `paranoia level ${Math.max(...on)}`,
    ...(gaps.length === 0 ? [] : [` without ${inWords(gaps)}`]),
    ...(unclear.length === 0 ? [] : [` (not known whether ${inWords(unclear)} too)`]),
  ].join('');
}

/** Why the levels are not the one that is asked for; undefined: they are. */
export function levelDoubt(levels: ParanoiaLevels, asked: number): string | undefined {
  const table = `the mapping table of the migration has paranoia level ${asked}`;
  if (levels.unclear.length > 0) return `${table}, and the default is documented in two ways`;
  if (gapsOf(levels).length > 0) return `${table}, and each level adds to those below it`;
  return levels.on.length === asked ? undefined : table;
}

/** Whether one of the levels that are asked for is off, or not known to be on. */
export function lacksLevel({ off, unclear }: ParanoiaLevels, asked: number): boolean {
  return [...off, ...unclear].some((level) => level <= asked);
}

/** `1, 2 and 4`. */
function inWords(levels: readonly number[]): string {
  return levels.join(', ').replace(/, (\d)$/, ' and $1');
}

/** The levels that are off although one above them is on. */
function gapsOf({ on, off }: ParanoiaLevels): number[] {
  return off.filter((level) => level < Math.max(...on));
}
