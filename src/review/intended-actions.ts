import { type Catalogue } from '../translate/catalogue/catalogue';
import { type JsonObject, objectOf, objectsOf, textOf } from '../model/json';
import { parametersOf, type RulesetRule, SCORING_RULE } from '../model/ruleset';
import { OWASP_RULESET } from '../ruleset/known-rulesets';
import { type Rank, RANKS } from './event-words';
import { type Intended } from './intended';
import { type ZoneRule } from './rule-names';

/** What a configuration means for the rules, and what could not be worked out. */
export interface IntendedActions {
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
 * What each managed rule does under a configuration: the override of the rule wins over those of its
 * tags, of which the last one listed wins, and these over the ruleset's (the service's documentation).
 * A rule of which nothing is known is taken to block: most do.
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
  for (const rule of rules) {
    if (rule.action !== 'execute' || rule.enabled === false) continue;
    const parameters = parametersOf(rule);
    const overrides = objectOf(parameters['overrides']);
    const ruleset = textOf(parameters['id']);
    const known = knownRules(ruleset, catalogue, zoneRules);
    const tags = objectsOf(overrides['categories']);
    if (zoneRules.length === 0) {
      for (const { category, action } of tags) {
        if (typeof action === 'string') unresolved.add(textOf(category));
      }
    }
    const own = new Map(objectsOf(overrides['rules']).map((one) => [textOf(one['id']), one]));
    const scoring = ruleset === OWASP_RULESET ? [SCORING_RULE] : [];
    const ids = new Set([...known.map(({ id }) => id), ...own.keys(), ...scoring]);
    for (const id of ids) {
      const rule = known.find((one) => one.id === id);
      const layers = [
        // an action of the whole was seen not to reach the scoring rule (provider issues 2056, 2287)
        id === SCORING_RULE ? { ...overrides, action: null } : overrides,
        ...tags.filter(({ category }) => rule?.categories.includes(textOf(category))),
        own.get(id) ?? {},
      ];
      const rank = rankUnder(rule?.action ?? 'block', layers);
      const before = ranks.get(id);
      if (before === undefined || rank > before) ranks.set(id, rank);
    }
    whole.push(rankUnder('block', [overrides]));
  }
  // the action of a whole ruleset holds for rules that nobody knows as well
  const fallback = whole.reduce<Rank>((most, one) => (one > most ? one : most), RANKS.none);
  return {
    intended: { fallback, rules: new Map([...ranks].filter(([, rank]) => rank !== fallback)) },
    unresolvedTags: [...unresolved],
  };
}

/** The last layer that says it decides what a rule does, and the last that says it whether it is on. */
function rankUnder(action: string, layers: readonly JsonObject[]): Rank {
  const merged = layers.reduce<{ action: string; isOn: boolean }>(
    (sofar, layer) => ({
      action: typeof layer['action'] === 'string' ? layer['action'] : sofar.action,
      isOn: typeof layer['enabled'] === 'boolean' ? layer['enabled'] : sofar.isOn,
    }),
    { action, isOn: true },
  );
  return merged.isOn ? rankOf(merged.action) : RANKS.none;
}

function rankOf(action: string): Rank {
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
