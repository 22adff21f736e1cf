import { CHALLENGE_NOTE, compareAction } from '../reading/modes';
import { type Want } from '../reading/verdict';
import { type Answer } from './answer';
import { describeState, stateIn } from './rule-state';
import { type ExecuteView } from './ruleset-view';

type DefaultWant = Extract<Want, { readonly kind: 'rule-default' }>;

/** How a rule that runs the managed ruleset answers to one that is to be as by default. */
export function answerDefault(
  { id, rewritten }: Pick<DefaultWant, 'id' | 'rewritten'>,
  execute: ExecuteView,
): Answer {
  const { index: rule, rules, categories } = execute;
  const state = stateIn(id, execute);
  const override = rules.has(id) ? `rules/${id}` : rewritten === undefined ? undefined : 'all';
  const places = [override === undefined ? { rule } : { rule, override }];
  const to = `rule ${id}: ${describeState(state)}`;
  if (!rules.has(id) && categories.size > 0) {
    const why = 'categories are overridden, and it is not known which the rule has';
    return { met: 'other', to, why, places };
  }
  if (state.enabled !== undefined) return { met: 'other', to, places };
  if (rewritten === undefined || state.action === undefined) {
    return { met: rewritten === state.action ? 'same' : 'other', to, places };
  }
  const met = compareAction(rewritten, state.action);
  return { met, to, ...(met === 'similar' ? { why: CHALLENGE_NOTE } : {}), places };
}
