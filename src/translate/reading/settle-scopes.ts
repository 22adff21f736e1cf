import { mayOverlap } from '../patterns/compare-patterns';
import { type GeneralRules } from './merge-rules';
import { type Outcomes } from './outcomes';
import { type ReadContext, report } from './read-context';
import { type Scope, type ScopeChange, type ScopeClaim } from './scope';

interface Mention {
  readonly scope: Scope;
  readonly id: string;
  readonly claim: ScopeClaim;
}

/**
 * Takes out of the scopes what needs no rule, or gets none: a change to what holds anyway, and
 * changes of the same priority that contradict each other for the same requests.
 */
export function settleScopes(
  context: ReadContext,
  scopes: readonly Scope[],
  general: GeneralRules,
  outcomes: Outcomes,
): void {
  const byNew = new Map<string, Mention[]>();
  for (const scope of scopes) {
    refuseRewrite(context, scope, scopes, outcomes);
    for (const [id, claim] of scope.claims) {
      const mentions = byNew.get(id);
      if (mentions === undefined) byNew.set(id, [{ scope, id, claim }]);
      else mentions.push({ scope, id, claim });
    }
  }
  for (const mentions of byNew.values()) {
    const tied = mentions.filter((one) => mentions.some((other) => contradict(one, other)));
    for (const mention of tied) reportTie(context, mention, outcomes);
    for (const { scope, id, claim } of mentions) {
      const alone = !mentions.some((other) => other.scope !== scope && meet(other.scope, scope));
      if (alone && scope.all === undefined && holdsAnyway(claim.change, id, general)) {
        scope.claims.delete(id);
        outcomes.inert(claim.settings, 'it is what holds for all requests');
      }
    }
  }
}

/**
 * What is left of rewritten actions where another override is for the same URLs is not documented,
 * and the default of a rule cannot be put back beside an override of the whole ruleset.
 */
function refuseRewrite(
  context: ReadContext,
  scope: Scope,
  scopes: readonly Scope[],
  outcomes: Outcomes,
): void {
  if (scope.all === undefined) return;
  if (!scopes.some((other) => other !== scope && meet(other, scope))) return;
  const why = 'actions are rewritten, and other overrides are for the same URLs';
  const remedy = 'override the rules that matter for these URLs by hand';
  report(context, 'decision', 'REWRITE_NOT_CARRIED', scope.from, why, remedy);
  outcomes.lost(scope.all.settings, why, remedy);
  scope.all = undefined;
}

function meet(left: Scope, right: Scope): boolean {
  return mayOverlap(left.patterns, right.patterns);
}

function contradict(one: Mention, other: Mention): boolean {
  return (
    one.scope.priority === other.scope.priority &&
    one.claim.change !== other.claim.change &&
    meet(one.scope, other.scope)
  );
}

function reportTie(context: ReadContext, { scope, id, claim }: Mention, outcomes: Outcomes): void {
  const why = `overrides of the same priority ${scope.priority} say different things of rule ${id} for the same URLs`;
  const remedy = 'decide which of them holds, and give them different priorities';
  report(context, 'decision', 'OVERRIDES_TIED', scope.from, why, remedy);
  scope.claims.delete(id);
  outcomes.lost(claim.settings, why, remedy);
}

/** Whether the general rule already does what a change asks for. */
function holdsAnyway(change: ScopeChange, id: string, { rules }: GeneralRules): boolean {
  const rule = rules.get(id);
  if (change === 'default') return rule === undefined;
  if (change === 'own') {
    return rule === undefined || rule.own?.enabled === rule.draft.enabled;
  }
  return false;
}
