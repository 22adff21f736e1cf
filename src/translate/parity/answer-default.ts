import { type Want } from '../reading/verdict';
import { type Answer } from './answer';
import { describeState } from './rule-state';
import { type ExecuteView, overridden } from '../../ruleset/view-ruleset';

type DefaultWant = Extract<Want, { readonly kind: 'rule-default' }>;

/** How a rule that runs the managed ruleset answers to one that is to be as by default. */
export function answerDefault({ id }: Pick<DefaultWant, 'id'>, execute: ExecuteView): Answer {
  const { index: rule, rules, categories } = execute;
  const state = overridden(id, execute);
  const places = [rules.has(id) ? { rule, override: `rules/${id}` } : { rule }];
  const to = `rule ${id}: ${describeState(state)}`;
  if (!rules.has(id) && categories.size > 0) {
    const why = 'categories are overridden, and it is not known which the rule has';
    return { met: 'other', to, why, places };
  }
  const isDefault = state.enabled === undefined && state.action === undefined;
  return { met: isDefault ? 'same' : 'other', to, places };
}
