import { sameExpression, surelyWithin } from '../../ruleset/compare-expressions';
import { normaliseExpression } from '../../ruleset/expressions';
import { CLOUDFLARE_RULESET, OWASP_RULESET, rulesetName } from '../../ruleset/known-rulesets';
import {
  exceptionsBefore,
  type KnownRuleset,
  runningExecutes,
  type RulesetView,
  skipsTarget,
  type SkipView,
  type Target,
} from '../../ruleset/view-ruleset';
import { expressionsOf, type Want } from '../reading/setting';
import { type Answer, nothing } from './answer';
import { answerState } from './answer-state';
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

/** What an exception is from: the rulesets that took the place of the previous WAF. */
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
