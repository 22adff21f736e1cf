import { SCORING_RULE } from '../../model/ruleset';
import { OWASP_RULESET, PARANOIA_CATEGORIES, SCORING_DEFAULT } from '../known-ids';
import { CHALLENGE_NOTE, compareAction } from '../reading/modes';
import { type Want } from '../reading/verdict';
import { type Answer, nothing, type Place } from './answer';
import { type ExecuteView, type RulesetView } from './ruleset-view';

type OwaspWant = Extract<Want, { readonly kind: 'paranoia' | 'threshold' | 'score-action' }>;

/** How a ruleset answers to what the old OWASP package did. */
export function answerOwasp(want: OwaspWant, view: RulesetView): Answer {
  const execute = view.executes.findLast(
    ({ ruleset, enabled }) => ruleset === OWASP_RULESET && enabled,
  );
  if (execute === undefined) {
    return nothing('the OWASP ruleset is not deployed', 'the ruleset does not deploy OWASP');
  }
  const { index, all } = execute;
  const scoring = execute.rules.get(SCORING_RULE);
  const place: Place = { rule: index, override: `rules/${SCORING_RULE}` };
  switch (want.kind) {
    case 'paranoia':
      return answerLevel(execute);
    case 'threshold': {
      const to = `score threshold ${scoring?.threshold ?? SCORING_DEFAULT.threshold}`;
      return { met: 'similar', to, why: COUNTED_DIFFERENTLY, places: [place] };
    }
    case 'score-action': {
      if (scoring?.enabled === false) {
        return { met: 'other', to: 'the scoring rule is off', places: [place] };
      }
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

/** A level is on unless its category is switched off (documentation of the OWASP ruleset). */
function answerLevel({ index, categories }: ExecuteView): Answer {
  const on = PARANOIA_CATEGORIES.map((one) => categories.get(one)?.enabled !== false);
  return {
    met: 'similar',
    to: `paranoia level ${on.lastIndexOf(true) + 1}`,
    why: COUNTED_DIFFERENTLY,
    places: [
      { rule: index },
      ...PARANOIA_CATEGORIES.map((one) => ({ rule: index, override: `categories/${one}` })),
    ],
  };
}
