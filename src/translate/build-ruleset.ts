import { type JsonObject, sha256 } from '../core/json';
import { compareTexts, firstFree } from '../core/lists';
import { printable } from '../core/printable';
import { MANAGED_PHASE, type Ruleset, type RulesetRule, SCORING_RULE } from '../core/ruleset';
import {
  CLOUDFLARE_RULESET,
  OWASP_RULESET,
  PARANOIA_CATEGORIES,
  rulesetName,
} from '../ruleset/known-rulesets';
import { executeRef } from '../ruleset/normalise-ruleset';
import { type LegacyAction } from './reading/setting';

export interface RuleDraft {
  readonly id: string;
  readonly meaning: 'off' | LegacyAction;
}

export interface OwaspDraft {
  readonly level: number;
  readonly threshold: number;
  /** Undefined for the default of the ruleset. */
  readonly action: LegacyAction | undefined;
}

export interface SkipDraft {
  readonly ref: string;
  readonly description: string;
  readonly expression: string;
  /** The rules of the Cloudflare Managed Ruleset; absent for every later rule of the entry point. */
  readonly rules?: readonly string[];
}

export interface Draft {
  readonly skips: readonly SkipDraft[];
  /** The requests that the managed rulesets run for. */
  readonly expression: string;
  readonly rules: readonly RuleDraft[];
  readonly owasp: OwaspDraft | undefined;
}

/**
 * Builds the entry point as the configuration endpoint would return it: without ids, and with exceptions
 * before the rules that they apply to (Cloudflare's documentation of exceptions). Refs do not depend on the
 * order, so that a rule keeps its ref when other rules are added or removed.
 *
 * @param draft undefined if the WAF is off
 */
export function buildRuleset(draft: Draft | undefined): Ruleset {
  const rules = draft === undefined ? [] : buildRules(draft);
  return { name: 'default', kind: 'zone', phase: MANAGED_PHASE, rules, fields: {} };
}

function buildRules({ skips, expression, rules, owasp }: Draft): RulesetRule[] {
  const taken = new Set<string>();
  return [
    ...skips.map((skip) => skipRule(skip, taken)),
    execute(CLOUDFLARE_RULESET, expression, ruleOverrides(rules)),
    ...(owasp === undefined ? [] : [execute(OWASP_RULESET, expression, owaspOverrides(owasp))]),
  ];
}

function skipRule(
  { ref, description, expression, rules }: SkipDraft,
  taken: Set<string>,
): RulesetRule {
  const what: JsonObject =
    rules === undefined ? { ruleset: 'current' } : { rules: { [CLOUDFLARE_RULESET]: rules } };
  return {
    ref: firstFree(ref, taken),
    action: 'skip',
    expression,
    // in NFC, because Terraform normalises it; 200 characters are enough to recognise the source
    description: printable(description.toWellFormed().normalize('NFC'), 200),
    enabled: true,
    fields: { action_parameters: what },
  };
}

function execute(ruleset: string, expression: string, overrides: JsonObject): RulesetRule {
  const parameters =
    Object.keys(overrides).length > 0 ? { id: ruleset, overrides } : { id: ruleset };
  return {
    ref: executeRef(ruleset),
    action: 'execute',
    expression,
    description: rulesetName(ruleset),
    enabled: true,
    fields: { action_parameters: parameters },
  };
}

/**
 * The new action for a legacy action (spec: "Simulate becomes Log"; a real migrated zone has
 * `managed_challenge` instead of Challenge).
 */
const newAction = {
  simulate: 'log',
  block: 'block',
  challenge: 'managed_challenge',
} as const satisfies Record<LegacyAction, string>;

/** Sets `enabled` explicitly, because a rule with an action acted regardless of its default. */
function ruleOverrides(drafts: readonly RuleDraft[]): JsonObject {
  const rules = drafts
    .toSorted((a, b) => compareTexts(a.id, b.id))
    .map(({ id, meaning }) =>
      meaning === 'off'
        ? { id, enabled: false }
        : { id, action: newAction[meaning], enabled: true },
    );
  return rules.length === 0 ? {} : { rules };
}

/**
 * Sets every paranoia level explicitly, because the default is documented in two ways. If several categories
 * apply, the last one listed wins. The action belongs on the scoring rule, not on the ruleset (provider
 * issues 2009, 2056, 2287).
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

/**
 * A short name for the ref of a rule, stable as long as its legacy source is: the beginning of the source's
 * id, otherwise a digest of where it was read.
 */
export function shortName(id: string | undefined, from: string): string {
  const clean = (id ?? '').replace(/[^A-Za-z0-9]/g, '').slice(0, 12);
  return clean === '' ? sha256(from).slice(0, 12) : clean;
}
