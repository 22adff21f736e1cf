import { SCORING_RULE } from '../../core/ruleset';
import { sameExpression, surelyWithin } from '../../ruleset/compare-expressions';
import { normaliseExpression } from '../../ruleset/expressions';
import { CLOUDFLARE_RULESET, OWASP_RULESET, rulesetName } from '../../ruleset/known-rulesets';
import {
  exceptionsBefore,
  type ExecuteView,
  generalExecute,
  type KnownRuleset,
  overridden,
  type RulesetView,
  type RuleState,
  runningExecutes,
  skipsTarget,
  type SkipView,
  type Target,
} from '../../ruleset/view-ruleset';
import { CHALLENGE_NOTE, expressionsOf, type Want } from '../reading/setting';
import { type Answer, compareAction, isMet, isWeaker, nothing } from './answer';
import { answerOwasp, type OwaspWant } from './answer-owasp';
import { type Coverage } from './coverage';

/** What a ruleset has for one thing that a setting wants. */
export function answerWant(want: Want, view: KnownRuleset, coverage: Coverage): Answer {
  switch (want.kind) {
    case 'not-deployed':
      return answerNotDeployed(want.ruleset, view);
    case 'runs':
      return answerRuns(want, view, coverage);
    case 'skip':
      return answerSkip(want, view);
    default:
      return answerState(want, view, coverage);
  }
}

function answerNotDeployed(ruleset: string, { executes }: RulesetView): Answer {
  const all = executes.filter((execute) => execute.ruleset === ruleset);
  const running = all.filter(({ enabled }) => enabled);
  const places = (running.length > 0 ? running : all).map(({ index }) => ({ rule: index }));
  const name = rulesetName(ruleset);
  return running.length === 0
    ? { met: 'same', to: `${name} does not run`, places }
    : { met: 'other', to: `${name} runs`, places };
}

type RunsWant = Extract<Want, { readonly kind: 'runs' }>;

/** The managed rulesets have to run for just these requests: all of them, and no others. */
function answerRuns(want: RunsWant, view: RulesetView, coverage: Coverage): Answer {
  const executes = runningExecutes(view, CLOUDFLARE_RULESET);
  if (executes.length === 0) return nothing('no managed ruleset runs', 'nothing is deployed');
  const wanted = expressionsOf(want).map((of) => ({ of, without: [] }));
  const wider = [...executes, ...runningExecutes(view, OWASP_RULESET)].filter(
    ({ expression: of }) => !wanted.some((one) => surelyWithin([{ of, without: [] }], [one])),
  );
  const places = executes.map(({ index }) => ({ rule: index }));
  const expressions = [...new Set(executes.map(({ expression }) => expression))];
  const answer: Answer = { met: 'same', to: `it runs for: ${expressions.join(', and ')}`, places };
  const target = { ruleset: CLOUDFLARE_RULESET };
  const weighed = coverage.protects(answer, { executes, target, requests: expressionsOf(want) });
  const [other] = wider;
  if (weighed.met !== 'same' || other === undefined) return { ...weighed, to: answer.to };
  const why = `${rulesetName(other.ruleset)} runs for other requests too: ${other.expression}`;
  return { ...answer, met: 'other', why };
}

type SkipWant = Extract<Want, { readonly kind: 'skip' }>;

/**
 * An exception with the same expression must come before every rule that runs what it is an exception
 * from: it has no effect on rules before it.
 */
function answerSkip(want: SkipWant, view: RulesetView): Answer {
  const targets = targetsOf(want.rules);
  const alike = exceptionsLike(want, view);
  const fitting = alike.filter((skip) => targets.some((target) => skipsTarget(skip, target)));
  const running = fitting.filter(({ enabled }) => enabled);
  const places = (running.length > 0 ? running : fitting).map(({ index }) => ({ rule: index }));
  if (fitting.length === 0) return noException(view);
  const what = describeRules(want.rules);
  if (running.length === 0) {
    return { met: 'other', to: `an exception from ${what}, which is disabled`, places };
  }
  const deployed = targets.filter(({ ruleset }) => runningExecutes(view, ruleset).length > 0);
  const missed = deployed.filter((target) => !isExcepted(target, running, view));
  if (missed.length === 0) return { met: 'same', to: `an exception from ${what}`, places };
  const names = missed.map(({ ruleset }) => rulesetName(ruleset)).join(' and ');
  const late = missed.some((target) => running.some((skip) => skipsTarget(skip, target)));
  const why = late
    ? `an exception acts on the rules after it, and before it runs ${names}`
    : `the exception does not name ${names}`;
  return {
    met: missed.length === deployed.length ? 'no' : 'other',
    to: `an exception from ${what}, but not from ${names}`,
    why,
    remedy: late
      ? 'move the exception before the rules that it is an exception from'
      : 'add what it does not name to the exception',
    places,
  };
}

