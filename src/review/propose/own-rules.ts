import { createHash } from 'node:crypto';
import { type RulesetRule } from '../../model/ruleset';
import { type ProposedChange } from './change';

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
export function ownRuleOf(change: OwnRuleChange): RulesetRule {
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
