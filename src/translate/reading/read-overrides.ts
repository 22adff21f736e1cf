import { allOf, fits, noneOf } from '../../ruleset/expressions';
import { patternsExpression } from './url-pattern';
import { byPlace } from './legacy-index';
import { readClaims, type ScopeChange } from './claim-rules';
import { type RegionDraft, type RuleDraft, shortName, type SkipDraft } from './draft';
import { type GeneralRules } from './merge-rules';
import { type ReadContext, report } from './read-context';
import {
  type ActiveOverride,
  decideOverride,
  readOverride,
  type Refusal,
  refuseOverride,
} from './read-override';

/** The rules that URI-based overrides become. */
export interface OverridePlan {
  readonly skips: readonly SkipDraft[];
  readonly regions: readonly RegionDraft[];
  /** The requests that the regions leave to the general rule. */
  readonly general: string;
}

/**
 * Reads the URI-based overrides: what one disables becomes an exception, and what it lets act
 * otherwise takes a rule of its own that runs the managed ruleset for just these requests. An override
 * that may match a URL of another one is reported and left to the user, because the priority of the
 * two has no counterpart.
 *
 * @param base the requests that there is a WAF for at all
 */
export function readOverrides(
  context: ReadContext,
  general: GeneralRules,
  owaspOff: boolean,
  base: string,
): OverridePlan {
  const active = byPlace(context.old.overrides).flatMap(
    (override) => readOverride(context, override) ?? [],
  );
  const skips: SkipDraft[] = [];
  const regions: RegionDraft[] = [];
  const without = (expressions: readonly string[]): string =>
    expressions.length === 0 ? base : allOf([base, noneOf(expressions)]);
  const taken: string[] = [];
  for (const one of active) {
    const refusal = refuseOverride(context, one, active);
    if (refusal !== undefined) {
      decideOverride(context, one, { kind: 'unknown', ...refusal });
      continue;
    }
    const expression = patternsExpression(one.patterns);
    const within = allOf([base, expression]);
    if (![within, without([...taken, expression])].every(fits)) {
      decideOverride(context, one, { kind: 'unknown', ...tooLong(context, one) });
      continue;
    }
    refuseRewrites(context, one);
    const { rules, groups } = one.entries;
    const changes = readClaims(context, rules, groups, { expression, within, general, owaspOff });
    const [skip, region] = draftRules(one, changes, { expression, within, general });
    if (skip !== undefined) skips.push(skip);
    if (region === undefined) continue;
    regions.push(region);
    taken.push(expression);
  }
  if (active.some(({ patterns }) => patterns.length > 0)) reportAssumptions(context);
  return { skips, regions, general: without(taken) };
}

function tooLong(context: ReadContext, { override: { from } }: ActiveOverride): Refusal {
  const why = 'the expression for its URLs, or for all other URLs, is longer than 4 KB';
  const remedy = 'write several rules for its URLs by hand';
  report(context, 'decision', 'EXPRESSION_TOO_LONG', from, why, remedy);
  return { why, remedy };
}

/** Which new rule takes which action by default is not known, so that none can be rewritten. */
function refuseRewrites(context: ReadContext, { override, entries }: ActiveOverride): void {
  const { rewrites } = entries;
  if (rewrites.length === 0) return;
  const why = 'rewritten actions have no counterpart in the new ruleset';
  const remedy = 'override the rules that matter for these URLs by hand';
  report(context, 'decision', 'REWRITE_NOT_CARRIED', override.from, why, remedy);
  for (const setting of rewrites) {
    context.ledger.decide(setting, { kind: 'unknown', why, remedy });
  }
}

function draftRules(
  { override, patterns }: ActiveOverride,
  changes: ReadonlyMap<string, ScopeChange>,
  {
    expression,
    within,
    general,
  }: { readonly expression: string; readonly within: string; readonly general: GeneralRules },
): [skip: SkipDraft | undefined, region: RegionDraft | undefined] {
  const ref = `override_${shortName(override.id, override.from)}`;
  const urls = patterns.map(({ text }) => text).join(' ');
  const description = `URI override of the previous WAF: ${override.description || urls}`;
  const skipped = [...changes].filter(([, change]) => change === 'skip').map(([id]) => id);
  const skip: SkipDraft = { ref: `${ref}_skip`, description, expression, rules: skipped.sort() };
  const rules = new Map<string, RuleDraft>(
    [...general.rules].map(([id, { draft }]) => [id, draft]),
  );
  for (const [id, change] of changes) {
    const draft = draftOf(id, change, general);
    if (draft === undefined) rules.delete(id);
    else rules.set(id, draft);
  }
  const region = { ref, description, expression: within, rules: [...rules.values()] };
  return [
    skipped.length === 0 ? undefined : skip,
    skipped.length === changes.size ? undefined : region,
  ];
}

/** What is skipped needs no override. */
function draftOf(id: string, change: ScopeChange, general: GeneralRules): RuleDraft | undefined {
  if (change === 'own') return general.rules.get(id)?.own;
  return change === 'skip' || change === 'default'
    ? undefined
    : { id, enabled: true, action: change };
}

function reportAssumptions(context: ReadContext): void {
  report(
    context,
    'info',
    'URL_PATTERNS_ASSUMED',
    context.old.zoneId,
    'how the previous WAF matched the URLs of overrides is documented as simple wildcards only; they are taken to match host and path, the path by case, without the query string',
    'read docs/translation.md ("URL patterns"), and try the URLs after the migration',
  );
}
