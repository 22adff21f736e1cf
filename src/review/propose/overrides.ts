import { type JsonObject, objectOf, objectsOf } from '../../model/json';
import { deployedBy, parametersOf, type RulesetRule } from '../../model/ruleset';
import { type ProposedChange } from './change';

/** A change of what a managed rule does. */
type OverrideChange = ProposedChange & { readonly kind: 'log' | 'enable' };

/** The rule with the override in it, where it deploys the managed ruleset. */
export function withOverride(rule: RulesetRule, change: OverrideChange): RulesetRule {
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
