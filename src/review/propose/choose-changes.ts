import { type RulesetRule } from '../../model/ruleset';
import { type Catalogue } from '../../translate/catalogue/catalogue';
import { findSuccessor } from '../../translate/catalogue/find-successor';
import { OLD_SCORE_RULE } from '../event-words';
import { type Comparison, type RuleAnswer } from '../comparison';
import { type ZoneRule } from '../rule-names';
import { type NotProposed, type ProposedChange } from './change';
import { rulesetOf } from './deployed';
import { expressionOfPaths, expressionOfSamples } from './narrow-expression';
import { type Settled, settleChanges } from './settle-changes';

/** What the choice stands on. */
export interface ChoiceInput {
  readonly rules: readonly RulesetRule[];
  readonly catalogue: Catalogue;
  readonly zoneRules: readonly ZoneRule[];
}

/** The most paths that an exception names. */
const FEW_PATHS = 3;

/** Chooses a change for each rule that would newly block, or no longer block, requests. */
export function chooseChanges(review: Comparison, input: ChoiceInput): Settled {
  const wishes: ProposedChange[] = [];
  const notProposed: NotProposed[] = [];
  const acting = new Set(
    review.sets.flatMap(({ side, ruleIds }) => (side === 'new' ? ruleIds : [])),
  );
  for (const rule of review.rules) {
    const chosen =
      rule.outcome === 'only-new' && rule.change === 'newly-blocked'
        ? tooStrict(rule, seenOf(rule, review), input)
        : rule.outcome === 'only-old' && rule.change === 'no-longer-blocked'
          ? tooLax(rule, acting, input)
          : otherwise(rule);
    if (typeof chosen === 'string') {
      notProposed.push({ ruleId: rule.ruleId, requests: rule.requests, why: chosen });
    } else if (chosen !== undefined) wishes.push(chosen);
  }
  const settled = settleChanges(wishes, input.rules);
  return { ...settled, notProposed: [...notProposed, ...settled.notProposed] };
}

/** The requests of a rule and an outcome, whatever it did in them: its paths are those of all. */
const seenOf = ({ ruleId, outcome, side }: RuleAnswer, { rules }: Comparison): number =>
  rules
    .filter((one) => one.ruleId === ruleId && one.outcome === outcome && one.side === side)
    .reduce((sum, { requests }) => sum + requests, 0);

function tooStrict(rule: RuleAnswer, seen: number, input: ChoiceInput): ProposedChange | string {
  const rulesetId = rulesetOf(rule.ruleId, input);
  if (rulesetId === undefined) {
    return 'it is not known in which deployed managed ruleset the rule is: pass --zone';
  }
  const { ruleId, paths } = rule;
  const evidence = evidenceOf(rule);
  const whole = paths.reduce((sum, path) => sum + path.requests, 0) === seen;
  const narrow = whole && paths.length <= FEW_PATHS;
  const expression = narrow ? expressionOfPaths(paths) : undefined;
  if (expression !== undefined) {
    const why = `the rule met only these ${paths.length === 1 ? 'requests to one path' : `${paths.length} paths`}, which the old WAF let through`;
    return { kind: 'skip', rulesetId, ruleId, expression, evidence, why };
  }
  return {
    kind: 'log',
    rulesetId,
    ruleId,
    evidence,
    why: 'the old WAF let these requests through',
  };
}

/** @param acting the new rules that acted in some request: they are on, and what they miss, they miss */
function tooLax(
  rule: RuleAnswer,
  acting: ReadonlySet<string>,
  input: ChoiceInput,
): ProposedChange | string {
  const action = rule.verdict === 'challenge' ? 'managed_challenge' : 'block';
  const successor = successorOf(rule.ruleId, input);
  if (successor !== undefined && !acting.has(successor.ruleId)) {
    const why = 'the new rule that took the place of the old one did not act';
    return { kind: 'enable', ...successor, action, evidence: evidenceOf(rule), why };
  }
  if (rule.ruleId === OLD_SCORE_RULE) {
    return 'scores are compared with scores: lower the threshold of the score rule, or raise the paranoia level';
  }
  const reason =
    successor === undefined
      ? 'no new rule is known that took the place of the old one'
      : `its successor ${successor.ruleId} is on and let these through`;
  return ownRuleFor(rule, action, reason);
}

/** The new rule that took the place of an old one, where the configuration deploys it. */
function successorOf(
  legacyId: string,
  input: ChoiceInput,
): { readonly rulesetId: string; readonly ruleId: string } | undefined {
  const ids =
    input.zoneRules.length === 0 ? undefined : new Set(input.zoneRules.map(({ id }) => id));
  const successor = findSuccessor(input.catalogue, legacyId, ids);
  const [ruleId] = successor.kind === 'known' ? successor.ids : [];
  const rulesetId = ruleId === undefined ? undefined : rulesetOf(ruleId, input);
  return ruleId === undefined || rulesetId === undefined ? undefined : { rulesetId, ruleId };
}

function ownRuleFor(
  rule: RuleAnswer,
  action: 'block' | 'managed_challenge',
  reason: string,
): ProposedChange | string {
  const { samples } = rule;
  if (samples.length === 0) return 'no sample of these requests is held: write a rule of your own';
  const expression = expressionOfSamples(samples);
  if (expression === undefined) return 'no expression can be written for the requests';
  // without a query the expression holds for each request to the path
  const enabled = samples.every(({ query }) => query.length > 1);
  const why = enabled
    ? `${reason}: these requests alone are stopped`
    : `${reason}; the expression meets every request to the path, so that the rule is disabled: narrow it, then enable it`;
  const covers = samples.length;
  return { kind: 'custom', action, expression, covers, enabled, evidence: evidenceOf(rule), why };
}

function otherwise({ change, outcome }: RuleAnswer): string | undefined {
  if (change === 'undecidable') return 'undecidable: let the new rules log, then review again';
  if (outcome === 'stricter') return 'both act, and the new rule more: decide which is right';
  if (outcome === 'laxer') return 'both act, and the new WAF less: decide which is right';
  return undefined;
}

function evidenceOf(rule: RuleAnswer): ProposedChange['evidence'] {
  const { ruleId, name, requests, share, clients, paths, samples } = rule;
  return { ruleId, name, requests, share, clients, paths, samples };
}
