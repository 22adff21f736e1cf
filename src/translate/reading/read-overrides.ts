import { compareTexts, listed } from '../../core/lists';
import { ALWAYS, fits } from '../../ruleset/expressions';
import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import { shortName, type SkipDraft } from '../build-ruleset';
import { type LegacyOverride } from '../legacy-settings';
import { byPlace, type Entry, type LegacyZone } from './legacy-zone';
import { decideMembers, decideOutside, NEVER_OFF, refuseMode } from './read-rules';
import {
  inert,
  readMode,
  type Setting,
  type Unknown,
  type Verdict,
  type Want,
  wanted,
} from './setting';
import {
  parseUrlPattern,
  patternsExpression,
  patternsOverlap,
  type UrlPattern,
} from './url-pattern';

/**
 * Reads the URI-based overrides: what an override disables becomes an exception for its URLs. Other changes
 * are left to the user, because they need a copy of the general rule for these URLs. So is an override that
 * may match a URL of another one, because their priority has no equivalent. (A zone cannot migrate until its
 * overrides are deleted.)
 */
export function readOverrides(zone: LegacyZone): { entries: Entry[]; skips: SkipDraft[] } {
  const overrides = byPlace(zone.settings.overrides).map((override) => ({
    override,
    settings: settingsOf(zone, override),
    ...(isActive(override) ? readUrls(zone, override) : NO_URLS),
  }));
  if (overrides.some(({ patterns }) => patterns.length > 0)) {
    zone.report(
      'info',
      'URL_PATTERNS_ASSUMED',
      zone.settings.zoneId,
      'Cloudflare documents the URLs of overrides only as simple wildcards; they are assumed to match host and path, the path with its case, without the query string',
      'read docs/report.md ("URL patterns"), and test the URLs after the migration',
    );
  }
  const skips: SkipDraft[] = [];
  const entries = overrides.flatMap((one): Entry[] => {
    const verdict = decideWhole(zone, one, overrides);
    if (verdict !== undefined) return one.settings.map((setting) => ({ setting, verdict }));
    const expression = patternsExpression(one.patterns);
    const { entries: decided, skipped } = readParts(zone, one.settings, expression);
    if (skipped.length > 0) skips.push(draftSkip(one, expression, skipped));
    return decided;
  });
  return { entries, skips };
}

interface ReadOverride extends Urls {
  readonly override: LegacyOverride;
  readonly settings: readonly Setting[];
}

interface Urls {
  readonly patterns: readonly UrlPattern[];
  /** The refusal of a URL whose matching requests are unknown. */
  readonly unclear: Unknown | undefined;
}
const NO_URLS: Urls = { patterns: [], unclear: undefined };

function isActive({ paused, rules, groups, rewriteAction }: LegacyOverride): boolean {
  return !paused && Object.keys({ ...rules, ...groups, ...rewriteAction }).length > 0;
}

/** Each rule, group and rewritten action is a setting; so is an override without any of them. */
function settingsOf(zone: LegacyZone, override: LegacyOverride): Setting[] {
  const { from, urls } = override;
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
    ...list('rules', override.rules, (key) => {
      const subject = zone.ruleIdOf(key);
      return { subject, package: zone.kindOfRule(subject), title: zone.ruleTitle(subject) };
    }),
    ...list('groups', override.groups, (subject) => {
      return { subject, package: zone.kindOfGroup(subject), title: zone.groupName(subject) };
    }),
    ...list('rewrite_action', override.rewriteAction, (subject) => ({ subject })),
  ];
  return settings.length > 0
    ? settings
    : [{ kind, from, attribute: 'urls', subject: '', value: urls.join(' ') }];
}

/** Reports and leaves out a pattern that no request matches. */
function readUrls(zone: LegacyZone, { from, urls }: LegacyOverride): Urls {
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
      const refusal = zone.refuse('PATTERN_UNSUPPORTED', place, why, remedy);
      unclear ??= refusal;
    } else {
      const remedy =
        'check what the URL was meant to match, and add a rule for it by hand if you need it';
      zone.refuse('PATTERN_IMPOSSIBLE', place, why, remedy);
    }
  }
  return { patterns, unclear };
}

