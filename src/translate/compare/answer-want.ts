import { SCORING_RULE } from '../../core/ruleset';
import { surelyCovers } from '../../ruleset/expressions';
import { CLOUDFLARE_RULESET, OWASP_RULESET, rulesetName } from '../../ruleset/known-rulesets';
import {
  exceptionsBefore,
  type ExecuteView,
  overridden,
  type RulesetView,
  type RuleState,
  runningExecutes,
  skipsTarget,
  type SkipView,
  type Target,
} from '../../ruleset/view-ruleset';
import { CHALLENGE_NOTE } from '../legacy-actions';
import { type Want } from '../reading/setting';
import { type Answer, byDistance, compareAction, isMet, nothing } from './answer';
import { answerOwasp } from './answer-owasp';
import { type Coverage, differing, nowhere, onlyWhere, runsNowhere } from './coverage';

/** How a ruleset meets one requirement of a setting. */
export function answerWant(want: Want, view: RulesetView, coverage: Coverage): Answer {
  switch (want.kind) {
    case 'not-deployed':
      return answerNotDeployed(want.ruleset, view);
    case 'runs':
      return answerRuns(want, view, coverage);
    case 'skip':
      return answerSkip(view, coverage.exceptionsLike(want), want.rule);
    case 'rule-off':
    case 'rule-acts':
      return answerRunning(view, coverage, {
        target: { ruleset: CLOUDFLARE_RULESET, rule: want.id },
        isOff: want.kind === 'rule-off',
        answerOf: (execute) => answerRule(want, execute),
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
  const wider = [...executes, ...runningExecutes(view, OWASP_RULESET)].find(
    ({ expression }) => !surelyCovers(want.expression, expression),
  );
  if (answer.met !== 'same' || wider === undefined) return { ...answer, to };
  const why = `${rulesetName(wider.ruleset)} runs for other requests too: ${wider.expression}`;
  return { ...answer, met: 'other', why };
}

/** The rulesets that replace the legacy WAF. */
const ALL: readonly Target[] = [{ ruleset: CLOUDFLARE_RULESET }, { ruleset: OWASP_RULESET }];

/**
 * Requires an exception before every rule that it applies to, because it has no effect on earlier rules.
 * @param alike the exceptions with an equivalent expression
 * @param rule of the Cloudflare Managed Ruleset; undefined for an exception from all managed rules
 */
function answerSkip(view: RulesetView, alike: readonly SkipView[], rule?: string): Answer {
  const targets = rule === undefined ? ALL : [{ ruleset: CLOUDFLARE_RULESET, rule }];
  const fitting = alike.filter((skip) => targets.some((target) => skipsTarget(skip, target)));
  const skips = fitting.filter(({ enabled }) => enabled);
  const places = (skips.length > 0 ? skips : fitting).map(({ index }) => ({ rule: index }));
  if (fitting.length === 0) {
    return nothing('no such exception', 'no exception has this expression and these rules');
  }
  const to = `an exception from ${rule === undefined ? 'all managed rules' : `rule ${rule}`}`;
  if (skips.length === 0) return { met: 'other', to: `${to}, which is disabled`, places };
  const deployed = targets.filter(({ ruleset }) => runningExecutes(view, ruleset).length > 0);
  const missed = deployed.filter((target) =>
    runningExecutes(view, target.ruleset).some(
      (execute) => exceptionsBefore({ skips }, execute, target).length === 0,
    ),
  );
  if (missed.length === 0) return { met: 'same', to, places };
  const names = missed.map(({ ruleset }) => rulesetName(ruleset)).join(' and ');
  return {
    met: missed.length === deployed.length ? 'no' : 'other',
    to: `${to}, but not from ${names}`,
    why: 'an exception applies only to what it names, in the rules after it',
    remedy: `move the exception before the rules that run ${names}, and name their rulesets in it`,
    places,
  };
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
  const parts = all.filter((part) => !runsNowhere(part));
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
  const holds = !isMet(worst) || isOff || coverage.covers(parts);
  return holds ? answer : onlyWhere(answer, parts);
}

function notRun({ ruleset }: Target): Answer {
  return ruleset === OWASP_RULESET
    ? nothing('the OWASP ruleset is not deployed', 'the ruleset does not deploy OWASP')
    : nothing('no rule runs the ruleset for these requests', 'no such rule is in the ruleset');
}

type RuleWant = Extract<Want, { readonly kind: 'rule-off' | 'rule-acts' }>;

/** How a rule that runs the Cloudflare Managed Ruleset meets a requirement for one of its rules. */
function answerRule(want: RuleWant, execute: ExecuteView): Answer {
  const { id } = want;
  const { index, rules, categories } = execute;
  const { enabled, action } = overridden(id, execute);
  const isNamed = rules.has(id);
  const own = { rule: index, override: `rules/${id}` };
  const to = `rule ${id}: ${describeState({ enabled, action })}`;
  if (!isNamed && enabled === undefined && action === undefined) {
    const unclear = categories.size > 0 ? ', and it is not known which categories it has' : '';
    return nothing(`rule ${id}: its default`, `no override of its new rule${unclear}`);
  }
  const places = [isNamed ? own : { rule: index, override: 'all' }];
  if (want.kind === 'rule-off') return { met: enabled === false ? 'same' : 'other', to, places };
  if (enabled === false || action === undefined) return { met: 'other', to, places };
  const met = compareAction(want.action, action);
  if (enabled === undefined && met !== 'other') {
    const why = `its action is ${action}, but nothing switches it on: it may be off by default`;
    return { met: 'other', to, why, remedy: 'switch the rule on in its override', places };
  }
  return { met, to, ...(met === 'similar' ? { why: CHALLENGE_NOTE } : {}), places };
}

function describeState({ enabled, action }: RuleState): string {
  if (enabled === false) return action === undefined ? 'off' : `off (${action})`;
  return action ?? (enabled === true ? 'on' : 'its default');
}
