import { type RulesetRule, SCORING_RULE } from '../core/ruleset';
import { OWASP_RULESET } from '../ruleset/known-rulesets';
import { overridden, type RuleState, viewRuleset } from '../ruleset/view-ruleset';
import { type Catalogue } from '../translate/catalogue/catalogue';
import { type Rank, RANKS } from './events';
import { type ZoneRule } from './rule-names';

/** What a configuration means for the rules, and what could not be worked out. */
interface IntendedActions {
  readonly intended: Intended;
  /** Tags that are overridden, of which it is not known which rules have them. */
  readonly unresolvedTags: readonly string[];
}

interface KnownRule {
  readonly id: string;
  readonly action: string;
  readonly categories: readonly string[];
}

/**
 * What each managed rule does under a configuration: where it runs several times, the strongest
 * counts. A rule of which nothing is known is taken to block: most do.
 *
 * @param zoneRules the rules of the zone's managed rulesets, with their tags, where they were read
 */
export function intendedActions(
  rules: readonly RulesetRule[],
  catalogue: Catalogue,
  zoneRules: readonly ZoneRule[] = [],
): IntendedActions {
  const ranks = new Map<string, Rank>();
  const unresolved = new Set<string>();
  const whole: Rank[] = [];
  for (const execute of viewRuleset({ rules }).executes) {
    if (!execute.enabled) continue;
    const known = knownRules(execute.ruleset, catalogue, zoneRules);
    if (zoneRules.length === 0) {
      for (const [name, { action }] of execute.categories) {
        if (action !== undefined) unresolved.add(name);
      }
    }
    const scoring = execute.ruleset === OWASP_RULESET ? [SCORING_RULE] : [];
    for (const id of new Set([
      ...known.map((one) => one.id),
      ...execute.rules.keys(),
      ...scoring,
    ])) {
      const rule = known.find((one) => one.id === id);
      const rank = rankOf(rule?.action ?? 'block', overridden(id, execute, rule?.categories ?? []));
      const before = ranks.get(id);
      if (before === undefined || rank > before) ranks.set(id, rank);
    }
    whole.push(rankOf('block', execute.all));
  }
  // the action of a whole ruleset holds for rules that nobody knows as well
  const fallback = whole.reduce<Rank>((most, one) => (one > most ? one : most), RANKS.none);
  return {
    intended: { fallback, rules: new Map([...ranks].filter(([, rank]) => rank !== fallback)) },
    unresolvedTags: [...unresolved],
  };
}

/** @param byDefault what the rule does where no override sets an action */
function rankOf(byDefault: string, { action = byDefault, enabled }: RuleState): Rank {
  if (enabled === false) return RANKS.none;
  if (/challenge/i.test(action)) return RANKS.challenge;
  // the change log says Disabled of rules that are off until somebody switches them on
  return /^(?:log|simulate)$/i.test(action) ? RANKS.log : RANKS.block;
}

function knownRules(
  rulesetId: string,
  catalogue: Catalogue,
  zoneRules: readonly ZoneRule[],
): readonly KnownRule[] {
  const own = zoneRules.filter((rule) => rule.rulesetId === rulesetId);
  if (own.length > 0) return own;
  return catalogue.managedRules.flatMap(({ id, rulesetId: of, defaultAction }) =>
    id !== undefined && of === rulesetId ? [{ id, action: defaultAction, categories: [] }] : [],
  );
}

/**
 * What the rules of the new WAF are meant to do after validation. While every new rule only logs
 * (`start-validation --log-only`), a log of a rule counts as this.
 */
export interface Intended {
  /** For rules that are not named. */
  readonly fallback: Rank;
  readonly rules: ReadonlyMap<string, Rank>;
}

/** A log is a log. */
export const AS_LOGGED: Intended = { fallback: RANKS.log, rules: new Map() };
