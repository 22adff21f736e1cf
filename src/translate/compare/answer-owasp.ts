import { SCORING_RULE } from '../../core/ruleset';
import { PARANOIA_CATEGORIES, SCORING_DEFAULT } from '../../ruleset/known-rulesets';
import { type ExecuteView, owaspOff, readLevel } from '../../ruleset/view-ruleset';
import { CHALLENGE_NOTE, type LegacyAction } from '../legacy-actions';
import { type Want } from '../reading/setting';
import { type Answer, compareAction, type Place } from './answer';

/** What a setting of the OWASP package requires. */
export type OwaspWant = Extract<Want, { readonly kind: 'paranoia' | 'threshold' | 'score-action' }>;

/** How a rule that runs the OWASP ruleset meets a setting of the legacy OWASP package. */
export function answerOwasp(want: OwaspWant, execute: ExecuteView): Answer {
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

const NOT_REACHED =
  'an action of the whole ruleset may not apply to the scoring rule, which blocks by default';

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
    const remedy = 'give the scoring rule an override with this action';
    return { met: 'similar', to: `${to}, perhaps`, why: NOT_REACHED, remedy, places };
  }
  return { met, to, ...(met === 'similar' ? { why: CHALLENGE_NOTE } : {}), places };
}