/** The exceptions with an expression of the same meaning; those with its very text come first. */
export function exceptionsLike(
  want: Pick<SkipWant, 'expression' | 'also'>,
  { skips }: RulesetView,
): readonly SkipView[] {
  const expression = normaliseExpression(want.expression);
  const exact = skips.filter((skip) => skip.expression === expression);
  if (exact.length > 0) return exact;
  const wanted = expressionsOf(want);
  return skips.filter((skip) => wanted.some((one) => sameExpression(skip.expression, one)));
}

/** What an exception is from: the rulesets that replace the legacy WAF. */
function targetsOf(rules: SkipWant['rules']): Target[] {
  if (rules === 'all') return [{ ruleset: CLOUDFLARE_RULESET }, { ruleset: OWASP_RULESET }];
  return [{ ruleset: CLOUDFLARE_RULESET, rule: rules.id }];
}

/** Whether each rule that runs a target has one of the exceptions before it. */
function isExcepted(target: Target, skips: readonly SkipView[], view: RulesetView): boolean {
  return runningExecutes(view, target.ruleset).every(
    (execute) => exceptionsBefore({ ...view, skips }, execute, target).length > 0,
  );
}

function noException({ skips }: RulesetView): Answer {
  const hint =
    skips.length === 0
      ? 'it has no exceptions'
      : `it has ${skips.length} with other expressions or rules: compare them by hand`;
  return nothing('no such exception', `no exception has this expression; ${hint}`);
}

function describeRules(rules: SkipWant['rules']): string {
  return rules === 'all' ? 'all managed rules' : `rule ${rules.id}`;
}

type RuleWant = Extract<Want, { readonly kind: 'rule-off' | 'rule-acts' | 'rule-default' }>;

/**
 * What a ruleset has for the state of a rule or of OWASP that a setting wants: the answer of the rule
 * that runs the managed ruleset, weighed by the requests for which all such rules do the same.
 */
function answerState(want: RuleWant | OwaspWant, view: KnownRuleset, coverage: Coverage): Answer {
  const target = targetOf(want);
  const within = 'within' in want ? want.within : undefined;
  const execute =
    within === undefined ? generalExecute(view, target.ruleset) : executeFor(view, within);
  const answer =
    execute === undefined ? notRun(target) : weigh(want, execute, { view, coverage, target });
  if (isOwaspWant(want) || within !== undefined) return answer;
  const places = [...answer.places, ...repeated(want.id, view, execute)];
  return want.kind === 'rule-off' && answer.met !== 'same' && neverRuns(target, view, coverage)
    ? excepted(want.id, places, view)
    : { ...answer, places };
}

function isOwaspWant(want: RuleWant | OwaspWant): want is OwaspWant {
  return !('id' in want);
}

function targetOf(want: RuleWant | OwaspWant): Required<Target> {
  return isOwaspWant(want)
    ? { ruleset: OWASP_RULESET, rule: SCORING_RULE }
    : { ruleset: CLOUDFLARE_RULESET, rule: want.id };
}

function executeFor(view: RulesetView, within: string): ExecuteView | undefined {
  const wanted = normaliseExpression(within);
  const running = runningExecutes(view, CLOUDFLARE_RULESET);
  return (
    running.find(({ expression }) => expression === wanted) ??
    running.find(({ expression }) => sameExpression(expression, wanted))
  );
}

function notRun({ ruleset }: Target): Answer {
  return ruleset === OWASP_RULESET
    ? nothing('the OWASP ruleset is not deployed', 'the ruleset does not deploy OWASP')
    : nothing('no rule runs the ruleset for these requests', 'no such rule is in the ruleset');
}

