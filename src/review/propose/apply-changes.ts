import { createHash } from 'node:crypto';
import { objectOf, objectsOf } from '../../core/json';
import { parametersOf, type Ruleset, type RulesetRule } from '../../core/ruleset';
import { viewRuleset } from '../../ruleset/view-ruleset';
import { type RuleAnswer } from '../comparison';
import { type ManagedRuleId } from '../managed-rules';

/** The evidence for a change: what a rule of either WAF did. */
export type Evidence = Pick<
  RuleAnswer,
  'ruleId' | 'name' | 'requests' | 'share' | 'clients' | 'paths' | 'samples'
>;

/** An action that stops requests. */
export type StopAction = 'block' | 'managed_challenge';

interface Common {
  readonly evidence: Evidence;
  /** The reason, in words. */
  readonly why: string;
}

/** An override that lets a managed rule log only. */
type LogChange = Common & ManagedRuleId & { readonly kind: 'log' };

/** An override that lets the successor of a legacy rule do what the legacy one did. */
type EnableChange = Common &
  ManagedRuleId & { readonly kind: 'enable'; readonly action: StopAction };

/** An exception for one managed rule. */
type SkipChange = Common & ManagedRuleId & { readonly kind: 'skip'; readonly expression: string };

/** A custom rule of the zone. */
type CustomChange = Common & {
  readonly kind: 'custom';
  readonly action: StopAction;
  readonly expression: string;
  /** How many of the seen requests it certainly matches. */
  readonly covers: number;
  readonly enabled: boolean;
};

/** One change of the configuration. */
export type ProposedChange = LogChange | EnableChange | SkipChange | CustomChange;

/** Whether a change adds a rule; the others override a managed one. */
export const addsRule = (change: ProposedChange): change is SkipChange | CustomChange =>
  change.kind === 'skip' || change.kind === 'custom';

/** The ref of an added rule, made from what it matches: the same requests give the same ref in each round. */
export function refOf(change: SkipChange | CustomChange): string {
  const { kind, expression } = change;
  const text = kind === 'skip' ? `${change.ruleId} ${expression}` : expression;
  return `review_${kind}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

/** Whether the configuration already overrides a rule as the change would, or more strictly. */
export function isOverridden(
  rules: readonly RulesetRule[],
  change: LogChange | EnableChange,
): boolean {
  return viewRuleset({ rules })
    .executes.filter(({ ruleset }) => ruleset === change.rulesetId)
    .every((execute) => {
      const { action, enabled } = execute.rules.get(change.ruleId) ?? {};
      if (change.kind === 'log') return action === 'log';
      return enabled === true && (action === change.action || action === 'block');
    });
}

/**
 * The configuration with the changes in it: overrides in the rules that deploy the managed rulesets,
 * exceptions before them, custom rules at the end. Those that block come before those that challenge:
 * the first rule that ends a request decides.
 */
export function applyChanges(ruleset: Ruleset, changes: readonly ProposedChange[]): Ruleset {
  const first = ruleset.rules.findIndex(({ action }) => action === 'execute');
  const at = first < 0 ? ruleset.rules.length : first;
  const rules = ruleset.rules.map((rule) =>
    changes.reduce(
      (changed, change) => (addsRule(change) ? changed : withOverride(changed, change)),
      rule,
    ),
  );
  const added = changes.filter(addsRule).map(addedRule);
  const acting = (action: string): RulesetRule[] => added.filter((rule) => rule.action === action);
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

function addedRule(change: SkipChange | CustomChange): RulesetRule {
  const { expression, evidence } = change;
  const head = { ref: refOf(change), expression };
  if (change.kind === 'custom') {
    const legacyId = evidence.ruleId.replace(/[^0-9A-Za-z_-]/g, '');
    const description = `review: only legacy rule ${legacyId} stopped these`;
    return { ...head, action: change.action, description, enabled: change.enabled, fields: {} };
  }
  return {
    ...head,
    action: 'skip',
    description: `review: ${evidence.requests} requests that the legacy WAF allowed`,
    enabled: true,
    fields: {
      action_parameters: { rules: { [change.rulesetId]: [change.ruleId] } },
      logging: { enabled: true },
    },
  };
}

/** The rule with the override in it, if it deploys the managed ruleset. */
function withOverride(rule: RulesetRule, change: LogChange | EnableChange): RulesetRule {
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
