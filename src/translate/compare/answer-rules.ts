import { sameExpression } from '../../ruleset/compare-expressions';
import { normaliseExpression } from '../../ruleset/expressions';
import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import {
  type ExecuteView,
  generalExecute,
  type KnownRuleset,
  overridden,
  type RulesetView,
  type RuleState,
  runningExecutes,
} from '../../ruleset/view-ruleset';
import { CHALLENGE_NOTE, compareAction, type Want } from '../reading/setting';
import { type Answer, isMet, isWeaker, nothing } from './answer';
import { type Coverage } from './coverage';

type RuleWant = Extract<Want, { readonly kind: 'rule-off' | 'rule-acts' | 'rule-default' }>;
type OffWant = Extract<Want, { readonly kind: 'rule-off' }>;
type GeneralWant = Extract<Want, { readonly kind: 'rule-off' | 'rule-acts' }>;

/** How a ruleset answers to what an old rule was told to do, for all requests or for some. */
export function answerRule(want: RuleWant, view: KnownRuleset, coverage: Coverage): Answer {
  const answer = answerByRules(want, view, coverage);
  if (want.kind !== 'rule-off' || answer.met === 'same') return answer;
  return neverRuns(want, view, coverage) ? notRun(want.id, answer, view) : answer;
}

/**
 * Whether nothing lets a rule run: exceptions keep it off as surely as an override. Where its managed ruleset is
 * not deployed at all, what was said of its rules is lost with it.
 */
function neverRuns({ id }: OffWant, view: KnownRuleset, coverage: Coverage): boolean {
  const running = runningExecutes(view, CLOUDFLARE_RULESET);
  if (running.length === 0) return false;
  const executes = running.filter((execute) => overridden(id, execute).enabled !== false);
  const target = { ruleset: CLOUDFLARE_RULESET, rule: id };
  return coverage.neverRuns({ executes, target });
}

/** The exceptions that name the rule are there for it. */
function notRun(id: string, { places }: Answer, { skips }: KnownRuleset): Answer {
  const naming = skips.filter(
    ({ enabled, rules }) => enabled && rules.get(CLOUDFLARE_RULESET)?.has(id) === true,
  );
  return {
    met: 'same',
    to: `rule ${id}: runs for none of its requests`,
    places: [...places, ...naming.map(({ index }) => ({ rule: index }))],
  };
}

function answerByRules(want: RuleWant, view: KnownRuleset, coverage: Coverage): Answer {
  if (want.kind === 'rule-default') return answerWithin(want, want.within, view, coverage);
  return want.kind === 'rule-off' || want.within === undefined
    ? answerForAll(want, view, coverage)
    : answerWithin(want, want.within, view, coverage);
}

function answerForAll(want: GeneralWant, view: KnownRuleset, coverage: Coverage): Answer {
  const execute = generalExecute(view, CLOUDFLARE_RULESET);
  const answer =
    execute === undefined ? NOT_RUN : weighed(want, answerIn(want, execute, view), view, coverage);
  return { ...answer, places: [...answer.places, ...repeated(want.id, view, execute)] };
}

function answerWithin(
  want: RuleWant,
  within: string,
  view: KnownRuleset,
  coverage: Coverage,
): Answer {
  const execute = executeFor(view, normaliseExpression(within));
  if (execute === undefined) return NOT_RUN;
  const answer = answerIn(want, execute, view);
  if (!isMet(answer)) return answer;
  const target = { ruleset: CLOUDFLARE_RULESET, rule: want.id };
  return coverage.protects(answer, { executes: [execute], target, requests: [within] });
}

const NOT_RUN = nothing(
  'no rule runs the ruleset for these requests',
  'no such rule is in the ruleset',
);

/** An answer of the general rule, together with the other rules that run the managed ruleset. */
function weighed(
  want: GeneralWant,
  answer: Answer,
  view: KnownRuleset,
  coverage: Coverage,
): Answer {
  if (!isMet(answer)) return answer;
  const running = runningExecutes(view, CLOUDFLARE_RULESET);
  const target = { ruleset: CLOUDFLARE_RULESET, rule: want.id };
  const weaker = running.filter((execute) => isWeaker(answerIn(want, execute, view), answer));
  if (want.kind === 'rule-off') return coverage.keepsOff(answer, { executes: weaker, target });
  const executes = running.filter((execute) => !weaker.includes(execute));
  return coverage.protects(answer, { executes, target });
}

/** Rules for some requests repeat what holds for all: it comes from the same setting. */
function repeated(
  id: string,
  view: RulesetView,
  general: ExecuteView | undefined,
): Answer['places'] {
  const said = general?.rules.get(id);
  return view.executes.flatMap(({ index, rules }) => {
    const again = rules.get(id);
    const same = again?.enabled === said?.enabled && again?.action === said?.action;
    return again !== undefined && same ? [{ rule: index, override: `rules/${id}` }] : [];
  });
}

function executeFor(view: RulesetView, wanted: string): ExecuteView | undefined {
  const running = runningExecutes(view, CLOUDFLARE_RULESET);
  return (
    running.find(({ expression }) => expression === wanted) ??
    running.find(({ expression }) => sameExpression(expression, wanted))
  );
}

function answerIn(want: RuleWant, execute: ExecuteView, view: KnownRuleset): Answer {
  if (want.kind === 'rule-default') return answerDefault(want, execute);
  const { id } = want;
  const override = execute.rules.get(id);
  const { index, categories } = execute;
  const { enabled, action } = overridden(id, execute);
  const places = [{ rule: index, override: override === undefined ? 'all' : `rules/${id}` }];
  if (override === undefined && enabled === undefined && action === undefined) {
    const why = `no override of rule ${id}${categories.size > 0 ? ', and it is not known which categories it has' : ''}`;
    return nothing(`rule ${id}: its default`, why);
  }
  const to = `rule ${id}: ${describeState({ enabled, action })}`;
  if (want.kind === 'rule-off') return { met: enabled === false ? 'same' : 'other', to, places };
  if (enabled === false || action === undefined) return { met: 'other', to, places };
  const met = compareAction(want.action, action);
  const answer = { met, to, ...(met === 'similar' ? { why: CHALLENGE_NOTE } : {}), places };
  const doubt = enabled === true || !isMet(answer) ? undefined : doubtOn(id, execute, view);
  if (doubt === undefined) return answer;
  const why = `its action is ${action}, and nothing switches it on: ${doubt}`;
  return { met: 'other', to, why, remedy: 'switch the rule on in its override', places };
}

type DefaultWant = Extract<Want, { readonly kind: 'rule-default' }>;

/** How a rule that runs the managed ruleset answers to one that is to be as by default. */
function answerDefault({ id }: Pick<DefaultWant, 'id'>, execute: ExecuteView): Answer {
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

/** Why a rule that nothing switches on may be off: an override that sets the action alone does not. */
function doubtOn(
  id: string,
  { categories, all }: ExecuteView,
  view: KnownRuleset,
): string | undefined {
  const otherwise = all.enabled ?? view.isOnByDefault(id);
  const said = [...categories.values()].flatMap(({ enabled }) => enabled ?? []);
  if (said.some((enabled) => enabled !== otherwise)) return 'which categories it has is not known';
  if (otherwise === undefined) return 'its default is not known';
  if (otherwise) return undefined;
  return all.enabled === undefined ? 'its default is off' : 'the whole ruleset is off';
}

/** In words. */
function describeState({ enabled, action }: RuleState): string {
  if (enabled === false) return action === undefined ? 'off' : `off (${action})`;
  return action ?? (enabled === true ? 'on' : 'its default');
}