interface Weighing {
  readonly view: KnownRuleset;
  readonly coverage: Coverage;
  readonly target: Target;
}

function weigh(
  want: RuleWant | OwaspWant,
  execute: ExecuteView,
  { view, coverage, target }: Weighing,
): Answer {
  const answerOf = (one: ExecuteView): Answer =>
    isOwaspWant(want) ? answerOwasp(want, one) : answerRule(want, one, view);
  const answer = answerOf(execute);
  if (!isMet(answer)) return answer;
  if ('within' in want) {
    return coverage.protects(answer, { executes: [execute], target, requests: [want.within] });
  }
  const running = runningExecutes(view, target.ruleset);
  const weaker = running.filter((one) => isWeaker(answerOf(one), answer));
  if (want.kind === 'rule-off') return coverage.keepsOff(answer, { executes: weaker, target });
  const executes = running.filter((one) => !weaker.includes(one));
  return coverage.protects(answer, { executes, target });
}

/** Rules for some requests repeat the overrides of the general rule: they come from the same setting. */
function repeated(
  id: string,
  { executes }: RulesetView,
  general: ExecuteView | undefined,
): Answer['places'] {
  const said = general?.rules.get(id);
  return executes.flatMap(({ index, rules }) => {
    const again = rules.get(id);
    const same = again?.enabled === said?.enabled && again?.action === said?.action;
    return again !== undefined && same ? [{ rule: index, override: `rules/${id}` }] : [];
  });
}

/**
 * Whether no request lets a rule run: exceptions keep it off as surely as an override. Where its managed
 * ruleset is not deployed at all, the settings of its rules are lost with it.
 */
function neverRuns(target: Required<Target>, view: RulesetView, coverage: Coverage): boolean {
  const running = runningExecutes(view, target.ruleset);
  if (running.length === 0) return false;
  const executes = running.filter((one) => overridden(target.rule, one).enabled !== false);
  return coverage.neverRuns({ executes, target });
}

/** The exceptions that name the rule are there for it. */
function excepted(id: string, places: Answer['places'], { skips }: RulesetView): Answer {
  const naming = skips.filter(
    ({ enabled, rules }) => enabled && rules.get(CLOUDFLARE_RULESET)?.has(id) === true,
  );
  return {
    met: 'same',
    to: `rule ${id}: runs for none of its requests`,
    places: [...places, ...naming.map(({ index }) => ({ rule: index }))],
  };
}

/** What a rule that runs the Cloudflare Managed Ruleset has for a want of one of its rules. */
function answerRule(want: RuleWant, execute: ExecuteView, view: KnownRuleset): Answer {
  const { id } = want;
  const { index, rules, categories } = execute;
  const { enabled, action } = overridden(id, execute);
  const isNamed = rules.has(id);
  const own = { rule: index, override: `rules/${id}` };
  const to = `rule ${id}: ${describeState({ enabled, action })}`;
  if (want.kind === 'rule-default') {
    const places = [isNamed ? own : { rule: index }];
    if (!isNamed && categories.size > 0) {
      const why = 'categories are overridden, and it is not known which the rule has';
      return { met: 'other', to, why, places };
    }
    const isDefault = enabled === undefined && action === undefined;
    return { met: isDefault ? 'same' : 'other', to, places };
  }
  if (!isNamed && enabled === undefined && action === undefined) {
    const unclear = categories.size > 0 ? ', and it is not known which categories it has' : '';
    return nothing(`rule ${id}: its default`, `no override of rule ${id}${unclear}`);
  }
  const places = [isNamed ? own : { rule: index, override: 'all' }];
  if (want.kind === 'rule-off') return { met: enabled === false ? 'same' : 'other', to, places };
  if (enabled === false || action === undefined) return { met: 'other', to, places };
  const met = compareAction(want.action, action);
  const doubt = enabled === true || met === 'other' ? undefined : doubtOn(id, execute, view);
  if (doubt === undefined) {
    return { met, to, ...(met === 'similar' ? { why: CHALLENGE_NOTE } : {}), places };
  }
  const why = `its action is ${action}, and nothing switches it on: ${doubt}`;
  return { met: 'other', to, why, remedy: 'switch the rule on in its override', places };
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
