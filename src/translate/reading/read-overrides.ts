import { compareTexts, listed } from '../../core/lists';
import { fits } from '../../ruleset/expressions';
import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import { shortName, type SkipDraft } from '../build-ruleset';
import { type LegacyOverride } from '../legacy-settings';
import { byPlace, type Entry, type LegacyZone } from './legacy-zone';
import { decideMembers, decideOutside, NEVER_OFF, unknownMode } from './read-rules';
import { inert, readMode, type Setting, unknown, type Verdict, type Want, wanted } from './setting';
import {
  parseUrlPattern,
  patternsExpression,
  patternsOverlap,
  type UrlPattern,
} from './url-pattern';

/** A URI-based override with its URLs. */
interface ReadOverride {
  readonly override: LegacyOverride;
  readonly patterns: readonly UrlPattern[];
  /** What is wrong with the first URL that has no equivalent expression. */
  readonly problem: string | undefined;
}

/**
 * Reads the URI-based overrides: what an override disables becomes an exception for its URLs. Other changes
 * are left to the user, because they need a copy of the general rule for these URLs. So is an override that
 * may match a URL of another one, because their priority has no equivalent. (A zone cannot migrate until its
 * overrides are deleted.)
 */
export function readOverrides(zone: LegacyZone): { entries: Entry[]; skips: SkipDraft[] } {
  const read = byPlace(zone.settings.overrides).map(readUrls);
  const active = read.filter(({ override }) => isActive(override));
  const skips: SkipDraft[] = [];
  const entries = read.flatMap((one): Entry[] => {
    const settings = settingsOf(zone, one.override);
    const verdict = decideWhole(one, active);
    if (verdict !== undefined) return settings.map((setting) => ({ setting, verdict }));
    const expression = patternsExpression(one.patterns);
    const { entries: decided, skipped } = readParts(zone, settings, expression);
    if (skipped.length > 0) skips.push(draftSkip(one, expression, skipped));
    return decided;
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
  const patterns: UrlPattern[] = [];
  let problem: string | undefined;
  for (const url of override.urls) {
    const pattern = parseUrlPattern(url, 'override');
    if ('host' in pattern) patterns.push(pattern);
    else problem ??= `the URL "${url}" ${pattern.problem}`;
  }
  return { override, patterns, problem };
}

function isActive({ paused, rules, groups, rewriteAction }: LegacyOverride): boolean {
  return !paused && Object.keys({ ...rules, ...groups, ...rewriteAction }).length > 0;
}

/** Each rule, group and rewritten action is a setting; so is an override without any of them. */
function settingsOf(zone: LegacyZone, override: LegacyOverride): Setting[] {
  const { from, urls, rules, groups, rewriteAction } = override;
  const kind = 'override';
  const list = (
    name: string,
    values: Readonly<Record<string, string>>,
    factsOf: (key: string) => Pick<Setting, 'subject' | 'package' | 'title'>,
  ): Setting[] =>
    Object.entries(values)
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([key, value]) => {
        const attribute = `${name}[${JSON.stringify(key)}]`;
        const { subject, ...facts } = factsOf(key);
        return { kind, from, attribute, subject, value, ...facts, urls };
      });
  const settings = [
    ...list('rules', rules, (key) => zone.factsOfRule(key)),
    ...list('groups', groups, (key) => zone.factsOfGroup(key)),
    ...list('rewrite_action', rewriteAction, (subject) => ({ subject })),
  ];
  return settings.length > 0
    ? settings
    : [{ kind, from, attribute: 'urls', subject: '', value: urls.join(' ') }];
}

/**
 * The verdict on a whole override; undefined if each of its settings has its own.
 * @param active the overrides that change something
 */
function decideWhole(one: ReadOverride, active: readonly ReadOverride[]): Verdict | undefined {
  const { override, patterns, problem } = one;
  if (override.paused) return inert('the override is paused');
  if (!active.includes(one)) return inert('the override changes nothing');
  const byHand = 'add the rules for these URLs by hand';
  // an exception for only some of its URLs would be a different override
  if (problem !== undefined) return unknown(problem, byHand);
  if (patterns.length === 0) return unknown('it has no URLs', 'check what it was meant for');
  const others = active.filter((other) => other !== one && mayMeet(one, other));
  if (others.length > 0) {
    const places = listed(others.map((other) => other.override.from));
    const why = `other URI overrides may match the same URLs: ${places}`;
    return unknown(why, `${byHand}, in the order of the priorities`);
  }
  if (fits(patternsExpression(patterns))) return undefined;
  return unknown('the expression for its URLs is longer than 4 KB', byHand);
}

/** Whether two overrides may match the same URL; true if unsure. */
function mayMeet(one: ReadOverride, other: ReadOverride): boolean {
  return (
    other.problem !== undefined ||
    one.patterns.some((a) => other.patterns.some((b) => patternsOverlap(a, b)))
  );
}

/** What the settings of one override share. */
interface Scope {
  readonly expression: string;
  /** The legacy rules that the override itself names. */
  readonly named: ReadonlySet<string>;
  /** The new rules of the legacy rules that the override names and does not disable. */
  readonly acting: ReadonlySet<string>;
}

/** Reads the settings of an override one by one, and returns the new rules that it disables. */
function readParts(
  zone: LegacyZone,
  settings: readonly Setting[],
  expression: string,
): { entries: Entry[]; skipped: string[] } {
  const rules = settings.filter((setting) => partOf(setting) === 'rules');
  const acting = rules
    .filter(({ value }) => readMode(value) !== 'off')
    .flatMap(({ subject }) => zone.newRulesOf(subject));
  const named = new Set(rules.map(({ subject }) => subject));
  const scope = { expression, named, acting: new Set(acting) };
  const entries = settings.map((setting) => ({ setting, verdict: decide(zone, setting, scope) }));
  const skipped = entries.flatMap(({ verdict }) =>
    verdict.kind === 'wanted' ? verdict.wants.flatMap(skippedBy) : [],
  );
  return { entries, skipped: [...new Set(skipped)].sort() };
}

function skippedBy(want: Want): string[] {
  return want.kind === 'skip' && want.rules !== 'all' ? [want.rules.id] : [];
}

/** `rules`, `groups` or `rewrite_action`. */
function partOf({ attribute }: Setting): string {
  return attribute.slice(0, attribute.indexOf('['));
}

function decide(zone: LegacyZone, setting: Setting, scope: Scope): Verdict {
  const part = partOf(setting);
  const acts = unknown(
    'only what a URI override disables is translated',
    `if you need it, add a rule by hand that runs the managed ruleset with this setting where ${scope.expression}`,
  );
  if (part === 'rewrite_action') return acts;
  const meaning = readMode(setting.value);
  if (meaning === undefined) return unknownMode(setting);
  const outside = decideOutside(zone, setting, part === 'rules' ? 'rule' : 'group');
  if (outside !== undefined) return outside;
  if (meaning !== 'off') return acts;
  return part === 'rules' ? skipRule(zone, setting, scope) : skipGroup(zone, setting, scope);
}

function skipRule(zone: LegacyZone, { subject }: Setting, scope: Scope): Verdict {
  if (NEVER_DISABLED.has(subject)) return NEVER_OFF;
  const answer = zone.successorOf(subject);
  if (answer.kind === 'unknown') return answer;
  const conflicts = answer.ids.filter((id) => scope.acting.has(id));
  if (conflicts.length === 0) return wanted(skips(answer.ids, scope));
  const why = `another rule of this override has the same replacement, ${listed(conflicts)}, and a different mode`;
  return unknown(why, 'decide what the new rule does for these URLs, and add it by hand');
}

function skipGroup(zone: LegacyZone, setting: Setting, scope: Scope): Verdict {
  const members = zone.membersOf(setting.subject);
  const ids: string[] = [];
  const left: string[] = [];
  for (const legacyId of members.ids) {
    if (scope.named.has(legacyId)) continue;
    const found = zone.newRulesOf(legacyId);
    if (found.length > 0 && !found.some((id) => scope.acting.has(id))) ids.push(...found);
    else left.push(legacyId);
  }
  const remedy = 'add the other rules of the group for these URLs by hand';
  return decideMembers(members, { left, remedy, wants: skips(ids, scope) });
}

function skips(ids: readonly string[], { expression }: Scope): Want[] {
  return ids.map((id) => ({ kind: 'skip', rules: { id }, expression }));
}

function draftSkip(
  { override: { id, from, description, urls } }: ReadOverride,
  expression: string,
  rules: readonly string[],
): SkipDraft {
  return {
    ref: `override_${shortName(id, from)}_skip`,
    description: `URI override of the legacy WAF: ${description || urls.join(' ')}`,
    expression,
    rules,
  };
}
