import { type RulesetRule } from '../../core/ruleset';
import { anyOf, fits, quote } from '../../ruleset/expressions';
import { type Comparison, type PathCount, type RuleAnswer, type Sample } from '../comparison';
import {
  findDeployedRule,
  findDeployedSuccessor,
  type ManagedRuleId,
  type RuleKnowledge,
} from '../managed-rules';
import { LEGACY_SCORE_RULE } from '../query/events';
import {
  addsRule,
  type Evidence,
  isOverridden,
  type ProposedChange,
  refOf,
  type StopAction,
} from './apply-changes';

/** A rule for which no change is proposed. */
export interface NotProposed {
  readonly ruleId: string;
  readonly requests: number;
  readonly why: string;
}

/** What is proposed, and what is not, with the reason. */
interface Chosen {
  readonly changes: readonly ProposedChange[];
  readonly notProposed: readonly NotProposed[];
}

/** The most paths that an exception lists. */
const FEW_PATHS = 3;

/**
 * Chooses a change for each rule that would newly block, or no longer block, requests.
 * @param rules of the configuration that is changed
 */
export function chooseChanges(
  review: Comparison,
  rules: readonly RulesetRule[],
  knowledge: RuleKnowledge,
): Chosen {
  const wishes: ProposedChange[] = [];
  const notProposed: NotProposed[] = [];
  for (const answer of review.rules) {
    const chosen = choose(answer, review, rules, knowledge);
    if (typeof chosen === 'string') {
      notProposed.push({ ruleId: answer.ruleId, requests: answer.requests, why: chosen });
    } else if (chosen !== undefined) wishes.push(chosen);
  }
  const settled = settle(wishes, rules);
  return { ...settled, notProposed: [...notProposed, ...settled.notProposed] };
}

/** @returns a change, or why there is none; undefined if none is needed */
function choose(
  answer: RuleAnswer,
  review: Comparison,
  rules: readonly RulesetRule[],
  knowledge: RuleKnowledge,
): ProposedChange | string | undefined {
  const { ruleId, change } = answer;
  if (change === 'undecidable') return 'undecidable: let the new rules log, then review again';
  if (change === 'stricter') return 'both act, the new rule more strictly: decide which is right';
  if (change === 'laxer') return 'both act, the new WAF less strictly: decide which is right';
  if (change === 'newly-blocked') {
    const rule = findDeployedRule(ruleId, rules, knowledge);
    if (rule !== undefined) return relax(answer, rule, review);
    return 'cannot tell which deployed managed ruleset has the rule: pass --zone';
  }
  if (change === 'no-longer-blocked') {
    return tighten(answer, findDeployedSuccessor(ruleId, rules, knowledge), review);
  }
  return undefined;
}

/** A new rule stops requests that the legacy WAF allowed. */
function relax(answer: RuleAnswer, rule: ManagedRuleId, { rules }: Comparison): ProposedChange {
  const { paths } = answer;
  const evidence = evidenceOf(answer);
  // the paths are those of all verdicts of the outcome
  const seen = sumOf(
    rules.filter(
      ({ ruleId, outcome, side }) =>
        ruleId === answer.ruleId && outcome === answer.outcome && side === answer.side,
    ),
  );
  const isNarrow = paths.length <= FEW_PATHS && sumOf(paths) === seen;
  const expression = isNarrow ? pathExpression(paths) : undefined;
  if (expression === undefined) {
    const why = 'the legacy WAF allowed these requests';
    return { kind: 'log', ...rule, evidence, why };
  }
  const why = `the rule acted only on ${paths.length === 1 ? 'one path' : `${paths.length} paths`}, where the legacy WAF allowed the requests`;
  return { kind: 'skip', ...rule, expression, evidence, why };
}

/** A legacy rule stopped what the new WAF lets through. */
function tighten(
  answer: RuleAnswer,
  successor: ManagedRuleId | undefined,
  { sets }: Comparison,
): ProposedChange | string {
  const action = answer.verdict === 'challenge' ? 'managed_challenge' : 'block';
  // a successor that acted in some request is on, so enabling it changes nothing
  const isOn =
    successor !== undefined &&
    sets.some(({ side, ruleIds }) => side === 'new' && ruleIds.includes(successor.ruleId));
  if (successor !== undefined && !isOn) {
    const why = 'the new rule that replaces the legacy one did not act';
    return { kind: 'enable', ...successor, action, evidence: evidenceOf(answer), why };
  }
  if (answer.ruleId === LEGACY_SCORE_RULE) {
    return 'OWASP counts scores: lower the threshold of the score rule, or raise the paranoia level';
  }
  return customRule(
    answer,
    action,
    successor === undefined
      ? 'no new rule is known to replace the legacy one'
      : `its successor ${successor.ruleId} is on and allowed these requests`,
  );
}

