import { SCORING_RULE } from '../../core/ruleset';
import { surelyCovers } from '../../ruleset/expressions';
import {
  CLOUDFLARE_RULESET,
  OWASP_RULESET,
  PARANOIA_CATEGORIES,
  rulesetName,
  SCORING_DEFAULT,
} from '../../ruleset/known-rulesets';
import {
  exceptionsBefore,
  type ExecuteView,
  overridden,
  owaspOff,
  readLevel,
  type RulesetView,
  type RuleState,
  runningExecutes,
  skipsTarget,
  type SkipView,
  type Target,
} from '../../ruleset/view-ruleset';
import { type LegacyAction, type Want, type WantOf } from '../reading/setting';
import {
  type Answer,
  byDistance,
  compareAction,
  isMet,
  isWeaker,
  nothing,
  type Place,
} from './answer';
import { type Coverage, differing, nowhere, onlyWhere, runsNowhere } from './coverage';

/** How a ruleset meets one requirement of a setting. */
export function answerWant(want: Want, coverage: Coverage): Answer {
  switch (want.kind) {
    case 'not-deployed':
      return answerNotDeployed(want.ruleset, coverage.view);
    case 'runs':
      return answerRuns(want, coverage);
    case 'skip':
      return answerSkip(want, coverage);
    case 'rule-off':
    case 'rule-acts':
      return answerRunning(coverage, {
        target: { ruleset: CLOUDFLARE_RULESET, rule: want.id },
        isOff: want.kind === 'rule-off',
        answerOf: (execute) => answerRule(want, execute),
      });
    default:
      return answerRunning(coverage, {
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

/** The managed rulesets must run for exactly these requests. */
function answerRuns(want: WantOf<'runs'>, coverage: Coverage): Answer {
  const { view } = coverage;
  const executes = runningExecutes(view, CLOUDFLARE_RULESET);
  if (executes.length === 0) return nothing('no managed ruleset runs', 'nothing is deployed');
  const expressions = [...new Set(executes.map(({ expression }) => expression))];
  const to = `it runs for: ${expressions.join(', and ')}`;
  const answer = answerRunning(coverage, {
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

/** Requires an exception before every rule that it applies to, because it has no effect on earlier rules. */
function answerSkip(want: WantOf<'skip'>, coverage: Coverage): Answer {
  const { rule } = want;
  const targets = rule === undefined ? ALL : [{ ruleset: CLOUDFLARE_RULESET, rule }];
  const from = rule === undefined ? 'all managed rules' : `rule ${rule}`;
  const isFitting = (skip: SkipView): boolean =>
    targets.some((target) => skipsTarget(skip, target));
  const fitting = coverage.exceptionsLike(want).filter(isFitting);
  if (fitting.length === 0) {
    return answerNoneFits(from, coverage.unknownExceptions().filter(isFitting));
  }
  const skips = fitting.filter(({ enabled }) => enabled);
  const places = (skips.length > 0 ? skips : fitting).map(({ index }) => ({ rule: index }));
  const to = `an exception from ${from}`;
  if (skips.length === 0) return { met: 'other', to: `${to}, which is disabled`, places };
  const runningOf = ({ ruleset }: Target) => runningExecutes(coverage.view, ruleset);
  const deployed = targets.filter((target) => runningOf(target).length > 0);
  const missed = deployed.filter((target) =>
    runningOf(target).some((one) => exceptionsBefore({ skips }, one, target).length === 0),
  );
  if (missed.length > 0) {
    const names = missed.map(({ ruleset }) => rulesetName(ruleset)).join(' and ');
    return {
      met: missed.length === deployed.length ? 'no' : 'other',
      to: `${to}, but not from ${names}`,
      why: 'an exception applies only to what it names, in the rules after it',
      remedy: `move the exception before the rules that run ${names}, and name their rulesets in it`,
      places,
    };
  }
  if (!skips.some((skip) => coverage.exceptsMore(skip))) return { met: 'same', to, places };
  return {
    met: 'other',
    to: `${to} and the rest of its ruleset`,
    why: 'no legacy setting excepts these requests from a whole ruleset',
    remedy: 'name only the rules of the setting in the exception',
    weaker: true,
    places,
  };
}

function answerNoneFits(from: string, unknown: readonly SkipView[]): Answer {
  const to = `no exception from ${from} with this expression`;
  const others = unknown.filter(({ enabled }) => enabled).map(({ expression }) => expression);
  if (others.length === 0) return nothing(to, 'no exception has this expression and these rules');
  const expressions = others.join(', and ');
  const why = `no exception has exactly this expression, but one with another may match the same requests: ${expressions}`;
  const remedy = 'compare the expressions, and add the exception only if it is missing';
  return { ...nothing(to, why), remedy };
}

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
function answerRunning(coverage: Coverage, { target, isOff = false, answerOf }: Asked): Answer {
  const running = runningExecutes(coverage.view, target.ruleset);
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

function answerRule(want: WantOf<'rule-off' | 'rule-acts'>, execute: ExecuteView): Answer {
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
  if (enabled === false) return { met: 'other', to, weaker: true, places };
  if (action === undefined) return { met: 'other', to, places };
  const met = compareAction(want.action, action);
  if (enabled === undefined && met !== 'other') {
    const why = `its action is ${action}, but nothing switches it on: it may be off by default`;
    return { met: 'other', to, why, remedy: 'switch the rule on in its override', places };
  }
  return { met, to, ...noteOf(want.action, action), places };
}

/** What to say about a new action beside how it compares with a legacy one. */
function noteOf(legacy: LegacyAction, action: string): Pick<Answer, 'why' | 'weaker'> {
  if (compareAction(legacy, action) === 'similar') {
    const why =
      'the legacy Challenge was always interactive; a managed challenge chooses what the visitor sees';
    return { why };
  }
  return isWeaker(legacy, action) ? { weaker: true } : {};
}

function describeState({ enabled, action }: RuleState): string {
  if (enabled === false) return action === undefined ? 'off' : `off (${action})`;
  return action ?? (enabled === true ? 'on' : 'its default');
}

function answerOwasp(
  want: WantOf<'paranoia' | 'threshold' | 'score-action'>,
  execute: ExecuteView,
): Answer {
  const { index, rules } = execute;
  const place: Place = { rule: index, override: `rules/${SCORING_RULE}` };
  const off = owaspOff(execute);
  if (off !== undefined) {
    const why = 'the OWASP ruleset is deployed, but does nothing without it';
    const remedy = 'switch it on in the overrides of the OWASP ruleset';
    return { met: 'no', to: off, why, remedy, places: [place, ...placesOfLevels(execute)] };
  }
  switch (want.kind) {
    case 'paranoia':
      return answerLevel(want.level, execute);
    case 'threshold':
      return answerThreshold(want.threshold, rules.get(SCORING_RULE)?.threshold, place);
    case 'score-action':
      return answerAction(want.action, execute, place);
  }
}

/** Why no level and threshold is exactly the legacy sensitivity. */
const COUNTED_DIFFERENTLY =
  'the OWASP rules of the new WAF (3.x) count differently from those of the legacy WAF (2.x)';

function answerLevel(asked: number, execute: ExecuteView): Answer {
  const { level, isUnclear } = readLevel(execute);
  const table = `the mapping table of the migration has paranoia level ${asked}`;
  const why = isUnclear
    ? `${table}, and the default is documented in two ways`
    : level === asked
      ? COUNTED_DIFFERENTLY
      : table;
  return {
    met: 'similar',
    to: `paranoia level ${level}${isUnclear ? ' (not known whether higher ones too)' : ''}`,
    why,
    ...(level < asked ? { weaker: true } : {}),
    places: placesOfLevels(execute),
  };
}

function placesOfLevels({ index }: ExecuteView): Place[] {
  const levels = PARANOIA_CATEGORIES.map((one) => ({ rule: index, override: `categories/${one}` }));
  return [{ rule: index }, ...levels];
}

/** A score must reach the threshold, so a higher threshold stops less. */
function answerThreshold(asked: number, set: number | undefined, place: Place): Answer {
  const threshold = set ?? SCORING_DEFAULT.threshold;
  const differs = `the mapping table of the migration has the score threshold ${asked}`;
  return {
    met: 'similar',
    to: `score threshold ${threshold}`,
    why: threshold === asked ? COUNTED_DIFFERENTLY : differs,
    ...(threshold > asked ? { weaker: true } : {}),
    places: [place],
  };
}

function answerAction(
  asked: LegacyAction,
  { index, all, rules }: ExecuteView,
  place: Place,
): Answer {
  const own = rules.get(SCORING_RULE)?.action;
  const action = own ?? all.action ?? SCORING_DEFAULT.action;
  const met = compareAction(asked, action);
  const to = `the scoring rule does ${action}`;
  const isOfWhole = own === undefined && all.action !== undefined;
  const places = isOfWhole ? [place, { rule: index, override: 'all' }] : [place];
  // provider issues 2056 and 2287 contradict the documentation of overrides
  if (isOfWhole && met !== 'other' && asked !== SCORING_DEFAULT.action) {
    const why =
      'an action of the whole ruleset may not apply to the scoring rule, which blocks by default';
    const remedy = 'give the scoring rule an override with this action';
    return { met: 'similar', to: `${to}, perhaps`, why, remedy, places };
  }
  return { met, to, ...noteOf(asked, action), places };
}
