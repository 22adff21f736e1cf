import { SCORING_RULE } from '../../core/ruleset';
import { sameExpression, surelyWithin } from '../../ruleset/compare-expressions';
import { normaliseExpression } from '../../ruleset/expressions';
import { CLOUDFLARE_RULESET, OWASP_RULESET, rulesetName } from '../../ruleset/known-rulesets';
import {
  exceptionsBefore,
  type ExecuteView,
  type KnownRuleset,
  overridden,
  type RulesetView,
  type RuleState,
  runningExecutes,
  skipsTarget,
  type SkipView,
  type Target,
} from '../../ruleset/view-ruleset';
import { CHALLENGE_NOTE, type Want } from '../reading/setting';
import { type Answer, byDistance, compareAction, isMet, nothing } from './answer';
import { answerOwasp } from './answer-owasp';
import { type Coverage, differing, nowhere, onlyWhere } from './coverage';

/** How a ruleset meets one requirement of a setting. */
export function answerWant(want: Want, view: KnownRuleset, coverage: Coverage): Answer {
  switch (want.kind) {
    case 'not-deployed':
      return answerNotDeployed(want.ruleset, view);
    case 'runs':
      return answerRuns(want, view, coverage);
    case 'skip':
      return answerSkip(want, view);
    case 'rule-off':
    case 'rule-acts':
      return answerRunning(view, coverage, {
        target: { ruleset: CLOUDFLARE_RULESET, rule: want.id },
        isOff: want.kind === 'rule-off',
        answerOf: (execute) => answerRule(want, execute, view),
      });
    default:
      return answerRunning(view, coverage, {
        target: { ruleset: OWASP_RULESET, rule: SCORING_RULE },
        answerOf: (execute) => answerOwasp(want, execute),
      });
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

/** The managed rulesets must run for exactly these requests. */
function answerRuns(want: RunsWant, view: RulesetView, coverage: Coverage): Answer {
  const executes = runningExecutes(view, CLOUDFLARE_RULESET);
  if (executes.length === 0) return nothing('no managed ruleset runs', 'nothing is deployed');
  const expressions = [...new Set(executes.map(({ expression }) => expression))];
  const to = `it runs for: ${expressions.join(', and ')}`;
  const answer = answerRunning(view, coverage, {
    target: { ruleset: CLOUDFLARE_RULESET },
    answerOf: ({ index }) => ({ met: 'same', to, places: [{ rule: index }] }),
  });
  const wanted = { of: want.expression, without: [] };
  const wider = [...executes, ...runningExecutes(view, OWASP_RULESET)].find(
    ({ expression: of }) => !surelyWithin([{ of, without: [] }], [wanted]),
  );
  if (answer.met !== 'same' || wider === undefined) return { ...answer, to };
  const why = `${rulesetName(wider.ruleset)} runs for other requests too: ${wider.expression}`;
  return { ...answer, met: 'other', why };
}

type SkipWant = Extract<Want, { readonly kind: 'skip' }>;

/**
 * Requires an exception with the same expression before every rule that it applies to, because it has no
 * effect on earlier rules.
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
  return {
    met: missed.length === deployed.length ? 'no' : 'other',
    to: `an exception from ${what}, but not from ${names}`,
    why: 'an exception applies only to what it names, in the rules after it',
    remedy: `move the exception before the rules that run ${names}, and name their rulesets in it`,
    places,
  };
}

/** The exceptions with an equivalent expression; only those with the same text, if there are any. */
function exceptionsLike(
  { expression, also = expression }: SkipWant,
  { skips }: RulesetView,
): readonly SkipView[] {
  const text = normaliseExpression(expression);
  const exact = skips.filter((skip) => skip.expression === text);
  if (exact.length > 0) return exact;
  return skips.filter((skip) =>
    [expression, also].some((one) => sameExpression(skip.expression, one)),
  );
}

/** The targets of an exception: one rule, or the rulesets that replace the legacy WAF. */
function targetsOf(rules: SkipWant['rules']): Target[] {
  if (rules === 'all') return [{ ruleset: CLOUDFLARE_RULESET }, { ruleset: OWASP_RULESET }];
  return [{ ruleset: CLOUDFLARE_RULESET, rule: rules.id }];
}

/** Whether every rule that runs a target has one of the exceptions before it. */
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

/** What a setting requires of a managed ruleset. */
interface Asked {
  readonly target: Target;
  /** Whether the target must not run. */
  readonly isOff?: boolean;
  readonly answerOf: (execute: ExecuteView) => Answer;
}

/**
 * How the rules that run a managed ruleset meet a setting of it. The worst of them counts, and together they
 * must run for all requests that settings are about.
 */
function answerRunning(
  view: RulesetView,
  coverage: Coverage,
  { target, isOff = false, answerOf }: Asked,
): Answer {
  const running = runningExecutes(view, target.ruleset);
  if (running.length === 0) return notRun(target);
  const all = coverage.reachOf(running, target);
  const isAsked = coverage.isAsked(target);
  const parts = isAsked ? all.filter((part) => coverage.meets(part, target)) : all;
  const answers = parts.map(({ execute }) => answerOf(execute)).sort(byDistance);
  const [worst] = answers;
  const best = answers.at(-1);
  if (worst === undefined || best === undefined) {
    const none = nowhere(all);
    // a target that never runs is as surely off as by an override
    return isOff ? { met: 'same', to: none.to, places: none.places } : none;
  }
  const places = answers.flatMap((answer) => answer.places);
  if (isMet(best) && !isMet(worst)) return differing(best, worst, places);
  const answer = { ...worst, places };
  const holds = !isMet(worst) || isOff || !isAsked || coverage.covers(parts, target);
  return holds ? answer : onlyWhere(answer, parts);
}

function notRun({ ruleset }: Target): Answer {
  return ruleset === OWASP_RULESET
    ? nothing('the OWASP ruleset is not deployed', 'the ruleset does not deploy OWASP')
    : nothing('no rule runs the ruleset for these requests', 'no such rule is in the ruleset');
}

type RuleWant = Extract<Want, { readonly kind: 'rule-off' | 'rule-acts' }>;

/** How a rule that runs the Cloudflare Managed Ruleset meets a requirement for one of its rules. */
function answerRule(want: RuleWant, execute: ExecuteView, view: KnownRuleset): Answer {
  const { id } = want;
  const { index, rules, categories } = execute;
  const { enabled, action } = overridden(id, execute);
  const isNamed = rules.has(id);
  const own = { rule: index, override: `rules/${id}` };
  const to = `rule ${id}: ${describeState({ enabled, action })}`;
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

/** Why a rule may be off that nothing switches on: an override of only the action does not switch it on. */
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

function describeState({ enabled, action }: RuleState): string {
  if (enabled === false) return action === undefined ? 'off' : `off (${action})`;
  return action ?? (enabled === true ? 'on' : 'its default');
}