function customRule(
  answer: RuleAnswer,
  action: StopAction,
  reason: string,
): ProposedChange | string {
  const { samples } = answer;
  if (samples.length === 0) return 'there is no sample of these requests: write a custom rule';
  const expression = sampleExpression(samples);
  if (expression === undefined) return 'the requests cannot be written as an expression';
  // without a query the expression matches each request to the path
  const enabled = samples.every(({ query }) => query.length > 1);
  const why = enabled
    ? `${reason}; the rule stops exactly these requests`
    : `${reason}; the expression matches every request to the path, so the rule is disabled: narrow it, then enable it`;
  const covers = samples.length;
  return { kind: 'custom', action, expression, covers, enabled, evidence: evidenceOf(answer), why };
}

function evidenceOf(answer: RuleAnswer): Evidence {
  const { ruleId, name, requests, share, clients, paths, samples } = answer;
  return { ruleId, name, requests, share, clients, paths, samples };
}

const sumOf = (counts: readonly { readonly requests: number }[]): number =>
  counts.reduce((sum, { requests }) => sum + requests, 0);

/** An expression for exactly these paths, host by host. */
function pathExpression(paths: readonly PathCount[]): string | undefined {
  const hosts = [...new Set(paths.map(({ host }) => host))];
  return expressionOf(
    hosts.map((host) => {
      const own = paths.filter((one) => one.host === host).map(({ path }) => path);
      if (![host, ...own].every(isPlain)) return undefined;
      const [first = '', ...others] = own.map(quote);
      const match = others.length === 0 ? `eq ${first}` : `in {${[first, ...others].join(' ')}}`;
      return `http.host eq ${quote(host)} and http.request.uri.path ${match}`;
    }),
  );
}

/** An expression for exactly these requests: method, host, path and query. */
function sampleExpression(samples: readonly Sample[]): string | undefined {
  return expressionOf(
    samples.map(({ method, host, path, query }) => {
      if (![method, host, path, `x${query}`].every(isPlain)) return undefined;
      // the export has the query with its question mark, the field without
      const plain = query.replace(/^\?/, '');
      return `http.request.method eq ${quote(method)} and http.host eq ${quote(host)} and http.request.uri.path eq ${quote(path)} and http.request.uri.query eq ${quote(plain)}`;
    }),
  );
}

/** Undefined if a request cannot be written in the language, or all of them are too long. */
function expressionOf(clauses: readonly (string | undefined)[]): string | undefined {
  const written = clauses.filter((clause) => clause !== undefined);
  if (written.length === 0 || written.length < clauses.length) return undefined;
  const expression = anyOf(written);
  return fits(expression) ? expression : undefined;
}

const isPlain = (text: string): boolean => text !== '' && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text);

/**
 * Leaves out duplicates and what the configuration already has. Of two actions for the same requests,
 * the stricter one stays.
 */
function settle(wishes: readonly ProposedChange[], rules: readonly RulesetRule[]): Chosen {
  const settled = new Map<string, ProposedChange>();
  const notProposed: NotProposed[] = [];
  const leaveOut = ({ evidence: { ruleId, requests } }: ProposedChange, why: string): void => {
    notProposed.push({ ruleId, requests, why });
  };
  for (const wish of wishes) {
    const present = whyNeedless(wish, rules);
    if (present !== undefined) {
      leaveOut(wish, present);
      continue;
    }
    const key = addsRule(wish) ? refOf(wish) : `${wish.rulesetId} ${wish.ruleId}`;
    const rival = settled.get(key);
    if (rival === undefined) {
      settled.set(key, wish);
      continue;
    }
    const isStricter = actionOf(wish) === 'block' && actionOf(rival) !== 'block';
    const [kept, left] = isStricter ? [wish, rival] : [rival, wish];
    const covers = kept.kind === 'custom' && left.kind === 'custom' ? kept.covers + left.covers : 0;
    settled.set(key, kept.kind === 'custom' ? { ...kept, covers } : kept);
    const why = `the change for ${kept.evidence.ruleId} covers these requests too`;
    const isWeaker = actionOf(kept) === 'block' && actionOf(left) !== 'block';
    leaveOut(left, isWeaker ? `${why}; the stricter action wins: block` : why);
  }
  return { changes: [...settled.values()], notProposed };
}

const actionOf = (change: ProposedChange): string =>
  'action' in change ? change.action : change.kind;

/** Why a change is not needed; undefined if it is. */
function whyNeedless(change: ProposedChange, rules: readonly RulesetRule[]): string | undefined {
  if (!addsRule(change)) {
    return isOverridden(rules, change)
      ? `the configuration already has this override of ${change.ruleId}: start validation with it, then review new events`
      : undefined;
  }
  const ref = refOf(change);
  const rule = rules.find((one) => one.ref === ref);
  if (rule === undefined) return undefined;
  return rule.enabled === false
    ? `already proposed, disabled: narrow the rule ${ref} of the configuration, then enable it`
    : `already proposed: the configuration has the rule ${ref}; start validation with it, then review new events`;
}
