import { compareTexts } from '../../core/lists';
import { type LegacyOverride } from '../legacy-settings';
import { mayOverlap, parseUrlPattern, patternsExpression, type UrlPattern } from './url-pattern';
import { ALWAYS } from '../../ruleset/expressions';
import { listed, type ReadContext, report } from './read-context';
import { type Setting, settingFacts, type SettingKind, type Verdict } from './setting';

interface Entries {
  readonly rules: readonly Setting[];
  readonly groups: readonly Setting[];
  readonly rewrites: readonly Setting[];
}

/** An override that is not paused and sets something. */
export interface ActiveOverride {
  readonly override: LegacyOverride;
  readonly entries: Entries;
  readonly patterns: readonly UrlPattern[];
  /** A URL of which it is not known which requests it matches. */
  readonly unclear: Refusal | undefined;
}

/** Why an override is left to the user. */
export interface Refusal {
  readonly why: string;
  readonly remedy: string;
}

/** Reads an override; undefined for one that changes nothing, which is decided. */
export function readOverride(
  context: ReadContext,
  override: LegacyOverride,
): ActiveOverride | undefined {
  const entries = addEntries(context, override);
  if (entries === undefined) return undefined;
  if (override.paused) {
    decideOverride(context, { entries }, { kind: 'inert', why: 'the override is paused' });
    return undefined;
  }
  return { override, entries, ...readUrls(context, override) };
}

/** Undefined for an override that sets nothing. */
function addEntries(context: ReadContext, override: LegacyOverride): Entries | undefined {
  const { ledger, index, ruleIdOf } = context;
  const kind: SettingKind = 'override';
  const { from, urls } = override;
  const add = (
    name: string,
    map: Readonly<Record<string, string>>,
    factsOf: (id: string) => Pick<Setting, 'package' | 'title'>,
    idOf: (key: string) => string = (key) => key,
  ): Setting[] =>
    Object.entries(map)
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([key, value]) => {
        const [attribute, subject] = [`${name}[${JSON.stringify(key)}]`, idOf(key)];
        return ledger.add({ kind, from, attribute, subject, value, ...factsOf(subject), urls });
      });
  const factsOfRule = (id: string): ReturnType<typeof settingFacts> =>
    settingFacts(index.kindOfRule(id, undefined, undefined), index.ruleTitle(id));
  const rules = add('rules', override.rules, factsOfRule, ruleIdOf);
  const groups = add('groups', override.groups, (id) =>
    settingFacts(index.kindOfGroup(id, undefined), index.groupName(id)),
  );
  const rewrites = add('rewrite_action', override.rewriteAction, () => ({}));
  if (rules.length + groups.length + rewrites.length > 0) return { rules, groups, rewrites };
  const value = urls.join(' ');
  const empty = ledger.add({ kind, from, attribute: 'urls', subject: '', value });
  ledger.decide(empty, { kind: 'inert', why: 'the override changes nothing' });
  return undefined;
}

/** A pattern that no request matches is reported and left out. */
function readUrls(
  context: ReadContext,
  { from, urls }: LegacyOverride,
): Pick<ActiveOverride, 'patterns' | 'unclear'> {
  const patterns: UrlPattern[] = [];
  let unclear: Refusal | undefined;
  for (const [index, url] of urls.entries()) {
    const pattern = parseUrlPattern(url, 'override');
    if ('host' in pattern) {
      patterns.push(pattern);
      continue;
    }
    const possible = pattern.problem === 'unsupported';
    const why = `the URL "${url}" ${pattern.why}`;
    const remedy = possible
      ? 'write the rule for these requests by hand'
      : 'check what the URL was meant to match, and write a rule for it by hand if it is needed';
    const code = possible ? 'PATTERN_UNSUPPORTED' : 'PATTERN_IMPOSSIBLE';
    report(context, 'decision', code, `${from}.urls[${index}]`, why, remedy);
    if (possible) unclear ??= { why, remedy };
  }
  return { patterns, unclear };
}

/** Why an override is not translated at all: half of its URLs is another override. */
export function refuseOverride(
  context: ReadContext,
  one: ActiveOverride,
  active: readonly ActiveOverride[],
): Refusal | undefined {
  const { override, patterns, unclear } = one;
  if (unclear !== undefined) return unclear;
  if (patterns.length === 0) {
    const why =
      override.urls.length === 0 ? 'it has no URLs' : 'none of its URLs matches any request';
    return { why, remedy: 'check what the override was meant for' };
  }
  const others = active.filter((other) => other !== one && mayMeet(one, other));
  if (others.length > 0) {
    const places = listed(others.map(({ override: { from } }) => from));
    const why = `other URI overrides may match the same URLs: ${places}`;
    const remedy = 'write the rules for these URLs by hand, in the order of the priorities';
    report(context, 'decision', 'OVERRIDES_OVERLAP', override.from, why, remedy);
    return { why, remedy };
  }
  if (patternsExpression(patterns) !== ALWAYS) return undefined;
  const why = 'it matches every URL';
  const remedy = 'set its rules and groups in the new ruleset by hand';
  report(context, 'decision', 'PATTERN_UNSUPPORTED', override.from, why, remedy);
  return { why, remedy };
}

/** In doubt two overrides meet. */
function mayMeet(one: ActiveOverride, other: ActiveOverride): boolean {
  return other.unclear !== undefined || mayOverlap(one.patterns, other.patterns);
}

/** Writes one verdict on all settings of an override. */
export function decideOverride(
  { ledger }: ReadContext,
  { entries: { rules, groups, rewrites } }: Pick<ActiveOverride, 'entries'>,
  verdict: Verdict,
): void {
  for (const setting of [...rules, ...groups, ...rewrites]) ledger.decide(setting, verdict);
}
