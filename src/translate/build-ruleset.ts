import { createHash } from 'node:crypto';
import { type JsonObject } from '../core/json';
import { compareTexts } from '../core/lists';
import { printable } from '../core/printable';
import { MANAGED_PHASE, type Ruleset, type RulesetRule, SCORING_RULE } from '../core/ruleset';
import {
  CLOUDFLARE_RULESET,
  OWASP_RULESET,
  PARANOIA_CATEGORIES,
  rulesetName,
} from '../ruleset/known-rulesets';
import { firstFree } from '../ruleset/normalise-ruleset';
import { type LegacyAction, newAction } from './reading/setting';

/** The override of a rule of the Cloudflare Managed Ruleset. */
export interface RuleDraft {
  readonly id: string;
  readonly meaning: 'off' | LegacyAction;
}

/** How the OWASP ruleset is deployed. */
export interface OwaspDraft {
  readonly level: number;
  readonly threshold: number;
  /** Undefined: as the ruleset has it. */
  readonly action: LegacyAction | undefined;
}

/** An exception. */
export interface SkipDraft {
  readonly ref: string;
  readonly description: string;
  readonly expression: string;
  /** `all`: every rule that comes after it in the entry point. */
  readonly rules: readonly string[] | 'all';
}

/** What a ruleset is built from. */
export interface Draft {
  readonly skips: readonly SkipDraft[];
  /** The requests that the managed rulesets run for. */
  readonly expression: string;
  readonly rules: readonly RuleDraft[];
  readonly owasp: OwaspDraft | undefined;
}

/** In characters: enough to recognise what it came from. */
const MAX_DESCRIPTION = 200;

/**
 * Builds the entry point from what was understood, as the configuration endpoint would answer: no
 * ids, and exceptions before what they except from (the documentation of exceptions). Refs are
 * explicit and do not depend on the order, so that a rule keeps its ref when others come and go.
 *
 * @param draft undefined: the WAF is off
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
    rules === 'all' ? { ruleset: 'current' } : { rules: { [CLOUDFLARE_RULESET]: rules } };
  return {
    ref: firstFree(ref.slice(0, 40), taken),
    action: 'skip',
    expression,
    description: oneLine(description),
    enabled: true,
    fields: { action_parameters: what },
  };
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
    .map(({ id, meaning }) =>
      meaning === 'off'
        ? { id, enabled: false }
        : { id, action: newAction[meaning], enabled: true },
    );
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

/**
 * A short name for the ref of a rule, which stays the same while the legacy thing does: the beginning
 * of its id, else a digest of where it was read.
 */
export function shortName(id: string | undefined, from: string): string {
  const clean = (id ?? '').replace(/[^A-Za-z0-9]/g, '').slice(0, 12);
  return clean === '' ? createHash('sha256').update(from).digest('hex').slice(0, 12) : clean;
}
