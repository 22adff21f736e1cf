import { type Fields, holds } from '../expression/evaluate';
import { type ManagedRule, managedRulesets, OWASP_SCORE_RULE } from '../resources/managed-rulesets';
import {
  entryPointOf,
  isJsonObject,
  type Json,
  type JsonObject,
  MANAGED_PHASE,
  type Rule,
  type Zone,
} from '../world';
import { type Matches, terminates, untilTerminated, type Verdict } from './sample-request';

/** Runs a request through the entry point, rule by rule, until one terminates. */
export function runNewWaf(zone: Zone, fields: Fields, matches: Matches): Verdict[] {
  const rules = entryPointOf(zone)?.rules ?? [];
  const verdicts: Verdict[] = [];
  let skips: Skips = { all: false, rulesets: new Set(), rules: new Set() };
  for (const rule of rules) {
    if (skips.all) break;
    if (!rule.enabled || !holds(rule.expression, fields)) continue;
    if (rule.action === 'skip') {
      skips = skipsOf(rule, skips);
      if (objectOf(rule['logging'])['enabled'] === true) verdicts.push(ownVerdict(rule));
      continue;
    }
    verdicts.push(
      ...(rule.action === 'execute' ? execute(rule, skips, matches) : [ownVerdict(rule)]),
    );
    if (verdicts.some(terminates)) break;
  }
  return verdicts;
}

function execute(rule: Rule, skips: Skips, matches: Matches): Verdict[] {
  const parameters = objectOf(rule['action_parameters']);
  const ruleset = managedRulesets.find(({ id }) => id === parameters['id']);
  if (ruleset === undefined || skips.rulesets.has(ruleset.id)) return [];
  const overrides = objectOf(parameters['overrides']);
  const rules = ruleset.rules
    .filter(({ id }) => !skips.rules.has(id))
    .map((one) => effectiveRule(one, overrides))
    .filter(({ enabled }) => enabled);
  const score = rules.reduce((sum, { id }) => sum + (matches.scores.get(id) ?? 0), 0);
  const hits = rules.filter(({ id, score_threshold: threshold = Infinity }) =>
    id === OWASP_SCORE_RULE ? score >= threshold : matches.managed.has(id),
  );
  return untilTerminated(hits.map((one) => managedVerdict(one, ruleset.version)));
}

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

function managedVerdict(rule: ManagedRule, rulesetVersion: string): Verdict {
  const { id, action, description, version } = rule;
  const metadata = { ruleset_version: rulesetVersion, type: 'customer', version };
  return { action, source: 'firewallmanaged', ruleId: id, ref: '', description, metadata };
}

function ownVerdict({ id, action, ref, description, version }: Rule): Verdict {
  const text = typeof description === 'string' ? description : '';
  const metadata = { type: 'customer', version };
  return { action, source: 'firewallmanaged', ruleId: id, ref, description: text, metadata };
}

/**
 * A managed rule with the overrides of its execute rule. Rule overrides take precedence over tag
 * overrides, and these over ruleset overrides; the last listed tag wins (public documentation). The
 * ruleset's action does not affect the OWASP score rule (provider issues 2056, 2287).
 */
function effectiveRule(rule: ManagedRule, overrides: JsonObject): ManagedRule {
  const tags = listOf(overrides['categories']).filter(({ category }) =>
    rule.categories.some((one) => one === category),
  );
  const own = listOf(overrides['rules']).filter(({ id }) => id === rule.id);
  const whole = rule.id === OWASP_SCORE_RULE ? { ...overrides, action: null } : overrides;
  return [whole, ...tags, ...own].reduce<ManagedRule>(apply, rule);
}

function apply(rule: ManagedRule, change: JsonObject): ManagedRule {
  const { action, enabled, score_threshold: threshold } = change;
  return {
    ...rule,
    ...(typeof action === 'string' ? { action } : {}),
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
    ...(typeof threshold === 'number' ? { score_threshold: threshold } : {}),
  };
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The exclusions of the skip rules so far. */
interface Skips {
  /** The rest of the entry point. */
  readonly all: boolean;
  /** Whole managed rulesets. */
  readonly rulesets: ReadonlySet<string>;
  /** Single rules of managed rulesets. */
  readonly rules: ReadonlySet<string>;
}

/** The skips, including one more skip rule in any of its forms (public documentation). */
function skipsOf({ action_parameters: parameters }: Rule, before: Skips): Skips {
  if (!isJsonObject(parameters)) return before;
  const { ruleset, rulesets, rules, phases } = parameters;
  const single = isJsonObject(rules) ? Object.values(rules).flatMap(textsOf) : [];
  return {
    all: before.all || ruleset === 'current' || textsOf(phases).includes(MANAGED_PHASE),
    rulesets: new Set([...before.rulesets, ...textsOf(rulesets)]),
    rules: new Set([...before.rules, ...single]),
  };
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
