import { objectOf, objectsOf, sha256 } from '../core/json';
import { counted } from '../core/printable';
import { parametersOf, type Ruleset, type RulesetRule, SCORING_RULE } from '../core/ruleset';
import { anyOf, fits, quote } from '../ruleset/expressions';
import { renderRule } from '../ruleset/parse-ruleset';
import { viewRuleset } from '../ruleset/view-ruleset';
import { type Comparison, type PathCount, type RuleAnswer, sumOf } from './comparison';
import {
  findDeployedRule,
  findDeployedSuccessor,
  type ManagedRuleId,
  type ZoneRule,
} from './managed-rules';
import { LEGACY_SCORE_RULE } from './query/events';

interface Common extends ManagedRuleId {
  /** What a rule of either WAF did. */
  readonly evidence: Pick<
    RuleAnswer,
    'ruleId' | 'name' | 'requests' | 'share' | 'clients' | 'paths' | 'samples'
  >;
  readonly why: string;
}

/** An override: a managed rule only logs, or the successor of a legacy rule does what the legacy one did. */
type OverrideChange = Common &
  (
    | { readonly kind: 'log' }
    | { readonly kind: 'enable'; readonly action: 'block' | 'managed_challenge' }
  );

type SkipChange = Common & { readonly kind: 'skip'; readonly expression: string };

export type ProposedChange = OverrideChange | SkipChange;

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
     * Requests that only the new WAF would stop: now, and at most with the changes, undecidable
     * requests included. What an enabled successor will stop is unknown, so nothing is promised for it.
     */
    readonly newlyBlocked: { readonly before: number; readonly after: number };
    readonly undecidable?: number;
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
  zoneRules: readonly ZoneRule[],
): { readonly proposal: Proposal; readonly text: string } {
  const { changes, notProposed } = chooseChanges({ review, rules: ruleset.rules, zoneRules });
  const relaxed = new Set(
    changes.flatMap(({ kind, ruleId }) => (kind === 'enable' ? [] : [ruleId])),
  );
  const blocking = review.rules.filter(
    ({ change, ruleId }) => change === 'newly-blocked' && !relaxed.has(ruleId),
  );
  const { undecidable, impact } = review;
  const before = impact['newly-blocked'].requests;
  const proposal = {
    changes,
    notProposed,
    promise: {
      newlyBlocked: { before, after: Math.min(before, sumOf(blocking)) + undecidable },
      ...(undecidable > 0 && { undecidable }),
      requests: review.requests,
    },
  };
  const { rules, fields, ...head } = applyChanges(ruleset, changes);
  const result = { ...head, ...fields, rules: rules.map(renderRule) };
  const document = { success: true, errors: [], messages: [], result, proposal };
  return { proposal, text: `${JSON.stringify(document, null, 2)}\n` };
}

interface Given {
  readonly review: Comparison;
  readonly rules: readonly RulesetRule[];
  readonly zoneRules: readonly ZoneRule[];
}

/** Chooses at most one change for each managed rule: the first, because the heaviest rule comes first, or to block. */
function chooseChanges(given: Given): Pick<Proposal, 'changes' | 'notProposed'> {
  const changes = new Map<string, ProposedChange>();
  const notProposed: NotProposed[] = [];
  const leaveOut = ({ ruleId, requests }: Omit<NotProposed, 'why'>, why: string): void => {
    notProposed.push({ ruleId, requests, why });
  };
  for (const answer of given.review.rules) {
    const wished = wish(answer, given);
    if (typeof wished === 'string') leaveOut(answer, wished);
    if (typeof wished !== 'object') continue;
    const rival = changes.get(wished.ruleId);
    const blocks = wished.kind === 'enable' && wished.action === 'block';
    const [kept, left] = rival === undefined || blocks ? [wished, rival] : [rival, wished];
    changes.set(kept.ruleId, kept);
    const why = `the change for ${kept.evidence.ruleId} covers these requests too`;
    if (left !== undefined) leaveOut(left.evidence, why);
  }
  return { changes: [...changes.values()], notProposed };
}

/** @returns a change, or why there is none; undefined if none is needed */
function wish(answer: RuleAnswer, given: Given): ProposedChange | string | undefined {
  switch (answer.change) {
    case 'undecidable':
      return answer.outcome === 'hidden'
        ? 'undecidable: let the new rules log, then review again'
        : 'undecidable: review more events of Logpush';
    case 'stricter':
      return 'both act, the new rule more strictly: decide which is right';
    case 'laxer':
      return 'both act, the new WAF less strictly: decide which is right';
    case 'newly-blocked':
      return unlessPresent(relax(answer, given), given);
    case 'no-longer-blocked':
      return unlessPresent(tighten(answer, given), given);
    case 'newly-logged':
    case 'no-longer-logged':
      return undefined;
  }
}

function unlessPresent(wished: ProposedChange | string, { rules }: Given): ProposedChange | string {
  return typeof wished === 'object' && isPresent(rules, wished)
    ? 'the configuration already has this change: start validation with it, then review new events'
    : wished;
}

const FEW_PATHS = 3;

