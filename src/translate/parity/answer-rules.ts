import { CLOUDFLARE_RULESET } from '../known-ids';
import { ALWAYS } from '../patterns/expression-text';
import { sameExpression } from '../patterns/canonical-expression';
import { CHALLENGE_NOTE, compareAction, type OldAction } from '../reading/modes';
import { type Want } from '../reading/verdict';
import { type Answer, nothing } from './answer';
import { type ExecuteView, normaliseExpression, type RulesetView } from './ruleset-view';

type RuleWant = Extract<
  Want,
  { readonly kind: 'rule-off' | 'rule-acts' | 'rule-default' | 'all-act' }
>;

/** How a ruleset answers to what an old rule was told to do, for all requests or for some. */
export function answerRule(want: RuleWant, view: RulesetView): Answer {
  if (!('within' in want)) {
    const execute = generalExecute(view);
    const answer = answerIn(want, execute);
    return { ...answer, places: [...answer.places, ...repeated(want.id, view, execute)] };
  }
  const answers = want.within.map((expression) =>
    answerIn(want, executeFor(view, normaliseExpression(expression))),
  );
  return joined(answers);
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

/** The rule that runs the ruleset for most requests: the one without a condition, else the last. */
export function generalExecute(view: RulesetView): ExecuteView | undefined {
  const running = view.executes.filter(
    ({ ruleset, enabled }) => ruleset === CLOUDFLARE_RULESET && enabled,
  );
  return running.find(({ expression }) => expression === ALWAYS) ?? running.at(-1);
}

function executeFor(view: RulesetView, wanted: string): ExecuteView | undefined {
  const running = view.executes.filter(
    ({ ruleset, enabled }) => ruleset === CLOUDFLARE_RULESET && enabled,
  );
  return (
    running.find(({ expression }) => expression === wanted) ??
    running.find(({ expression }) => sameExpression(expression, wanted))
  );
}

/** The weakest answer, of one at least: a setting is kept only where all of its requests are. */
function joined(answers: readonly Answer[]): Answer {
  const order = ['no', 'other', 'similar', 'same'] as const;
  const weakest = answers.reduce((one, other) =>
    order.indexOf(other.met) < order.indexOf(one.met) ? other : one,
  );
  return { ...weakest, places: answers.flatMap(({ places }) => places) };
}

function answerIn(want: RuleWant, execute: ExecuteView | undefined): Answer {
  if (execute === undefined) {
    return nothing('no rule runs the ruleset for these requests', 'no such rule is in the ruleset');
  }
  if (want.kind === 'all-act') return answerAll(want.action, execute);
  const { id } = want;
  const override = execute.rules.get(id);
  const { index, all, categories } = execute;
  if (want.kind === 'rule-default') {
    const places = [{ rule: index }];
    if (override === undefined) return { met: 'same', to: `rule ${id}: its default`, places };
    const to = `rule ${id}: ${describe(override)}`;
    return { met: 'other', to, places: [{ rule: index, override: `rules/${id}` }] };
  }
  const enabled = override?.enabled ?? (categories.size === 0 ? all.enabled : undefined);
  const action = override?.action ?? (categories.size === 0 ? all.action : undefined);
  const places = [{ rule: index, override: override === undefined ? 'all' : `rules/${id}` }];
  if (override === undefined && enabled === undefined && action === undefined) {
    const why = `no override of rule ${id}${categories.size > 0 ? ', and it is not known which categories it has' : ''}`;
    return nothing(`rule ${id}: its default`, why);
  }
  const to = `rule ${id}: ${describe({ enabled, action })}`;
  if (want.kind === 'rule-off') return { met: enabled === false ? 'same' : 'other', to, places };
  if (enabled === false || action === undefined) return { met: 'other', to, places };
  const met = compareAction(want.action, action);
  return { met, to, ...(met === 'similar' ? { why: CHALLENGE_NOTE } : {}), places };
}

function answerAll(old: OldAction, { index, all, rules }: ExecuteView): Answer {
  const alike = [...rules].filter(
    ([, { enabled, action }]) => enabled !== false && action === all.action,
  );
  const places = [
    { rule: index, override: 'all' },
    ...alike.map(([id]) => ({ rule: index, override: `rules/${id}` })),
  ];
  if (all.action === undefined) return nothing('each rule: its own action', 'no such override');
  const met = compareAction(old, all.action);
  const to = `every rule: ${all.action}`;
  return { met, to, ...(met === 'similar' ? { why: CHALLENGE_NOTE } : {}), places };
}

function describe(override: { enabled: boolean | undefined; action: string | undefined }): string {
  const { enabled, action } = override;
  if (enabled === false) return action === undefined ? 'off' : `off (${action})`;
  return action ?? (enabled === true ? 'on' : 'its default');
}
