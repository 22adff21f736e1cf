import { OWASP_RULESET, PARANOIA_CATEGORIES, SCORING_DEFAULT, SCORING_RULE } from '../known-ids';
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
  const scoring = execute.rules.get(SCORING_RULE);
  const place: Place =
    scoring === undefined
      ? { rule: execute.index }
      : { rule: execute.index, override: `rules/${SCORING_RULE}` };
  switch (want.kind) {
    case 'paranoia':
      return answerLevel(want.level, execute);
    case 'threshold': {
      const score = scoring?.threshold ?? SCORING_DEFAULT.threshold;
      const met = score === want.score ? 'same' : 'other';
      return { met, to: `score threshold ${score}`, places: [place] };
    }
    case 'score-action': {
      if (scoring?.enabled === false) {
        return { met: 'other', to: 'the scoring rule is off', places: [place] };
      }
      const action = scoring?.action ?? execute.all.action ?? SCORING_DEFAULT.action;
      const met = compareAction(want.action, action);
      const to = `the scoring rule does ${action}`;
      const whole = scoring?.action === undefined && execute.all.action !== undefined;
      const places = whole ? [place, { rule: execute.index, override: 'all' }] : [place];
      return { met, to, ...(met === 'similar' ? { why: CHALLENGE_NOTE } : {}), places };
    }
  }
}

/** A level is on unless its category is switched off (documentation of the OWASP ruleset). */
function answerLevel(level: number, { index, categories }: ExecuteView): Answer {
  const on = PARANOIA_CATEGORIES.filter((category) => categories.get(category)?.enabled !== false);
  const highest = on.at(-1);
  const found = highest === undefined ? 0 : PARANOIA_CATEGORIES.indexOf(highest) + 1;
  const met = found === level && on.length === level ? 'same' : 'other';
  const named = PARANOIA_CATEGORIES.filter((category) => categories.has(category));
  return {
    met,
    to: `paranoia level ${found}`,
    places: [
      { rule: index },
      ...named.map((category) => ({ rule: index, override: `categories/${category}` })),
    ],
  };
}
