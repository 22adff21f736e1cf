import { type Ruleset, type RulesetRule } from '../../core/ruleset';
import { anyOf, fits, quote } from '../../ruleset/expressions';
import { renderRule } from '../../ruleset/parse-ruleset';
import { type Comparison, type PathCount, type RuleAnswer, sumOf } from '../comparison';
import { findDeployedRule, findDeployedSuccessor, type RuleKnowledge } from '../managed-rules';
import { LEGACY_SCORE_RULE } from '../query/events';
import { applyChanges, isPresent, type ProposedChange } from './apply-changes';

/** A rule for which no change is proposed. */
export interface NotProposed {
  readonly ruleId: string;
  readonly requests: number;
  readonly why: string;
}

/** What is proposed, with its evidence and its promise: part of the command's JSON and of the file. */
export interface Proposal {
  readonly changes: readonly ProposedChange[];
  readonly notProposed: readonly NotProposed[];
  readonly promise: {
    /**
     * Requests that only the new WAF would stop: now, and at most with the changes. What an enabled
     * successor will stop is unknown, so nothing is promised for it.
     */
    readonly newlyBlocked: { readonly before: number; readonly after: number };
    /** The requests of the review. */
    readonly requests: number;
  };
}

/**
 * Proposes changes of a configuration.
 * @returns also the text of the file: the changed configuration in the form of a saved answer, so that
 *   `generate --config` and `start-validation --config` read it, and beside it the proposal
 */
export function propose(
  review: Comparison,
  ruleset: Ruleset,
  knowledge: RuleKnowledge,
): { readonly proposal: Proposal; readonly text: string } {
  const changes = new Map<string, ProposedChange>();
  const notProposed: NotProposed[] = [];
  const leaveOut = ({ ruleId, requests }: Omit<NotProposed, 'why'>, why: string): void => {
    notProposed.push({ ruleId, requests, why });
  };
  for (const answer of review.rules) {
    const wished = wish(answer, { review, rules: ruleset.rules, knowledge });
    if (wished === undefined) continue;
    const chosen =
      typeof wished === 'object' && isPresent(ruleset.rules, wished) ? PRESENT : wished;
    if (typeof chosen === 'string') {
      leaveOut(answer, chosen);
      continue;
    }
    const rival = changes.get(chosen.ruleId);
    const isStricter = chosen.kind === 'enable' && chosen.action === 'block';
    if (rival === undefined || isStricter) changes.set(chosen.ruleId, chosen);
    if (rival === undefined) continue;
    const [kept, left] = isStricter ? [chosen, rival] : [rival, chosen];
    leaveOut(left.evidence, `the change for ${kept.evidence.ruleId} covers these requests too`);
  }
  const relaxed = new Set(
    [...changes.values()].flatMap(({ kind, ruleId }) => (kind === 'enable' ? [] : [ruleId])),
  );
  const blocking = review.rules.filter(
    ({ change, ruleId }) => change === 'newly-blocked' && !relaxed.has(ruleId),
  );
  const before = review.impact['newly-blocked'].requests;
  const proposal = {
    changes: [...changes.values()],
    notProposed,
    promise: {
      newlyBlocked: { before, after: Math.min(before, sumOf(blocking)) },
      requests: review.requests,
    },
  };
  const { rules, fields, ...head } = applyChanges(ruleset, proposal.changes);
  const result = { ...head, ...fields, rules: rules.map(renderRule) };
  const document = { success: true, errors: [], messages: [], result, proposal };
  return { proposal, text: `${JSON.stringify(document, null, 2)}\n` };
}

const PRESENT =
  'the configuration already has this change: start validation with it, then review new events';

/** What a proposal is made from. */
interface Given {
  readonly review: Comparison;
  /** Those of the configuration. */
  readonly rules: readonly RulesetRule[];
  readonly knowledge: RuleKnowledge;
}

/** @returns a change, or why there is none; undefined if none is needed */
function wish(answer: RuleAnswer, given: Given): ProposedChange | string | undefined {
  switch (answer.change) {
    case 'undecidable':
      return 'undecidable: let the new rules log, then review again';
    case 'stricter':
      return 'both act, the new rule more strictly: decide which is right';
    case 'laxer':
      return 'both act, the new WAF less strictly: decide which is right';
    case 'newly-blocked':
      return relax(answer, given);
    case 'no-longer-blocked':
      return tighten(answer, given);
    case 'newly-logged':
    case 'no-longer-logged':
      return undefined;
  }
}

/** The most paths that an exception lists. */
const FEW_PATHS = 3;

/** A new rule stops requests that the legacy WAF allowed. */
function relax(answer: RuleAnswer, { review, rules, knowledge }: Given): ProposedChange | string {
  const { ruleId, outcome, paths } = answer;
  const rule = findDeployedRule(ruleId, rules, knowledge);
  if (rule === undefined) {
    return 'cannot tell which deployed managed ruleset has the rule: pass --zone';
  }
  // the paths are those of all verdicts of the outcome
  const seen = review.rules.filter((one) => one.ruleId === ruleId && one.outcome === outcome);
  const isNarrow = paths.length <= FEW_PATHS && sumOf(paths) === sumOf(seen);
  const expression = isNarrow ? pathExpression(paths) : undefined;
  const change = { ...rule, evidence: evidenceOf(answer) };
  if (expression === undefined) {
    return { kind: 'log', ...change, why: 'the legacy WAF allowed these requests' };
  }
  const where = paths.length === 1 ? 'one path' : `${paths.length} paths`;
  const why = `the rule acted only on ${where}, where the legacy WAF allowed the requests`;
  return { kind: 'skip', ...change, expression, why };
}

/** A legacy rule stopped what the new WAF lets through. */
function tighten(answer: RuleAnswer, { review, rules, knowledge }: Given): ProposedChange | string {
  const successor = findDeployedSuccessor(answer.ruleId, rules, knowledge);
  // a successor that acted in some request is on, so enabling it changes nothing
  if (successor !== undefined && !review.activeRules.includes(successor.ruleId)) {
    const action = answer.verdict === 'challenge' ? 'managed_challenge' : 'block';
    const why = 'the new rule that replaces the legacy one did not act';
    return { kind: 'enable', ...successor, action, evidence: evidenceOf(answer), why };
  }
  if (answer.ruleId === LEGACY_SCORE_RULE) {
    return 'OWASP counts scores: lower the threshold of the score rule, or raise the paranoia level';
  }
  return successor === undefined
    ? 'no new rule is known to replace it: write a custom rule for these requests'
    : `its successor ${successor.ruleId} is on and allowed these requests: write a custom rule for them`;
}

function evidenceOf(answer: RuleAnswer): ProposedChange['evidence'] {
  const { ruleId, name, requests, share, clients, paths, samples } = answer;
  return { ruleId, name, requests, share, clients, paths, samples };
}

/**
 * An expression for exactly these paths, host by host. Undefined if one cannot be written in the language, or
 * all of them are too long.
 */
function pathExpression(paths: readonly PathCount[]): string | undefined {
  const isPlain = (text: string): boolean => text !== '' && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text);
  if (!paths.every(({ host, path }) => isPlain(host) && isPlain(path))) return undefined;
  const hosts = [...new Set(paths.map(({ host }) => host))];
  const clauses = hosts.map((host) => {
    const own = paths.filter((one) => one.host === host).map(({ path }) => quote(path));
    return `http.host eq ${quote(host)} and http.request.uri.path in {${own.join(' ')}}`;
  });
  const expression = anyOf(clauses);
  return fits(expression) ? expression : undefined;
}
