import { createHash } from 'node:crypto';
import { type JsonObject } from '../../model/json';
import { type Ruleset, type RulesetRule } from '../../model/ruleset';
import { type ProposedChange } from './change';
import { listOf, objectOf, parametersOf } from './deployed';

/**
 * The configuration with the changes in it: overrides in the rules that deploy the managed rulesets,
 * exceptions before them, own rules at the end.
 */
export function applyChanges(ruleset: Ruleset, changes: readonly ProposedChange[]): Ruleset {
  const skips = changes.flatMap((change) => (change.kind === 'skip' ? [skipRule(change)] : []));
  const own = changes.flatMap((change) => (change.kind === 'custom' ? [customRule(change)] : []));
  const first = ruleset.rules.findIndex(({ action }) => action === 'execute');
  const at = first < 0 ? ruleset.rules.length : first;
  const rules = ruleset.rules.map((rule) => changes.reduce(withOverride, rule));
  return { ...ruleset, rules: [...rules.slice(0, at), ...skips, ...rules.slice(at), ...own] };
}

function withOverride(rule: RulesetRule, change: ProposedChange): RulesetRule {
  if (change.kind === 'skip' || change.kind === 'custom') return rule;
  const parameters = parametersOf(rule);
  if (rule.action !== 'execute' || parameters['id'] !== change.rulesetId) return rule;
  const overrides = objectOf(parameters['overrides']);
  const before = listOf(overrides['rules']);
  const known = before.find(({ id }) => id === change.ruleId) ?? { id: change.ruleId };
  const changed: JsonObject = { ...known, ...overrideOf(change) };
  const rules = before.some(({ id }) => id === change.ruleId)
    ? before.map((one) => (one['id'] === change.ruleId ? changed : one))
    : [...before, changed];
  return {
    ...rule,
    fields: {
      ...rule.fields,
      action_parameters: { ...parameters, overrides: { ...overrides, rules } },
    },
  };
}

function overrideOf(change: ProposedChange): JsonObject {
  if (change.kind === 'log') return { action: 'log' };
  if (change.kind === 'enable') return { action: change.action, enabled: true };
  return { enabled: false };
}

/** Refs come from what the rule says: the same proposal gives the same rules. */
const refOf = (kind: string, text: string): string =>
  `review_${kind}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;

function skipRule(change: ProposedChange & { readonly kind: 'skip' }): RulesetRule {
  const { rulesetId, ruleId, expression, evidence } = change;
  return {
    ref: refOf('skip', `${ruleId} ${expression}`),
    action: 'skip',
    expression,
    description: `review: ${evidence.requests} requests that the old WAF let through`,
    enabled: true,
    fields: {
      action_parameters: { rules: { [rulesetId]: [ruleId] } },
      logging: { enabled: true },
    },
  };
}

function customRule(change: ProposedChange & { readonly kind: 'custom' }): RulesetRule {
  const { action, expression, enabled, evidence } = change;
  return {
    ref: refOf('custom', expression),
    action,
    expression,
    description: `review: only old rule ${evidence.ruleId.replace(/[^0-9A-Za-z_-]/g, '')} stopped these`,
    enabled,
    fields: {},
  };
}
