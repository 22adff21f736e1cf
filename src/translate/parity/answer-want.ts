import { CLOUDFLARE_RULESET, rulesetName } from '../known-ids';
import { sameExpression } from '../patterns/canonical-expression';
import { type Want } from '../reading/verdict';
import { type Answer, nothing } from './answer';
import { answerOwasp } from './answer-owasp';
import { answerRule, generalExecute } from './answer-rules';
import { normaliseExpression, type RulesetView, type SkipView } from './ruleset-view';

/** How a ruleset answers to one thing that a setting wants. */
export function answerWant(want: Want, view: RulesetView): Answer {
  switch (want.kind) {
    case 'not-deployed':
      return answerNotDeployed(want.ruleset, view);
    case 'paranoia':
    case 'threshold':
    case 'score-action':
      return answerOwasp(want, view);
    case 'runs':
      return answerRuns(want.expression, view);
    case 'skip':
      return answerSkip(want, view);
    case 'rule-off':
    case 'rule-acts':
    case 'rule-default':
    case 'all-act':
      return answerRule(want, view);
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

function answerRuns(expression: string, view: RulesetView): Answer {
  const execute = generalExecute(view);
  if (execute === undefined) return nothing('no managed ruleset runs', 'nothing is deployed');
  // the regions of overrides take their part out of it
  const wanted = normaliseExpression(expression);
  const same = sameExpression(execute.expression, wanted) || execute.expression.includes(wanted);
  const places = [{ rule: execute.index }];
  return { met: same ? 'same' : 'other', to: `it runs for: ${execute.expression}`, places };
}

type SkipWant = Extract<Want, { readonly kind: 'skip' }>;

function answerSkip(want: SkipWant, view: RulesetView): Answer {
  const expression = normaliseExpression(want.expression);
  const exact = view.skips.filter((skip) => skip.expression === expression);
  const candidates =
    exact.length > 0
      ? exact
      : view.skips.filter(
          (skip) =>
            sameExpression(skip.expression, expression) ||
            (want.also !== undefined && sameExpression(skip.expression, want.also)),
        );
  const fitting = candidates.filter((skip) => covers(skip, want.rules));
  const running = fitting.filter(({ enabled }) => enabled);
  const [found] = running.length > 0 ? running : fitting;
  if (found === undefined) {
    const others = view.skips.length;
    const hint =
      others === 0
        ? 'it has no exceptions'
        : `it has ${others} with other expressions or rules: compare them by hand`;
    return nothing('no such exception', `no exception has this expression; ${hint}`);
  }
  const what = describeRules(want.rules);
  const places = (running.length > 0 ? running : fitting).map(({ index }) => ({ rule: index }));
  if (found.enabled) return { met: 'same', to: `an exception from ${what}`, places };
  return { met: 'other', to: `an exception from ${what}, which is disabled`, places };
}

function covers(skip: SkipView, rules: SkipWant['rules']): boolean {
  if (skip.current) return true;
  if (rules === 'all') return skip.rulesets.size > 1 && skip.rulesets.has(CLOUDFLARE_RULESET);
  if (skip.rulesets.has(CLOUDFLARE_RULESET)) return true;
  return rules !== 'managed' && skip.rules.get(CLOUDFLARE_RULESET)?.has(rules.id) === true;
}

function describeRules(rules: SkipWant['rules']): string {
  if (rules === 'all') return 'all managed rules';
  return rules === 'managed' ? rulesetName(CLOUDFLARE_RULESET) : `rule ${rules.id}`;
}
