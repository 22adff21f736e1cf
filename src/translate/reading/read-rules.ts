import { groupBy, listed } from '../../core/lists';
import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import { type RuleDraft } from '../build-ruleset';
import { byPlace, type Entry, type LegacyZone, type Members } from './legacy-zone';
import { type LegacyAction, readMode } from '../legacy-actions';
import {
  inert,
  type Setting,
  type Unknown,
  unknown,
  type Verdict,
  type Want,
  wanted,
  wantOfRule,
} from './setting';

/** A group of the Cloudflare package that is off. */
interface GroupOff {
  readonly setting: Setting;
  readonly name: string;
  readonly members: Members;
}

/** What the settings require of one legacy rule: to be off, also with its group, or to act. */
interface RuleRequest {
  readonly legacyId: string;
  /** The setting of the rule, or of its group. */
  readonly from: string;
  readonly meaning: 'off' | LegacyAction;
  /** Undefined if unknown. */
  readonly newId: string | undefined;
}

/** Reads single rules and groups, and returns the overrides that they become. */
export function readRules(zone: LegacyZone): { entries: Entry[]; rules: RuleDraft[] } {
  const { rules, groups } = zone.settings;
  const attribute = 'mode';
  const settings = [
    ...byPlace(rules).map(
      ({ from, mode: value, packageId, ruleId }): [Setting, string | undefined] => {
        const { subject, ...facts } = zone.factsOfRule(ruleId, packageId);
        return [{ kind: 'rule', from, attribute, subject, value, ...facts }, packageId];
      },
    ),
    ...byPlace(groups).map(
      ({ from, mode: value, packageId, groupId }): [Setting, string | undefined] => {
        const { subject, ...facts } = zone.factsOfGroup(groupId, packageId);
        return [{ kind: 'group', from, attribute, subject, value, ...facts }, packageId];
      },
    ),
  ];
  const contradicting = findContradictions(settings.map(([setting]) => setting));
  const judged = settings.map(([setting, packageId]) => {
    const others = contradicting.get(setting);
    const verdict =
      others === undefined ? decideAlone(zone, setting, packageId) : contradiction(setting, others);
    return { setting, verdict };
  });
  const open = judged.flatMap(({ setting, verdict }) => (verdict === undefined ? [setting] : []));
  const merged = mergeRules(zone, open);
  const entries = judged.map(({ setting, verdict }) => ({
    setting,
    verdict: verdict ?? merged.decide(setting),
  }));
  return { entries, rules: merged.rules };
}

/** Settings of one rule or group that contradict each other, each with all of them. */
function findContradictions(settings: readonly Setting[]): Map<Setting, readonly Setting[]> {
  // not by the id of the package, which a setting may lack
  const bySubject = groupBy(settings, (one) => `${one.kind}/${one.package ?? ''}/${one.subject}`);
  const contradicting = [...bySubject.values()].filter((same) => {
    const meanings = same.flatMap(({ value }) => readMode(value) ?? []);
    return new Set(meanings).size > 1;
  });
  return new Map(contradicting.flatMap((same) => same.map((one) => [one, same])));
}

/** The verdict on one of several settings that contradict each other. */
export function contradiction(
  { kind, subject }: Pick<Setting, 'kind' | 'subject'>,
  all: readonly { readonly from: string }[],
): Unknown {
  const places = listed(all.map(({ from }) => from));
  const why = `${kind} ${subject} has different settings in ${places}`;
  return unknown(why, 'keep the setting that applies in the zone, then translate again');
}

/** The verdict on a rule or group by itself; undefined if it depends on new rules. */
function decideAlone(zone: LegacyZone, setting: Setting, packageId?: string): Verdict | undefined {
  const { kind, value, subject } = setting;
  const meaning = readMode(value);
  const isKnown = kind === 'rule' || value === 'on' || value === 'off';
  if (meaning === undefined || !isKnown) {
    const remedy = `look up the ${kind} in the dashboard, and add its equivalent by hand`;
    return unknown(`the mode "${value}" is unknown`, remedy);
  }
  if (meaning === 'default') return inert(`a ${kind} has the mode ${value} by default`);
  if (meaning === 'off' && NEVER_DISABLED.has(subject)) {
    return NEVER_OFF;
  }
  return decideOutside(zone, setting, packageId);
}

/** The verdict on switching off a rule that Cloudflare never switched off. */
export const NEVER_OFF = inert('Cloudflare never switched this rule off');

/** The verdict on a rule or group outside the Cloudflare package; undefined if it is in it. */
export function decideOutside(
  zone: LegacyZone,
  { kind, package: packageKind, subject }: Setting,
  packageId?: string,
): Verdict | undefined {
  switch (packageKind) {
    case 'cloudflare':
      return undefined;
    case 'owasp': {
      if (zone.isOwaspOff) return inert('the OWASP package is off');
      // spec: "Other mapping rules"
      const why = `the ${kind}s of the legacy OWASP package have no equivalent in the new OWASP ruleset`;
      const remedy = 'override a category or a rule in the OWASP ruleset by hand, if you need it';
      return unknown(why, remedy);
    }
    case 'user': {
      const why = `Cloudflare wrote this ${kind} for this customer`;
      return unknown(why, 'ask Cloudflare for its replacement, or write a custom rule');
    }
    case undefined: {
      if (packageId !== undefined) return unknownPackage(packageId);
      if (kind === 'rule') return undefined;
      const why = `the group "${subject}" is unknown`;
      return unknown(why, 'check the id, or override its rules by hand');
    }
  }
}

/** The verdict on a package that not every zone has and that the zone does not name. */
export function unknownPackage(packageId: string): Unknown {
  const remedy = 'look up the package in the dashboard, or pass a state with its data sources';
  return unknown(`the package "${packageId}" is unknown`, remedy);
}

