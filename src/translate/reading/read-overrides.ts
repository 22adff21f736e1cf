import { compareTexts, listed } from '../../core/lists';
import { fits } from '../../ruleset/expressions';
import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import { shortName, type SkipDraft } from '../build-ruleset';
import { type LegacyOverride } from '../source/legacy-settings';
import { byPlace, type Entry, type LegacyZone, type SubjectFacts } from './legacy-zone';
import { decideGroup, decideOutside, NEVER_OFF } from './read-rules';
import {
  inert,
  readMode,
  type Setting,
  unknown,
  type Verdict,
  type Want,
  wanted,
  wantsOf,
} from './setting';
import { mayOverlap, parseUrlPattern, patternsExpression, type UrlPattern } from './url-pattern';

interface ReadOverride {
  readonly override: LegacyOverride;
  /** Undefined if one of its URLs cannot be parsed. */
  readonly patterns: readonly UrlPattern[] | undefined;
  /** Undefined also if it is too long. */
  readonly expression: string | undefined;
}

/** A setting of an override. */
interface OverrideSetting {
  readonly setting: Setting;
  /** Undefined for a rewritten action, and for an override without settings. */
  readonly names: 'rule' | 'group' | undefined;
}

/**
 * Reads the URI-based overrides: what an override disables becomes an exception for its URLs. The remedy of
 * everything else says what to add by hand: what acts needs a copy of the general rule, and the priority of
 * overrides that may match the same URL has no equivalent. (A zone cannot migrate until its overrides are
 * deleted.)
 */
export function readOverrides(zone: LegacyZone): { entries: Entry[]; skips: SkipDraft[] } {
  const read = byPlace(zone.settings.overrides).map(readUrls);
  const active = read.filter(({ override }) => !override.paused && !isEmpty(override));
  const skips: SkipDraft[] = [];
  const entries = read.flatMap((one): Entry[] => {
    const problem = problemOf(one, active);
    const found = settingsOf(zone, one.override).map((named) => ({
      setting: named.setting,
      verdict: decide(zone, one, named, problem),
    }));
    const wants = found.flatMap(({ verdict }) => wantsOf(verdict));
    const rules = wants.flatMap((want) => (want.kind === 'skip' ? (want.rule ?? []) : []));
    if (rules.length > 0) skips.push(draftSkip(one, rules));
    return found;
  });
  if (skips.length > 0) {
    zone.report(
      'info',
      'URL_PATTERNS_ASSUMED',
      zone.settings.zoneId,
      'Cloudflare documents the URLs of overrides only as simple wildcards; they are assumed to match host and path, the path with its case, without the query string',
      'read docs/report.md ("URL patterns"), and test the URLs after the migration',
    );
  }
  return { entries, skips };
}

function readUrls(override: LegacyOverride): ReadOverride {
  const parsed = override.urls.map((url) => parseUrlPattern(url, 'override'));
  const patterns = parsed.flatMap((one) => ('host' in one ? [one] : []));
  if (patterns.length === 0 || patterns.length < parsed.length) {
    return { override, patterns: undefined, expression: undefined };
  }
  const expression = patternsExpression(patterns);
  return { override, patterns, expression: fits(expression) ? expression : undefined };
}

function isEmpty({ rules, groups, rewriteAction }: LegacyOverride): boolean {
  return Object.keys({ ...rules, ...groups, ...rewriteAction }).length === 0;
}

/** Why an override becomes no exception; undefined if it can. */
function problemOf(one: ReadOverride, active: readonly ReadOverride[]): string | undefined {
  const { patterns, expression } = one;
  if (patterns === undefined || expression === undefined) {
    return 'its URLs have no equivalent expression, or none of at most 4 KB';
  }
  const others = active.filter(
    (other) =>
      other !== one &&
      (other.patterns?.some((a) => patterns.some((b) => mayOverlap(a, b))) ?? true),
  );
  if (others.length === 0) return undefined;
  const places = listed(others.map(({ override }) => override.from));
  return `other URI overrides may match the same URLs: ${places}`;
}

/** Each rule, group and rewritten action is a setting; so is an override without any of them. */
function settingsOf(zone: LegacyZone, override: LegacyOverride): OverrideSetting[] {
  const { from, urls, rules, groups, rewriteAction } = override;
  const kind = 'override';
  const list = (
    argument: string,
    values: Readonly<Record<string, string>>,
    names: OverrideSetting['names'],
    factsOf: (key: string) => SubjectFacts,
  ): OverrideSetting[] =>
    Object.entries(values)
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([key, value]) => {
        const attribute = `${argument}[${JSON.stringify(key)}]`;
        const { subject, ...facts } = factsOf(key);
        return { setting: { kind, from, attribute, subject, value, ...facts, urls }, names };
      });
  const settings = [
    ...list('rules', rules, 'rule', (key) => zone.factsOfRule(key)),
    ...list('groups', groups, 'group', (key) => zone.factsOfGroup(key)),
    ...list('rewrite_action', rewriteAction, undefined, (subject) => ({ subject })),
  ];
  if (settings.length > 0) return settings;
  const whole = { kind, from, attribute: 'urls', subject: '', value: urls.join(' ') } as const;
  return [{ setting: whole, names: undefined }];
}

/** @param problem why the override becomes no exception */
function decide(
  zone: LegacyZone,
  { override, expression = '' }: ReadOverride,
  { setting, names }: OverrideSetting,
  problem: string | undefined,
): Verdict {
  if (override.paused) return inert('the override is paused');
  if (isEmpty(override)) return inert('the override changes nothing');
  const { subject, value } = setting;
  const where = expression === '' ? 'for these URLs' : `where ${expression}`;
  if (names === undefined || readMode(value) !== 'off') {
    return unknown(
      problem ?? 'only what a URI override disables is translated',
      `if you need it, add a rule by hand that runs the managed ruleset with this setting ${where}`,
    );
  }
  if (names === 'rule' && NEVER_DISABLED.has(subject)) return NEVER_OFF;
  const outside = decideOutside(zone, { kind: names, package: setting.package });
  if (outside !== undefined) return outside;
  const successor = names === 'rule' ? zone.successorOf(subject) : undefined;
  if (problem !== undefined) {
    const rules =
      successor?.kind === 'known' ? `rule ${successor.id}` : 'the rules that replace it';
    return unknown(problem, `if you need it, add an exception from ${rules} ${where}`);
  }
  const skip = (rule: string): Want => ({ kind: 'skip', rule, expression });
  if (successor !== undefined) {
    return successor.kind === 'unknown' ? successor : wanted([skip(successor.id)]);
  }
  const named = new Set(Object.keys(override.rules).map((id) => zone.ruleIdOf(id)));
  const members = zone.membersOf(subject);
  const ids = members.ids.filter((id) => !named.has(id));
  const wantOf = (legacyId: string): Want | undefined => {
    const rule = zone.newRuleOf(legacyId);
    return rule === undefined ? undefined : skip(rule);
  };
  const remedy = 'add the other rules of the group for these URLs by hand';
  return decideGroup(members, ids, wantOf, remedy);
}

function draftSkip(
  { override: { id, from, description, urls }, expression = '' }: ReadOverride,
  rules: readonly string[],
): SkipDraft {
  return {
    ref: `override_${shortName(id, from)}_skip`,
    description: `URI override of the legacy WAF: ${description || urls.join(' ')}`,
    expression,
    rules: [...new Set(rules)].sort(),
  };
}
