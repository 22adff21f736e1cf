import { SCORING_RULE } from '../../model/ruleset';
import { OWASP_RULESET, PARANOIA_CATEGORIES, SCORING_DEFAULT } from '../known-ids';
import { CHALLENGE_NOTE, compareAction } from '../reading/modes';
import { type Want } from '../reading/verdict';
import { type Answer, isMet, isWeaker, nothing, type Place } from './answer';
import { type Coverage } from './coverage';
import {
  type ExecuteView,
  generalExecute,
  runningExecutes,
  type RulesetView,
} from './ruleset-view';

type OwaspWant = Extract<Want, { readonly kind: 'paranoia' | 'threshold' | 'score-action' }>;

/** How a ruleset answers to what the old OWASP package did. */
export function answerOwasp(want: OwaspWant, view: RulesetView, coverage: Coverage): Answer {
  const execute = generalExecute(view, OWASP_RULESET);
  if (execute === undefined) {
    return nothing('the OWASP ruleset is not deployed', 'the ruleset does not deploy OWASP');
  }
  const answer = answerIn(want, execute);
  if (!isMet(answer)) return answer;
  const executes = runningExecutes(view, OWASP_RULESET).filter(
    (one) => !isWeaker(answerIn(want, one), answer),
  );
  const target = { ruleset: OWASP_RULESET, rule: SCORING_RULE };
  return coverage.protects(answer, { executes, target });
}

function answerIn(want: OwaspWant, execute: ExecuteView): Answer {
  const { index, all, rules } = execute;
  const scoring = rules.get(SCORING_RULE);
  const place: Place = { rule: index, override: `rules/${SCORING_RULE}` };
  const off = whyOff(execute);
  if (off !== undefined) {
    const remedy = 'switch it on in the overrides of the OWASP ruleset';
    return { ...nothing(off, OFF), remedy, places: [place, ...answerLevel(execute).places] };
  }
  switch (want.kind) {
    case 'paranoia':
      return answerLevel(execute);
    case 'threshold': {
      const to = `score threshold ${scoring?.threshold ?? SCORING_DEFAULT.threshold}`;
      return { met: 'similar', to, why: COUNTED_DIFFERENTLY, places: [place] };
    }
    case 'score-action': {
      const action = scoring?.action ?? all.action ?? SCORING_DEFAULT.action;
      const met = compareAction(want.action, action);
      const to = `the scoring rule does ${action}`;
      const whole = scoring?.action === undefined && all.action !== undefined;
      const places = whole ? [place, { rule: index, override: 'all' }] : [place];
      return { met, to, ...(met === 'similar' ? { why: CHALLENGE_NOTE } : {}), places };
    }
  }
}

/** Why no level and no threshold means quite what the old sensitivity did. */
const COUNTED_DIFFERENTLY =
  'the OWASP rules of today (3.x) count differently from those of the previous WAF (2.x)';

const OFF = 'the OWASP ruleset is deployed, and its overrides leave nothing of it to act';

/** Why OWASP does nothing: the scoring rule alone acts, and it needs rules that count. */
function whyOff(execute: ExecuteView): string | undefined {
  const scoring = execute.rules.get(SCORING_RULE)?.enabled ?? execute.all.enabled;
  if (scoring === false) return 'the scoring rule is off';
  return levelOf(execute) === 0 ? 'every paranoia level is off' : undefined;
}

/**
 * The highest level that is on, 0 for none. A level is on unless its category is switched off, or the
 * whole ruleset without a word on the category (documentation of the OWASP ruleset; a category
 * overrides the ruleset).
 */
function levelOf({ categories, all }: ExecuteView): number {
  const on = PARANOIA_CATEGORIES.map((one) => categories.get(one)?.enabled ?? all.enabled ?? true);
  return on.lastIndexOf(true) + 1;
}

function answerLevel(execute: ExecuteView): Answer {
  const { index } = execute;
  return {
    met: 'similar',
    to: `paranoia level ${levelOf(execute)}`,
    why: COUNTED_DIFFERENTLY,
    places: [
      { rule: index },
      ...PARANOIA_CATEGORIES.map((one) => ({ rule: index, override: `categories/${one}` })),
    ],
  };
}
