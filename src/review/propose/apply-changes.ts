import { createHash } from 'node:crypto';
import { objectOf, objectsOf } from '../../core/json';
import { parametersOf, type Ruleset, type RulesetRule } from '../../core/ruleset';
import { viewRuleset } from '../../ruleset/view-ruleset';
import { type RuleAnswer } from '../comparison';
import { type ManagedRuleId } from '../managed-rules';

interface Common extends ManagedRuleId {
  /** What a rule of either WAF did. */
  readonly evidence: Pick<
    RuleAnswer,
    'ruleId' | 'name' | 'requests' | 'share' | 'clients' | 'paths' | 'samples'
  >;
  /** The reason, in words. */
  readonly why: string;
}

/** An override: a managed rule only logs, or the successor of a legacy rule does what the legacy one did. */
type OverrideChange = Common &
  (
    | { readonly kind: 'log' }
    | { readonly kind: 'enable'; readonly action: 'block' | 'managed_challenge' }
  );

/** An exception for one managed rule. */
type SkipChange = Common & { readonly kind: 'skip'; readonly expression: string };

/** One change of the configuration. */
export type ProposedChange = OverrideChange | SkipChange;

/** Whether the configuration already has a change, or a stricter override. */
export function isPresent(rules: readonly RulesetRule[], change: ProposedChange): boolean {
  if (change.kind === 'skip') return rules.some(({ ref }) => ref === refOf(change));
  return viewRuleset({ rules })
    .executes.filter(({ ruleset }) => ruleset === change.rulesetId)
    .every((execute) => {
      const { action, enabled } = execute.rules.get(change.ruleId) ?? {};
      if (change.kind === 'log') return action === 'log';
      return enabled === true && (action === change.action || action === 'block');
    });
}

/**
 * The configuration with the changes in it: overrides in the rules that deploy the managed rulesets, and
 * exceptions before them.
 */
export function applyChanges(ruleset: Ruleset, changes: readonly ProposedChange[]): Ruleset {
  const first = ruleset.rules.findIndex(({ action }) => action === 'execute');
  const at = first < 0 ? ruleset.rules.length : first;
  const rules = ruleset.rules.map((rule) =>
    changes.reduce(
      (changed, change) => (change.kind === 'skip' ? changed : withOverride(changed, change)),
      rule,
    ),
  );
  const exceptions = changes.flatMap((change) => (change.kind === 'skip' ? skipRule(change) : []));
  return { ...ruleset, rules: [...rules.slice(0, at), ...exceptions, ...rules.slice(at)] };
}

/** Made from what the rule matches: the same requests give the same ref in each round. */
function refOf({ ruleId, expression }: SkipChange): string {
  const digest = createHash('sha256').update(`${ruleId} ${expression}`).digest('hex');
  return `review_skip_${digest.slice(0, 12)}`;
}

function skipRule(change: SkipChange): RulesetRule {
  const { ruleId, rulesetId, expression, evidence } = change;
  return {
    ref: refOf(change),
    expression,
    action: 'skip',
    description: `review: ${evidence.requests} requests that the legacy WAF allowed`,
    enabled: true,
    fields: {
      action_parameters: { rules: { [rulesetId]: [ruleId] } },
      logging: { enabled: true },
    },
  };
}

/** The rule with the override in it, if it deploys the managed ruleset. */
function withOverride(rule: RulesetRule, change: OverrideChange): RulesetRule {
  const { ruleId, rulesetId } = change;
  const parameters = parametersOf(rule);
  if (rule.action !== 'execute' || parameters['id'] !== rulesetId) return rule;
  const overrides = objectOf(parameters['overrides']);
  const before = objectsOf(overrides['rules']);
  const override =
    change.kind === 'log' ? { action: 'log' } : { action: change.action, enabled: true };
  const rules = before.some(({ id }) => id === ruleId)
    ? before.map((one) => (one['id'] === ruleId ? { ...one, ...override } : one))
    : [...before, { id: ruleId, ...override }];
  return {
    ...rule,
    fields: {
      ...rule.fields,
      action_parameters: { ...parameters, overrides: { ...overrides, rules } },
    },
  };
}