/** A new rule stops requests that the legacy WAF allowed. */
function relax(answer: RuleAnswer, { review, rules, zoneRules }: Given): ProposedChange | string {
  const { ruleId, outcome, paths } = answer;
  const rule = findDeployedRule(ruleId, rules, zoneRules);
  if (rule === undefined) {
    return zoneRules.length > 0
      ? 'no managed ruleset that the zone deploys is known to have the rule: change it by hand'
      : 'cannot tell which deployed managed ruleset has the rule: pass --zone';
  }
  // the paths are those of all verdicts of the outcome
  const seen = review.rules.filter((one) => one.ruleId === ruleId && one.outcome === outcome);
  const isNarrow = paths.length <= FEW_PATHS && sumOf(paths) === sumOf(seen);
  const expression = isNarrow ? pathExpression(paths) : undefined;
  const change = { ...rule, evidence: evidenceOf(answer) };
  const also = review.classes['both-act'] > 0 ? '; requests that both WAFs stop can pass too' : '';
  if (expression === undefined) {
    if (ruleId === SCORING_RULE)
      return 'OWASP stops requests only with this rule: raise its score threshold, or lower the paranoia level';
    return { kind: 'log', ...change, why: `the legacy WAF allowed these requests${also}` };
  }
  const where = paths.length === 1 ? 'one path' : `${paths.length} paths`;
  const why = `the legacy WAF allowed these requests, all on ${where}${also}`;
  return { kind: 'skip', ...change, expression, why };
}

/** A legacy rule stopped what the new WAF lets through. */
function tighten(answer: RuleAnswer, { review, rules, zoneRules }: Given): ProposedChange | string {
  const successor = findDeployedSuccessor(answer.ruleId, rules, zoneRules);
  // a successor that acted in any request is on, so enabling it changes nothing
  if (successor !== undefined && !review.activeRules.includes(successor.ruleId)) {
    const action = answer.verdict === 'challenge' ? 'managed_challenge' : 'block';
    const why = 'the new rule that replaces the legacy one did not act';
    return { kind: 'enable', ...successor, action, evidence: evidenceOf(answer), why };
  }
  if (answer.ruleId === LEGACY_SCORE_RULE) {
    return 'OWASP counts scores: lower the threshold of the score rule, or raise the paranoia level';
  }
  const skips = rules.flatMap(({ ref, enabled }) => (enabled && ref?.startsWith(SKIP) ? ref : []));
  const also =
    skips.length === 0
      ? ''
      : `. An exception of an earlier proposal can also let them through: check ${skips.join(', ')}`;
  return successor === undefined
    ? `no new rule is known to replace it: write a custom rule for these requests${also}`
    : `its successor ${successor.ruleId} is on and allowed these requests: write a custom rule for them${also}`;
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

/** Whether the configuration already has a change, or a stricter override. */
function isPresent(rules: readonly RulesetRule[], change: ProposedChange): boolean {
  if (change.kind === 'skip') return rules.some(({ ref }) => ref === refOf(change));
  return viewRuleset({ rules })
    .executes.filter(({ ruleset }) => ruleset === change.rulesetId)
    .every((execute) => {
      const { action, enabled } = execute.rules.get(change.ruleId) ?? {};
      if (change.kind === 'log') return action === 'log';
      return enabled === true && (action === change.action || action === 'block');
    });
}

/**
 * The configuration with the changes in it: overrides in the rules that deploy the managed rulesets, and
 * exceptions before them.
 */
function applyChanges(ruleset: Ruleset, changes: readonly ProposedChange[]): Ruleset {
  const first = ruleset.rules.findIndex(({ action }) => action === 'execute');
  const at = first < 0 ? ruleset.rules.length : first;
  const overrides = changes.filter((change) => change.kind !== 'skip');
  const rules = ruleset.rules.map((rule) => overrides.reduce(withOverride, rule));
  const exceptions = changes.filter((change) => change.kind === 'skip').map(skipRule);
  return { ...ruleset, rules: [...rules.slice(0, at), ...exceptions, ...rules.slice(at)] };
}

/** The begin of the ref of each proposed exception. */
const SKIP = 'review_skip_';

/** Made from what the rule matches: the same requests give the same ref in each round. */
function refOf({ ruleId, expression }: SkipChange): string {
  return `${SKIP}${sha256(`${ruleId} ${expression}`).slice(0, 12)}`;
}

function skipRule(change: SkipChange): RulesetRule {
  const { ruleId, rulesetId, expression, evidence } = change;
  return {
    ref: refOf(change),
    expression,
    action: 'skip',
    description: `review: ${counted(evidence.requests, 'request')} that the legacy WAF allowed`,
    enabled: true,
    fields: {
      action_parameters: { rules: { [rulesetId]: [ruleId] } },
      logging: { enabled: true },
    },
  };
}

function withOverride(rule: RulesetRule, change: OverrideChange): RulesetRule {
  const { ruleId, rulesetId } = change;
  const parameters = parametersOf(rule);
  if (rule.action !== 'execute' || parameters['id'] !== rulesetId) return rule;
  const overrides = objectOf(parameters['overrides']);
  const before = objectsOf(overrides['rules']);
  const override =
    change.kind === 'log' ? { action: 'log' } : { action: change.action, enabled: true };
  const rules = before.some(({ id }) => id === ruleId)
    ? before.map((one) => (one['id'] === ruleId ? { ...one, ...override } : one))
    : [...before, { id: ruleId, ...override }];
  return {
    ...rule,
    fields: {
      ...rule.fields,
      action_parameters: { ...parameters, overrides: { ...overrides, rules } },
    },
  };
}
