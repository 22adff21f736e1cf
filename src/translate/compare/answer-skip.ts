import { CLOUDFLARE_RULESET, OWASP_RULESET, rulesetName } from '../../ruleset/known-rulesets';
import { sameExpression } from '../../ruleset/compare-expressions';
import { normaliseExpression } from '../../ruleset/expressions';
import { type Want } from '../reading/setting';
import { type Answer, nothing } from './answer';
import { spellings } from './legacy-requests';
import {
  runningExecutes,
  type RulesetView,
  skipsTarget,
  type SkipView,
  type Target,
} from '../../ruleset/view-ruleset';

type SkipWant = Extract<Want, { readonly kind: 'skip' }>;

/**
 * How a ruleset answers to an exception: one with the same expression has to stand before every rule
 * that runs what it is an exception from, because those before it have been evaluated by then.
 */
export function answerSkip(want: SkipWant, view: RulesetView): Answer {
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
  const wanted = spellings(want);
  return skips.filter((skip) => wanted.some((one) => sameExpression(skip.expression, one)));
}

/** What an exception is from: the rulesets that took the place of the previous WAF. */
function targetsOf(rules: SkipWant['rules']): Target[] {
  if (rules === 'all') return [{ ruleset: CLOUDFLARE_RULESET }, { ruleset: OWASP_RULESET }];
  return [{ ruleset: CLOUDFLARE_RULESET, rule: rules.id }];
}

/** Whether each rule that runs a target has an exception before it. */
function isExcepted(target: Target, skips: readonly SkipView[], view: RulesetView): boolean {
  const naming = skips.filter((skip) => skipsTarget(skip, target));
  return runningExecutes(view, target.ruleset).every(({ index }) =>
    naming.some((skip) => skip.index < index),
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
