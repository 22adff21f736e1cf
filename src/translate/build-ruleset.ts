import { compareTexts } from '../core/lists';
import { type JsonObject } from '../core/json';
import { printable } from '../core/printable';
import { MANAGED_PHASE, type Ruleset, type RulesetRule, SCORING_RULE } from '../core/ruleset';
import {
  CLOUDFLARE_RULESET,
  OWASP_RULESET,
  PARANOIA_CATEGORIES,
  rulesetName,
} from '../ruleset/known-rulesets';
import {
  type Draft,
  type OwaspDraft,
  type RegionDraft,
  type RuleDraft,
  type SkipDraft,
} from './reading/draft';
import { newAction } from './reading/setting';

/** The longest description: enough to find the old thing again. */
const MAX_DESCRIPTION = 200;

/**
 * Builds the entry point from what was understood, as the configuration endpoint would answer: no
 * ids, and exceptions before what they except from (the documentation of exceptions). Refs are
 * explicit and do not depend on the order, so that a rule keeps its ref when others come and go.
 */
export function buildRuleset(draft: Draft): Ruleset {
  const taken = new Set<string>();
  const rules = [
    ...draft.skips.map((skip) => skipRule(skip, taken)),
    ...draft.regions.map((region) => regionRule(region, taken)),
    ...(draft.base === undefined ? [] : generalRules(draft, draft.base)),
  ];
  return { name: 'default', kind: 'zone', phase: MANAGED_PHASE, rules, fields: {} };
}

function skipRule(
  { ref, description, expression, rules }: SkipDraft,
  taken: Set<string>,
): RulesetRule {
  const what: JsonObject =
    rules === 'all' ? { ruleset: 'current' } : { rules: { [CLOUDFLARE_RULESET]: rules } };
  return {
    ref: unique(ref, taken),
    action: 'skip',
    expression,
    description: oneLine(description),
    enabled: true,
    fields: { action_parameters: what },
  };
}

function regionRule(region: RegionDraft, taken: Set<string>): RulesetRule {
  const description = oneLine(region.description);
  const ref = unique(region.ref, taken);
  return {
    ...execute(CLOUDFLARE_RULESET, region.expression, ruleOverrides(region.rules)),
    ref,
    description,
  };
}

function generalRules({ general, rules, owasp }: Draft, base: string): RulesetRule[] {
  return [
    execute(CLOUDFLARE_RULESET, general, ruleOverrides(rules)),
    ...(owasp === undefined ? [] : [execute(OWASP_RULESET, base, owaspOverrides(owasp))]),
  ];
}

function execute(ruleset: string, expression: string, overrides: JsonObject): RulesetRule {
  const some = Object.keys(overrides).length > 0;
  return {
    ref: `execute_${ruleset}`,
    action: 'execute',
    expression,
    description: rulesetName(ruleset),
    enabled: true,
    fields: { action_parameters: { id: ruleset, ...(some ? { overrides } : {}) } },
  };
}

/** `enabled` is explicit: a rule that was set to act did so whatever its default. */
function ruleOverrides(drafts: readonly RuleDraft[]): JsonObject {
  const rules = [...drafts]
    .sort((a, b) => compareTexts(a.id, b.id))
    .map(({ id, action, enabled }) => ({
      id,
      ...(action === undefined ? {} : { action: newAction[action] }),
      enabled,
    }));
  return rules.length === 0 ? {} : { rules };
}

/**
 * Every paranoia level is explicit, because the default is documented in two ways; of several
 * categories the last one listed wins. The action belongs on the scoring rule, not on the ruleset
 * (provider issues 2009, 2056, 2287).
 */
function owaspOverrides({ level, threshold, action }: OwaspDraft): JsonObject {
  return {
    categories: PARANOIA_CATEGORIES.map((category, index) => ({
      category,
      enabled: index < level,
    })),
    rules: [
      {
        id: SCORING_RULE,
        ...(action === undefined ? {} : { action: newAction[action] }),
        score_threshold: threshold,
        enabled: true,
      },
    ],
  };
}

/** Text from the zone, for one line; NFC, because Terraform normalises. */
function oneLine(text: string): string {
  return printable(text.toWellFormed().normalize('NFC'), MAX_DESCRIPTION);
}

function unique(ref: string, taken: Set<string>): string {
  let candidate = ref.slice(0, 40);
  for (let number = 2; taken.has(candidate); number += 1) {
    candidate = `${ref.slice(0, 40)}_${number}`;
  }
  taken.add(candidate);
  return candidate;
}
