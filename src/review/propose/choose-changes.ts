import { type RulesetRule } from '../../model/ruleset';
import { type Catalogue } from '../../translate/catalogue/catalogue';
import { findSuccessor } from '../../translate/catalogue/find-successor';
import { OLD_SCORE_RULE } from '../event-words';
import { type Comparison, type RuleAnswer } from '../comparison';
import { type ZoneRule } from '../rule-names';
import { type NotProposed, type ProposedChange } from './change';
import { deployedRulesets, rulesetOf } from './deployed';
import { expressionOfPaths, expressionOfSamples } from './narrow-expression';

/** What the user wants for rules that are too strict; `auto`: an exception where it is narrow, else `log`. */
export type Remedy = 'auto' | 'log' | 'disable' | 'skip';

/** What the choice stands on. */
export interface ChoiceInput {
  readonly rules: readonly RulesetRule[];
  readonly catalogue: Catalogue;
  readonly zoneRules: readonly ZoneRule[];
  readonly remedy: Remedy;
}

/** The most paths that an exception of its own accord names. */
const FEW_PATHS = 3;

/** Chooses a change for each rule that would newly block, or no longer block, requests. */
export function chooseChanges(
  review: Comparison,
  input: ChoiceInput,
): { readonly changes: ProposedChange[]; readonly notProposed: NotProposed[] } {
  const changes: ProposedChange[] = [];
  const notProposed: NotProposed[] = [];
  for (const rule of review.rules) {
    const chosen =
      rule.outcome === 'only-new' && rule.change === 'newly-blocked'
        ? tooStrict(rule, input)
        : rule.outcome === 'only-old' && rule.change === 'no-longer-blocked'
          ? tooLax(rule, input)
          : otherwise(rule);
    if (typeof chosen === 'string') {
      notProposed.push({ ruleId: rule.ruleId, requests: rule.requests, why: chosen });
    } else if (chosen !== undefined) changes.push(chosen);
  }
  return { changes: merged(changes), notProposed };
}

function tooStrict(rule: RuleAnswer, input: ChoiceInput): ProposedChange | string {
  const rulesetId = rulesetOf(rule.ruleId, input);
  if (rulesetId === undefined) {
    return 'it is not known in which deployed managed ruleset the rule is: pass --zone';
  }
  const { ruleId, paths, requests } = rule;
  const evidence = evidenceOf(rule);
  const { remedy } = input;
  const whole = paths.reduce((sum, path) => sum + path.requests, 0) === requests;
  const narrow = whole && (remedy === 'skip' || paths.length <= FEW_PATHS);
  const expression = narrow ? expressionOfPaths(paths) : undefined;
  if ((remedy === 'auto' || remedy === 'skip') && expression !== undefined) {
    const why = `the rule met only these ${paths.length === 1 ? 'requests to one path' : `${paths.length} paths`}, which the old WAF let through`;
    return { kind: 'skip', rulesetId, ruleId, expression, evidence, why };
  }
  if (remedy === 'skip') return 'its requests go to too many paths for a narrow exception';
  return {
    kind: remedy === 'disable' ? 'disable' : 'log',
    rulesetId,
    ruleId,
    evidence,
    why: 'the old WAF let these requests through',
  };
}

function tooLax(rule: RuleAnswer, input: ChoiceInput): ProposedChange | string {
  const action = rule.verdict === 'challenge' ? 'managed_challenge' : 'block';
  const evidence = evidenceOf(rule);
  const ids =
    input.zoneRules.length === 0 ? undefined : new Set(input.zoneRules.map(({ id }) => id));
  const successor = findSuccessor(input.catalogue, rule.ruleId, ids);
  const [ruleId] = successor.kind === 'known' ? successor.ids : [];
  const rulesetId = ruleId === undefined ? undefined : rulesetOf(ruleId, input);
  if (
    ruleId !== undefined &&
    rulesetId !== undefined &&
    deployedRulesets(input.rules).has(rulesetId)
  ) {
    const why = 'the new rule that took the place of the old one did not act';
    return { kind: 'enable', rulesetId, ruleId, action, evidence, why };
  }
  if (rule.ruleId === OLD_SCORE_RULE) {
    return 'scores are compared with scores: lower the threshold of the score rule, or raise the paranoia level';
  }
  const expression = expressionOfSamples(rule.samples);
  if (expression === undefined) return 'no expression can be written for the requests';
  // without a query the expression holds for each request to the path
  const enabled = rule.samples.every(({ query }) => query.length > 1);
  const why = enabled
    ? 'no new rule is known that took the place of the old one: these requests alone are stopped'
    : 'no new rule is known that took the place of the old one; the expression meets every request to the path, so that the rule is disabled: narrow it, then enable it';
  return {
    kind: 'custom',
    action,
    expression,
    covers: rule.samples.length,
    enabled,
    evidence,
    why,
  };
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

/** One override of a rule: what should act again is not switched off at once. */
function merged(changes: readonly ProposedChange[]): ProposedChange[] {
  const enabled = new Set(changes.flatMap((one) => (one.kind === 'enable' ? [one.ruleId] : [])));
  const seen = new Set<string>();
  return changes.filter((change) => {
    if (change.kind === 'custom' || change.kind === 'skip') return true;
    if (change.kind !== 'enable' && enabled.has(change.ruleId)) return false;
    if (seen.has(change.ruleId)) return false;
    seen.add(change.ruleId);
    return true;
  });
}
