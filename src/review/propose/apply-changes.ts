import { createHash } from 'node:crypto';
import { type JsonObject, objectOf, objectsOf } from '../../core/json';
import { deployedBy, parametersOf, type Ruleset, type RulesetRule } from '../../core/ruleset';
import { type ProposedChange } from './proposal';

/**
 * The configuration with the changes in it: overrides in the rules that deploy the managed rulesets,
 * exceptions before them, own rules at the end. Those that block stand before those that challenge:
 * the first rule that ends a request decides.
 */
export function applyChanges(ruleset: Ruleset, changes: readonly ProposedChange[]): Ruleset {
  const own = changes.filter(addsRule).map(ownRuleOf);
  const acting = (action: string): typeof own => own.filter((rule) => rule.action === action);
  const first = ruleset.rules.findIndex(({ action }) => action === 'execute');
  const at = first < 0 ? ruleset.rules.length : first;
  const rules = ruleset.rules.map((rule) =>
    changes.reduce(
      (changed, change) => (addsRule(change) ? changed : withOverride(changed, change)),
      rule,
    ),
  );
  return {
    ...ruleset,
    rules: [
      ...rules.slice(0, at),
      ...acting('skip'),
      ...rules.slice(at),
      ...acting('block'),
      ...acting('managed_challenge'),
    ],
  };
}

/** A change that is a rule of its own, beside the rules that deploy managed rulesets. */
type OwnRuleChange = ProposedChange & { readonly kind: 'skip' | 'custom' };

/** Whether a change adds a rule; the others override a managed one. */
export const addsRule = (change: ProposedChange): change is OwnRuleChange =>
  change.kind === 'skip' || change.kind === 'custom';

/** Names the rule by what it meets: the same requests give the same ref, in each round. */
export function refOf(change: OwnRuleChange): string {
  const { kind, expression } = change;
  const text = kind === 'skip' ? `${change.ruleId} ${expression}` : expression;
  return `review_${kind}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

/** The rule that a change adds. */
function ownRuleOf(change: OwnRuleChange): RulesetRule {
  const { expression, evidence } = change;
  const ref = refOf(change);
  if (change.kind === 'skip') {
    return {
      ref,
      action: 'skip',
      expression,
      description: `review: ${evidence.requests} requests that the old WAF let through`,
      enabled: true,
      fields: {
        action_parameters: { rules: { [change.rulesetId]: [change.ruleId] } },
        logging: { enabled: true },
      },
    };
  }
  return {
    ref,
    action: change.action,
    expression,
    description: `review: only old rule ${evidence.ruleId.replace(/[^0-9A-Za-z_-]/g, '')} stopped these`,
    enabled: change.enabled,
    fields: {},
  };
}

/** A change of what a managed rule does. */
type OverrideChange = ProposedChange & { readonly kind: 'log' | 'enable' };

/** The rule with the override in it, where it deploys the managed ruleset. */
function withOverride(rule: RulesetRule, change: OverrideChange): RulesetRule {
  if (!isDeploying(rule, change)) return rule;
  const parameters = parametersOf(rule);
  const overrides = objectOf(parameters['overrides']);
  const before = objectsOf(overrides['rules']);
  const changed: JsonObject = {
    ...(standing(rule, change) ?? { id: change.ruleId }),
    ...overrideOf(change),
  };
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

/** Whether the configuration says already what the change would make it say, or more strictly. */
export function isSaid(rules: readonly RulesetRule[], change: OverrideChange): boolean {
  const wanted = Object.entries(overrideOf(change));
  return rules
    .filter((rule) => isDeploying(rule, change))
    .map((rule) => standing(rule, change) ?? {})
    .every((has) =>
      wanted.every(
        ([name, value]) =>
          has[name] === value ||
          (change.kind === 'enable' && name === 'action' && has[name] === 'block'),
      ),
    );
}

const isDeploying = (rule: RulesetRule, { rulesetId }: OverrideChange): boolean =>
  deployedBy(rule) === rulesetId;

const standing = (rule: RulesetRule, { ruleId }: OverrideChange): JsonObject | undefined =>
  objectsOf(objectOf(parametersOf(rule)['overrides'])['rules']).find(({ id }) => id === ruleId);

function overrideOf(change: OverrideChange): JsonObject {
  return change.kind === 'log' ? { action: 'log' } : { action: change.action, enabled: true };
}
