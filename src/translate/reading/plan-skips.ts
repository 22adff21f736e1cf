import { surelyContains } from '../patterns/compare-patterns';
import { fits } from '../patterns/expression-text';
import { type SkipDraft } from './draft';
import { type Outcomes } from './outcomes';
import { without } from './plan-regions';
import { type ReadContext, report } from './read-context';
import { COVERED, describeScopes, refOf, type Scope, type ScopeClaim } from './scope';
import { type Setting } from './verdict';

/**
 * The exceptions of one override: one rule for all that is skipped for the same requests. Overrides
 * of higher priority that let a rule run take their URLs out of it.
 *
 * @param ordered all overrides, the highest priority first
 */
export function planSkips(
  context: ReadContext,
  scope: Scope,
  ordered: readonly Scope[],
  outcomes: Outcomes,
): SkipDraft[] {
  const higher = ordered.slice(0, ordered.indexOf(scope));
  const byExpression = new Map<string, string[]>();
  for (const [id, claim] of scope.claims) {
    if (claim.change !== 'skip') continue;
    const expression = expressionFor(id, claim, scope, higher, outcomes);
    if (expression === undefined) continue;
    if (!fits(expression)) {
      refuse(context, scope, claim.settings, outcomes);
      continue;
    }
    byExpression.set(expression, [...(byExpression.get(expression) ?? []), id]);
    outcomes.wanted(claim.settings, { kind: 'skip', rules: { id }, expression });
  }
  const head = { ref: `${refOf(scope)}_skip`, description: describeScopes([scope]) };
  const skips = [...byExpression].map(([expression, ids]): SkipDraft => {
    return { ...head, expression, rules: ids.sort() };
  });
  if (scope.all?.change !== 'skip') return skips;
  const { expression } = scope;
  outcomes.wanted(scope.all.settings, { kind: 'skip', rules: 'managed', expression });
  return [...skips, { ...head, expression, rules: 'managed' }];
}

/** Undefined where overrides of higher priority have said it all. */
function expressionFor(
  id: string,
  { settings }: ScopeClaim,
  scope: Scope,
  higher: readonly Scope[],
  outcomes: Outcomes,
): string | undefined {
  const speaking = higher.filter(({ claims }) => claims.has(id));
  const covering = speaking.find(({ patterns }) => surelyContains(patterns, scope.patterns));
  if (covering === undefined) {
    return without(
      scope,
      speaking.filter(({ claims }) => claims.get(id)?.change !== 'skip'),
    );
  }
  const same = covering.claims.get(id)?.change === 'skip';
  outcomes.inert(settings, same ? SAID : COVERED);
  return undefined;
}
const SAID = 'an override of higher priority says the same for all of its URLs';

function refuse(
  context: ReadContext,
  scope: Scope,
  settings: readonly Setting[],
  outcomes: Outcomes,
): void {
  const why = 'the expression without the URLs of overrides that win is longer than 4 KB';
  const remedy = 'write the exception for these URLs by hand';
  report(context, 'decision', 'EXPRESSION_TOO_LONG', scope.from, why, remedy);
  outcomes.lost(settings, why, remedy);
}
