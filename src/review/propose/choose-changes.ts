import { objectOf, objectsOf } from '../../core/json';
import { deployedBy, parametersOf, type RulesetRule, SCORING_RULE } from '../../core/ruleset';
import { type Comparison, type PathCount, type RuleAnswer, type Sample } from '../comparison';
import { type ZoneRule } from '../managed-rules';
import { addsRule, isSaid, refOf } from './apply-changes';
import { type NotProposed, type ProposedChange } from './proposal';
import { OLD_SCORE_RULE } from '../query/events';
import { OWASP_RULESET } from '../../ruleset/known-rulesets';
import { type Catalogue } from '../../translate/catalogue/catalogue';
import { findSuccessor } from '../../translate/catalogue/find-successor';

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

/** What is proposed, and what is not, with the reason. */
export interface Settled {
  readonly changes: ProposedChange[];
  readonly notProposed: NotProposed[];
}

/**
 * Settles what is wished for one by one: nothing twice, nothing that the configuration has already,
 * and of two actions for the same requests the stricter one.
 * @param rules of the configuration that is changed
 */
function settleChanges(wishes: readonly ProposedChange[], rules: readonly RulesetRule[]): Settled {
  const settled = new Map<string, ProposedChange>();
  const notProposed: NotProposed[] = [];
  const leaveOut = ({ evidence: { ruleId, requests } }: ProposedChange, why: string): void => {
    notProposed.push({ ruleId, requests, why });
  };
  for (const wish of wishes) {
    const stands = standing(wish, rules);
    if (stands !== undefined) {
      leaveOut(wish, stands);
      continue;
    }
    const key = keyOf(wish);
    const rival = settled.get(key);
    if (rival === undefined) {
      settled.set(key, wish);
      continue;
    }
    const [kept, left] = strictness(wish) > strictness(rival) ? [wish, rival] : [rival, wish];
    settled.set(key, together(kept, left));
    leaveOut(left, coveredBy(kept, left));
  }
  return { changes: [...settled.values()], notProposed };
}

/** Changes with one key would stand in one place of the configuration. */
const keyOf = (change: ProposedChange): string =>
  addsRule(change) ? refOf(change) : `${change.rulesetId} ${change.ruleId}`;

/** Why a change is needless in this configuration; undefined where it is none of it. */
function standing(change: ProposedChange, rules: readonly RulesetRule[]): string | undefined {
  if (!addsRule(change)) {
    return isSaid(rules, change)
      ? `the configuration overrides ${change.ruleId} so already: review events of a validation with it`
      : undefined;
  }
  const ref = refOf(change);
  const rule = rules.find((one) => one.ref === ref);
  if (rule === undefined) return undefined;
  return rule.enabled === false
    ? `already proposed, disabled: narrow the rule ${ref} of the configuration, then enable it`
    : `already proposed: the configuration has the rule ${ref}; review events of a validation with it`;
}

const actionOf = (change: ProposedChange): string =>
  'action' in change ? change.action : change.kind;

const strictness = (change: ProposedChange): number => (actionOf(change) === 'block' ? 1 : 0);

/** A rule that takes in another meets the requests of both. */
function together(kept: ProposedChange, left: ProposedChange): ProposedChange {
  return kept.kind === 'custom' && left.kind === 'custom'
    ? { ...kept, covers: kept.covers + left.covers }
    : kept;
}

function coveredBy(kept: ProposedChange, left: ProposedChange): string {
  const whose = `the change for ${kept.evidence.ruleId} holds for these requests as well`;
  return strictness(kept) > strictness(left)
    ? `${whose}; the stricter action wins: ${actionOf(kept)}`
    : whose;
}

/** The managed rulesets that are deployed and on. */
export function deployedRulesets(rules: readonly RulesetRule[]): ReadonlySet<string> {
  return new Set(rules.flatMap((rule) => (rule.enabled === false ? [] : (deployedBy(rule) ?? []))));
}

/**
 * The deployed managed ruleset that a rule is in: as the zone lists it, as the catalogue has it, or as
 * the configuration overrides it. Undefined where none of them knows.
 */
export function rulesetOf(
  ruleId: string,
  {
    rules,
    catalogue,
    zoneRules,
  }: {
    readonly rules: readonly RulesetRule[];
    readonly catalogue: Catalogue;
    readonly zoneRules: readonly ZoneRule[];
  },
): string | undefined {
  const overriding = rules.find((rule) =>
    objectsOf(objectOf(parametersOf(rule)['overrides'])['rules']).some(({ id }) => id === ruleId),
  );
  const named = overriding === undefined ? undefined : parametersOf(overriding)['id'];
  const found =
    zoneRules.find(({ id }) => id === ruleId)?.rulesetId ??
    catalogue.managedRules.find(({ id }) => id === ruleId)?.rulesetId ??
    (ruleId === SCORING_RULE ? OWASP_RULESET : undefined) ??
    (typeof named === 'string' ? named : undefined);
  return found !== undefined && deployedRulesets(rules).has(found) ? found : undefined;
}

/** As the service takes it (spec: "Limits"). */
const LONGEST = 4096;

/**
 * An expression that holds for exactly these paths, host by host; undefined where a host or path is
 * not known, holds characters that a string of the language cannot, or the expression gets too long.
 */
export function expressionOfPaths(paths: readonly PathCount[]): string | undefined {
  const hosts = new Map<string, string[]>();
  for (const { host, path } of paths) {
    if (!isPlain(host) || !isPlain(path)) return undefined;
    hosts.set(host, [...(hosts.get(host) ?? []), path]);
  }
  return joined(
    [...hosts].map(([host, own]) => `http.host eq ${quoted(host)} and ${amongPaths(own)}`),
  );
}

/** An expression that holds for exactly these requests: method, host, path and query. */
export function expressionOfSamples(samples: readonly Sample[]): string | undefined {
  const clauses = samples.map(({ method, host, path, query }) => {
    if (![method, host, path].every(isPlain) || !isPlain(`x${query}`)) return undefined;
    // the export has the query with its question mark, the field without
    const plain = query.replace(/^\?/, '');
    return `http.request.method eq ${quoted(method)} and http.host eq ${quoted(host)} and http.request.uri.path eq ${quoted(path)} and http.request.uri.query eq ${quoted(plain)}`;
  });
  return clauses.includes(undefined)
    ? undefined
    : joined([...new Set(clauses.filter((clause) => clause !== undefined))]);
}

function amongPaths(paths: readonly string[]): string {
  const [first = ''] = paths;
  if (paths.length === 1) return `http.request.uri.path eq ${quoted(first)}`;
  return `http.request.uri.path in {${paths.map(quoted).join(' ')}}`;
}

function joined(clauses: readonly string[]): string | undefined {
  const expression = clauses.map((clause) => `(${clause})`).join(' or ');
  return expression === '' || Buffer.byteLength(expression) > LONGEST ? undefined : expression;
}

const isPlain = (text: string): boolean => text !== '' && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text);

/** Quoted strings escape the quote and the backslash (the language's documentation). */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
