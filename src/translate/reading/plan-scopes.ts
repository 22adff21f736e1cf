import { ALWAYS } from '../patterns/expression-text';
import { type RegionDraft, type RuleDraft, type SkipDraft } from './draft';
import { type GeneralRule } from './general-rule';
import { type GeneralRules } from './merge-rules';
import { Outcomes } from './outcomes';
import { planRegions, type Region } from './plan-regions';
import { planSkips } from './plan-skips';
import { type ReadContext, report } from './read-context';
import { COVERED, describeScopes, refOf, type Scope, type ScopeChange } from './scope';
import { settleScopes } from './settle-scopes';
import { type Setting } from './verdict';

/** The rules that URI-based overrides become. */
export interface ScopePlan {
  readonly skips: readonly SkipDraft[];
  readonly regions: readonly RegionDraft[];
  readonly general: string | undefined;
  /** New rules of which an override for all URLs speaks: what the zone says of them is not heard. */
  readonly covered: ReadonlySet<string>;
}

/**
 * Turns overrides into rules: what they disable is skipped, and what they let act otherwise takes a
 * rule of its own that runs the managed ruleset for just these requests.
 *
 * @param scopes by their places
 * @param base the requests that there is a WAF for at all
 */
export function planScopes(
  context: ReadContext,
  scopes: readonly Scope[],
  general: GeneralRules,
  base: string,
): ScopePlan {
  const outcomes = new Outcomes();
  const ordered = [...scopes].sort(byPriority);
  settleScopes(context, ordered, general, outcomes);
  const acting = ordered.filter(
    ({ claims, all }) =>
      (all !== undefined && all.change !== 'skip') ||
      [...claims.values()].some(({ change }) => change !== 'skip'),
  );
  const plan = planRegions(acting, base);
  for (const scope of plan.refused) refuse(context, scope, outcomes);
  const refused = new Set(plan.refused);
  for (const scope of ordered) {
    if (scope.all !== undefined && !refused.has(scope)) reportRewrite(context, scope);
  }
  for (const scope of acting) {
    if (!refused.has(scope)) wantRegions(scope, plan.regions, general.rules, outcomes);
  }
  const skips = ordered.flatMap((scope) => planSkips(context, scope, ordered, outcomes));
  const missing = new Map<Setting, string>(scopes.flatMap((scope) => [...scope.missing]));
  outcomes.decide(context.ledger, missing);
  return {
    skips,
    regions: plan.regions.map((region) => draftRegion(region, general.rules)),
    general: plan.general,
    // one for all URLs divides nothing, so it is never refused
    covered: coveredRules(acting, general.rules),
  };
}

/** Said of what is carried alone: an override whose rewrite is refused says so itself. */
function reportRewrite(context: ReadContext, { from }: Scope): void {
  const remedy = 'check the security events of OWASP for these URLs after the migration';
  const message =
    'the rewritten actions are carried for the Cloudflare Managed Ruleset; whether they held for the score of OWASP too is not documented';
  report(context, 'decision', 'REWRITE_WITHOUT_OWASP', from, message, remedy);
}

function coveredRules(scopes: readonly Scope[], general: GeneralRules['rules']): Set<string> {
  const everywhere = scopes.filter(({ expression }) => expression === ALWAYS);
  const claims = everywhere.flatMap((scope) => [...scope.claims]);
  const otherwise = claims.filter(([id, { change }]) => {
    return change !== 'own' || general.get(id)?.own === undefined;
  });
  const isRewritten = everywhere.some(({ all }) => all !== undefined);
  const rewritten = [...general].filter(([, { draft }]) => isRewritten && draft.enabled);
  return new Set([...otherwise, ...rewritten].map(([id]) => id));
}

/** The lower number wins; equal ones stay in the order of their places, and are reported where it matters. */
function byPriority(left: Scope, right: Scope): number {
  return left.priority - right.priority;
}

function refuse(context: ReadContext, scope: Scope, outcomes: Outcomes): void {
  const why =
    'the rules for it and the other overrides would be too many, or their expressions longer than 4 KB';
  const remedy = 'write rules for these URLs by hand, or join the overrides and translate again';
  report(context, 'decision', 'OVERRIDES_TOO_ENTANGLED', scope.from, why, remedy);
  for (const { change, settings } of scope.claims.values()) {
    if (change !== 'skip') outcomes.lost(settings, why, remedy);
  }
  if (scope.all !== undefined) outcomes.lost(scope.all.settings, why, remedy);
}

/** In which regions a scope has its way: where none of higher priority says otherwise. */
function wantRegions(
  scope: Scope,
  regions: readonly Region[],
  general: GeneralRules['rules'],
  outcomes: Outcomes,
): void {
  const regionsOf = regions.filter(({ inside }) => inside.includes(scope));
  const rewritten = scope.all?.change === 'skip' ? undefined : scope.all?.change;
  const above = ({ inside }: Region): readonly Scope[] => inside.slice(0, inside.indexOf(scope));
  for (const [id, { change, settings }] of scope.claims) {
    if (change === 'skip') continue;
    const own = change === 'own' ? general.get(id)?.own : undefined;
    const action = change === 'own' ? own?.action : change;
    const free = regionsOf.filter((region) => !above(region).some(({ claims }) => claims.has(id)));
    const within = free.map(({ expression }) => expression);
    if (within.length === 0) outcomes.inert(settings, COVERED);
    else if (own?.enabled === false) outcomes.wanted(settings, { kind: 'rule-off', id, within });
    else if (action === undefined || action === 'default') {
      const also = rewritten === undefined ? {} : { rewritten };
      outcomes.wanted(settings, { kind: 'rule-default', id, ...also, within });
    } else {
      outcomes.wanted(settings, { kind: 'rule-acts', id, action: rewritten ?? action, within });
    }
  }
  if (scope.all === undefined || scope.all.change === 'skip') return;
  const within = regionsOf.map(({ expression }) => expression);
  outcomes.wanted(scope.all.settings, { kind: 'all-act', action: scope.all.change, within });
}

function draftRegion(
  { inside, expression }: Region,
  general: ReadonlyMap<string, GeneralRule>,
): RegionDraft {
  const rules = new Map<string, RuleDraft>([...general].map(([id, { draft }]) => [id, draft]));
  let all: RegionDraft['all'];
  for (const scope of [...inside].reverse()) {
    for (const [id, { change }] of scope.claims) apply(rules, id, change, general);
    if (scope.all === undefined || scope.all.change === 'skip') continue;
    all = scope.all.change;
    for (const [id, rule] of rules) if (rule.enabled) rules.set(id, { ...rule, action: all });
  }
  const refs = inside.map(refOf).join('_');
  return {
    ref: refs,
    description: describeScopes(inside),
    expression,
    rules: [...rules.values()],
    all,
  };
}

function apply(
  rules: Map<string, RuleDraft>,
  id: string,
  change: ScopeChange,
  general: ReadonlyMap<string, GeneralRule>,
): void {
  // what is skipped needs no override, whatever overrides that give way say
  if (change === 'default' || change === 'skip') rules.delete(id);
  else if (change === 'own') {
    const own = general.get(id)?.own;
    if (own === undefined) rules.delete(id);
    else rules.set(id, own);
  } else rules.set(id, { id, enabled: true, action: change });
}