/** The verdict on a whole override; undefined if each of its settings has its own. */
function decideWhole(
  zone: LegacyZone,
  one: ReadOverride,
  all: readonly ReadOverride[],
): Verdict | undefined {
  const { override, patterns, unclear } = one;
  const { from, urls, paused } = override;
  if (paused) return inert('the override is paused');
  if (!isActive(override)) return inert('the override changes nothing');
  // an exception for only some of its URLs would be a different override
  if (unclear !== undefined) return unclear;
  if (patterns.length === 0) {
    const why = urls.length === 0 ? 'it has no URLs' : 'none of its URLs matches any request';
    return { kind: 'unknown', why, remedy: 'check what the override was meant for' };
  }
  const others = all.filter((other) => other !== one && mayMeet(one, other));
  if (others.length > 0) {
    const places = listed(others.map((other) => other.override.from));
    const why = `other URI overrides may match the same URLs: ${places}`;
    const remedy = 'add the rules for these URLs by hand, in the order of the priorities';
    return zone.refuse('OVERRIDES_OVERLAP', from, why, remedy);
  }
  const expression = patternsExpression(patterns);
  if (expression === ALWAYS) {
    const remedy = 'override its rules and groups in the new ruleset by hand';
    return zone.refuse('PATTERN_UNSUPPORTED', from, 'it matches every URL', remedy);
  }
  if (fits(expression)) return undefined;
  const why = 'the expression for its URLs is longer than 4 KB';
  return zone.refuse('EXPRESSION_TOO_LONG', from, why, 'add several rules for its URLs by hand');
}

/** Whether two overrides may match the same URL; true if unsure. */
function mayMeet(one: ReadOverride, other: ReadOverride): boolean {
  return (
    other.unclear !== undefined ||
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
    .flatMap(({ subject }) => {
      const answer = zone.successorOf(subject);
      return answer.kind === 'known' ? answer.ids : [];
    });
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
  if (part === 'rewrite_action') return refuseActing(zone, setting, scope);
  const meaning = readMode(setting.value);
  if (meaning === undefined) return refuseMode(zone, setting);
  const outside = decideOutside(zone, setting, part === 'rules' ? 'rule' : 'group');
  if (outside !== undefined) return outside;
  if (meaning === 'default' && !isSet(zone, setting)) {
    return inert('it already applies to all requests');
  }
  if (meaning !== 'off') return refuseActing(zone, setting, scope);
  return part === 'rules' ? skipRule(zone, setting, scope) : skipGroup(zone, setting, scope);
}

/** Whether the zone sets, or may set, a rule or group that an override resets to its default. */
function isSet(zone: LegacyZone, setting: Setting): boolean {
  const { rules, groups } = zone.settings;
  const off = groups.filter(({ mode }) => mode === 'off');
  return partOf(setting) === 'rules'
    ? off.length > 0 || rules.some(({ ruleId }) => zone.ruleIdOf(ruleId) === setting.subject)
    : off.some(({ groupId }) => groupId === setting.subject);
}

function refuseActing(zone: LegacyZone, setting: Setting, { expression }: Scope): Unknown {
  const why = 'only what a URI override disables is translated';
  const remedy = `if you need it, add a rule by hand that runs the managed ruleset with this setting where ${expression}`;
  return zone.refuse('OVERRIDE_ACTS', setting, why, remedy);
}

function skipRule(zone: LegacyZone, setting: Setting, scope: Scope): Verdict {
  if (NEVER_DISABLED.has(setting.subject)) return NEVER_OFF;
  const answer = zone.successorOf(setting.subject);
  if (answer.kind === 'unknown') return zone.refuseUnresolved(setting, answer, 'off');
  const conflicts = answer.ids.filter((id) => scope.acting.has(id));
  if (conflicts.length === 0) return wanted(skips(answer.ids, scope));
  const why = `another rule of this override has the same replacement, ${listed(conflicts)}, and a different mode`;
  const remedy = 'decide what the new rule does for these URLs, and add it by hand';
  return zone.refuse('ONE_NEW_RULE_FOR_SEVERAL', setting, why, remedy);
}

function skipGroup(zone: LegacyZone, setting: Setting, scope: Scope): Verdict {
  const members = zone.membersOf(setting.subject);
  const ids: string[] = [];
  const left: string[] = [];
  for (const legacyId of members.ids) {
    if (scope.named.has(legacyId)) continue;
    const answer = zone.successorOf(legacyId);
    if (answer.kind === 'known' && !answer.ids.some((id) => scope.acting.has(id))) {
      ids.push(...answer.ids);
    } else left.push(legacyId);
  }
  const remedy = 'add the other rules of the group for these URLs by hand';
  return decideMembers(zone, setting, { members, left, remedy, wants: skips(ids, scope) });
}

function skips(ids: readonly string[], { expression }: Scope): Want[] {
  return ids.map((id) => ({ kind: 'skip', rules: { id }, expression }));
}

function draftSkip(
  { override, patterns }: ReadOverride,
  expression: string,
  rules: readonly string[],
): SkipDraft {
  const { id, from, description } = override;
  const what = description || patterns.map(({ text }) => text).join(' ');
  return {
    ref: `override_${shortName(id, from)}_skip`,
    description: `URI override of the legacy WAF: ${what}`,
    expression,
    rules,
  };
}