/**
 * Merges rules and groups. A rule only counts if its group is on. Two legacy rules can have become one new
 * rule, which can replace both only if they did the same.
 */
function mergeRules(
  zone: LegacyZone,
  settings: readonly Setting[],
): { rules: RuleDraft[]; decide: (setting: Setting) => Verdict } {
  const groups = new Map(
    settings
      .filter(({ kind }) => kind === 'group')
      .map((setting): [Setting, GroupOff] => {
        const { subject, title } = setting;
        return [setting, { setting, name: title ?? subject, members: zone.membersOf(subject) }];
      }),
  );
  const groupOf = new Map(
    [...groups.values()].flatMap((group) => group.members.ids.map((id) => [id, group] as const)),
  );
  const requests = new Map<string, RuleRequest>();
  const request = (legacyId: string, from: string, meaning: RuleRequest['meaning']): void => {
    requests.set(legacyId, { legacyId, from, meaning, newId: zone.newRuleOf(legacyId) });
  };
  for (const { kind, subject, from, value } of settings) {
    const meaning = readMode(value);
    if (kind === 'rule' && meaning !== undefined && meaning !== 'default')
      request(subject, from, meaning);
  }
  for (const [id, { setting }] of groupOf) request(id, setting.from, 'off');

  const rules = new Map<string, RuleDraft>();
  const conflicts = new Map<string, readonly RuleRequest[]>();
  for (const [id, all] of groupBy([...requests.values()], ({ newId }) => newId)) {
    if (id === undefined) continue;
    const [{ meaning }] = all;
    if (all.every((other) => other.meaning === meaning)) {
      rules.set(id, { id, meaning });
      reportSharers(zone, id, all);
    } else conflicts.set(id, all);
  }
  const decide = (setting: Setting): Verdict => {
    const off = groups.get(setting);
    if (off !== undefined) return decideGroupOff(off, requests, rules);
    const group = groupOf.get(setting.subject);
    if (group !== undefined) return offWithGroup(group);
    return decideRequest(zone, setting, conflicts);
  };
  return { rules: [...rules.values()], decide };
}

/** Reports legacy rules without a setting that change with others, because they became the same new rule. */
function reportSharers(zone: LegacyZone, id: string, requests: readonly RuleRequest[]): void {
  const set = new Set(requests.map(({ legacyId }) => legacyId));
  const unset = zone.legacyRulesOf(id).filter((legacyId) => !set.has(legacyId));
  if (unset.length === 0) return;
  zone.report(
    'decision',
    'NEW_RULE_SHARED',
    requests[0]?.from ?? zone.settings.zoneId,
    `the new rule ${id} replaces ${listed([...set])}, which has this setting, and ${listed(unset)}, which does not`,
    'check that the override can apply to all of them',
  );
}

/** The verdict on a rule of a group that is off. */
function offWithGroup({ name, setting: { from } }: GroupOff): Verdict {
  return inert(`its group ${name} is off (${from}), and a rule only counts if its group is on`);
}

function decideRequest(
  zone: LegacyZone,
  setting: Setting,
  conflicts: ReadonlyMap<string, readonly RuleRequest[]>,
): Verdict {
  const meaning = readMode(setting.value) ?? 'default';
  const answer = zone.successorOf(setting.subject);
  if (answer.kind === 'unknown') return answer;
  const claims = conflicts.get(answer.id);
  if (claims === undefined) return wanted([wantOfRule(answer.id, meaning)]);
  const asked = claims.map((claim) => `${claim.legacyId} ${claim.meaning}`);
  const why = `one new rule replaces several legacy rules with different settings: ${listed(asked)}`;
  return unknown(why, 'decide what the new rule does, and override it by hand');
}

function decideGroupOff(
  { name, members }: GroupOff,
  requests: ReadonlyMap<string, RuleRequest>,
  rules: ReadonlyMap<string, RuleDraft>,
): Verdict {
  const wants: Want[] = [];
  const left: string[] = [];
  for (const legacyId of members.ids) {
    const id = requests.get(legacyId)?.newId;
    if (id !== undefined && rules.get(id)?.meaning === 'off') wants.push({ kind: 'rule-off', id });
    else left.push(legacyId);
  }
  const remedy = `switch off the other rules of ${name} in the new ruleset by hand, one by one; a category override would also switch off rules that are added later`;
  return decideMembers(members, { left, remedy, wants });
}

interface GroupParts {
  /** The rules of a group without a known replacement. */
  readonly left: readonly string[];
  readonly remedy: string;
  readonly wants: readonly Want[];
}

/** The verdict on switching off a group, of which rules or replacements may be unknown. */
export function decideMembers(members: Members, { left, remedy, wants }: GroupParts): Verdict {
  const missing = describeMissing(members, left);
  if (missing === undefined) {
    return wants.length > 0 ? wanted(wants) : inert('it switches off no further rule');
  }
  return wants.length > 0 ? wanted(wants, { why: missing, remedy }) : unknown(missing, remedy);
}

/**
 * What of a group cannot be translated, in words; undefined if nothing.
 * @param left its rules without a known replacement
 */
function describeMissing(
  { ids, complete, total }: Members,
  left: readonly string[],
): string | undefined {
  const parts: string[] = [];
  if (!complete && ids.length === 0) parts.push('none of its rules is known');
  else if (!complete) {
    const named = ids.length === 1 ? '1 of its rules is' : `${ids.length} of its rules are`;
    const of = total === undefined ? 'it may have more' : `it has ${total}`;
    parts.push(`${named} known, and ${of}`);
  }
  if (left.length > 0) parts.push(`no known replacement for ${listed(left)}`);
  return parts.length === 0 ? undefined : parts.join('; ');
}
