import { compareTexts, listed } from '../../core/lists';
import { allOf, ALWAYS, fits, noneOf } from '../../ruleset/expressions';
import { type RegionDraft, type RuleDraft, shortName, type SkipDraft } from '../build-ruleset';
import { type LegacyOverride } from '../legacy-settings';
import { claimRules, type ScopeChange } from './claim-rules';
import { byPlace } from './legacy-index';
import { type ReadContext } from './read-context';
import { type GeneralRules } from './read-rules';
import { inert, type Setting, type Unknown, type Verdict } from './setting';
import {
  parseUrlPattern,
  patternsExpression,
  patternsOverlap,
  type UrlPattern,
} from './url-pattern';

/** The rules that URI-based overrides become. */
interface OverrideReading {
  readonly skips: readonly SkipDraft[];
  readonly regions: readonly RegionDraft[];
  /** The requests that the regions leave to the general rule. */
  readonly general: string;
}

/**
 * Reads the URI-based overrides: what one disables becomes an exception, and what it lets act
 * otherwise becomes a rule that runs the managed ruleset for only these requests. An override that may
 * match a URL of another one is reported and left to the user, because the priority of the
 * two has no equivalent.
 * @param base the requests that the WAF runs for at all
 */
export function readOverrides(
  context: ReadContext,
  general: GeneralRules,
  base: string,
): OverrideReading {
  const active = byPlace(context.legacy.overrides).flatMap(
    (override) => readOverride(context, override) ?? [],
  );
  const skips: SkipDraft[] = [];
  const regions: RegionDraft[] = [];
  const taken: string[] = [];
  const without = (expressions: readonly string[]): string =>
    expressions.length === 0 ? base : allOf([base, noneOf(expressions)]);
  for (const one of active) {
    const expression = one.patterns.length === 0 ? '' : patternsExpression(one.patterns);
    const within = allOf([base, expression]);
    const fit = [within, without([...taken, expression])].every(fits);
    const refusal = refuseOverride(context, one, active, { expression, fit });
    if (refusal !== undefined) {
      decideAll(context, one, refusal);
      continue;
    }
    refuseRewrites(context, one);
    const { rules, groups } = one;
    const scope = { expression, within, general };
    const changes = claimRules(context, rules, groups, scope);
    const { ref, description } = nameOf(one);
    const skipped = [...changes].filter(([, change]) => change === 'skip').map(([id]) => id);
    if (skipped.length > 0) {
      skips.push({ ref: `${ref}_skip`, description, expression, rules: skipped.sort() });
    }
    if (skipped.length === changes.size) continue;
    regions.push({ ref, description, expression: within, rules: regionRules(changes, general) });
    taken.push(expression);
  }
  if (active.some(({ patterns }) => patterns.length > 0)) {
    context.report(
      'info',
      'URL_PATTERNS_ASSUMED',
      context.legacy.zoneId,
      'Cloudflare documents the URLs of overrides only as simple wildcards; they are assumed to match host and path, the path with its case, without the query string',
      'read docs/report.md ("URL patterns"), and test the URLs after the migration',
    );
  }
  return { skips, regions, general: without(taken) };
}

/** The settings of an override. */
interface OverrideSettings {
  readonly rules: readonly Setting[];
  readonly groups: readonly Setting[];
  readonly rewrites: readonly Setting[];
}

/** An override that is not paused and sets something. */
interface ActiveOverride extends OverrideSettings {
  readonly override: LegacyOverride;
  readonly patterns: readonly UrlPattern[];
  /** The refusal of a URL of which it is not known which requests it matches. */
  readonly unclear: Unknown | undefined;
}

/** Reads an override; one that changes nothing is decided, and undefined is returned. */
function readOverride(context: ReadContext, override: LegacyOverride): ActiveOverride | undefined {
  const { from, urls, paused } = override;
  const settings = addSettings(context, override);
  const { rules, groups, rewrites } = settings;
  if (rules.length + groups.length + rewrites.length === 0) {
    const value = urls.join(' ');
    const empty = context.add({ kind: 'override', from, attribute: 'urls', subject: '', value });
    context.decide(empty, inert('the override changes nothing'));
    return undefined;
  }
  if (paused) {
    decideAll(context, settings, inert('the override is paused'));
    return undefined;
  }
  return { override, ...settings, ...readUrls(context, override) };
}

function addSettings(context: ReadContext, override: LegacyOverride): OverrideSettings {
  const { index } = context;
  const { from, urls } = override;
  const add = (
    name: string,
    values: Readonly<Record<string, string>>,
    factsOf: (key: string) => Pick<Setting, 'subject' | 'package' | 'title'>,
  ): Setting[] =>
    Object.entries(values)
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([key, value]) => {
        const attribute = `${name}[${JSON.stringify(key)}]`;
        const { subject, ...facts } = factsOf(key);
        const at = { kind: 'override', from, attribute, subject, value } as const;
        return context.add({ ...at, ...facts, urls });
      });
  return {
    rules: add('rules', override.rules, (key) => {
      const ruleId = index.ruleIdOf(key);
      const rule = { ruleId, packageId: undefined, groupId: undefined };
      return {
        subject: ruleId,
        package: index.kindOfRule(rule),
        title: index.ruleTitle(ruleId),
      };
    }),
    groups: add('groups', override.groups, (groupId) => ({
      subject: groupId,
      package: index.kindOfGroup({ groupId, packageId: undefined }),
      title: index.groupName(groupId),
    })),
    rewrites: add('rewrite_action', override.rewriteAction, (subject) => ({ subject })),
  };
}

/** A pattern that no request matches is reported and left out. */
function readUrls(
  context: ReadContext,
  { from, urls }: LegacyOverride,
): Pick<ActiveOverride, 'patterns' | 'unclear'> {
  const patterns: UrlPattern[] = [];
  let unclear: Unknown | undefined;
  for (const [index, url] of urls.entries()) {
    const pattern = parseUrlPattern(url, 'override');
    if ('host' in pattern) {
      patterns.push(pattern);
      continue;
    }
    const place = `${from}.urls[${index}]`;
    const why = `the URL "${url}" ${pattern.why}`;
    if (pattern.problem === 'unsupported') {
      const remedy = 'add the rule for these requests by hand';
      const refusal = context.refuse('PATTERN_UNSUPPORTED', place, why, remedy);
      unclear ??= refusal;
    } else {
      const remedy =
        'check what the URL was meant to match, and add a rule for it by hand if you need it';
      context.refuse('PATTERN_IMPOSSIBLE', place, why, remedy);
    }
  }
  return { patterns, unclear };
}

/**
 * Why an override is not translated at all; undefined: it is. Half of its URLs would be another override.
 * @param fit whether its expressions are short enough to be saved
 */
function refuseOverride(
  context: ReadContext,
  one: ActiveOverride,
  active: readonly ActiveOverride[],
  { expression, fit }: { readonly expression: string; readonly fit: boolean },
): Unknown | undefined {
  const { override, patterns, unclear } = one;
  const { from, urls } = override;
  if (unclear !== undefined) return unclear;
  if (patterns.length === 0) {
    const why = urls.length === 0 ? 'it has no URLs' : 'none of its URLs matches any request';
    return { kind: 'unknown', why, remedy: 'check what the override was meant for' };
  }
  const others = active.filter((other) => other !== one && mayMeet(one, other));
  if (others.length > 0) {
    const places = listed(others.map((other) => other.override.from));
    const why = `other URI overrides may match the same URLs: ${places}`;
    const remedy = 'add the rules for these URLs by hand, in the order of the priorities';
    return context.refuse('OVERRIDES_OVERLAP', from, why, remedy);
  }
  if (expression === ALWAYS) {
    const remedy = 'override its rules and groups in the new ruleset by hand';
    return context.refuse('PATTERN_UNSUPPORTED', from, 'it matches every URL', remedy);
  }
  if (fit) return undefined;
  const why = 'the expression for its URLs, or for all other URLs, is longer than 4 KB';
  const remedy = 'add several rules for its URLs by hand';
  return context.refuse('EXPRESSION_TOO_LONG', from, why, remedy);
}

/** In doubt two overrides meet. */
function mayMeet(one: ActiveOverride, other: ActiveOverride): boolean {
  return (
    other.unclear !== undefined ||
    one.patterns.some((a) => other.patterns.some((b) => patternsOverlap(a, b)))
  );
}

/** Which new rule takes which action by default is not known, so none can be rewritten. */
function refuseRewrites(context: ReadContext, { override, rewrites }: ActiveOverride): void {
  if (rewrites.length === 0) return;
  const why = 'rewritten actions have no equivalent in the new ruleset';
  const remedy = 'override rules for these URLs by hand, if you need them';
  const refusal = context.refuse('REWRITE_NOT_CARRIED', override.from, why, remedy);
  for (const setting of rewrites) context.decide(setting, refusal);
}

function decideAll(
  context: ReadContext,
  { rules, groups, rewrites }: OverrideSettings,
  verdict: Verdict,
): void {
  for (const setting of [...rules, ...groups, ...rewrites]) context.decide(setting, verdict);
}

function nameOf({ override, patterns }: ActiveOverride): { ref: string; description: string } {
  const { id, from, description } = override;
  const what = description || patterns.map(({ text }) => text).join(' ');
  return {
    ref: `override_${shortName(id, from)}`,
    description: `URI override of the legacy WAF: ${what}`,
  };
}

/** The general overrides with the changes of one URI override; a skipped rule needs none. */
function regionRules(
  changes: ReadonlyMap<string, ScopeChange>,
  general: GeneralRules,
): RuleDraft[] {
  const rules = new Map([...general.rules].map(([id, { draft }]) => [id, draft]));
  for (const [id, change] of changes) {
    rules.delete(id);
    const own = general.rules.get(id)?.own;
    if (change === 'own' && own !== undefined) rules.set(id, own);
    if (change === 'simulate' || change === 'block' || change === 'challenge') {
      rules.set(id, { id, enabled: true, action: change });
    }
  }
  return [...rules.values()];
}
