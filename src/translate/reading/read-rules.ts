import { groupBy, listed } from '../../core/lists';
import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import { type RuleDraft } from '../build-ruleset';
import { type SuccessorAnswer } from '../catalogue/find-successor';
import { byPlace, type Entry, type LegacyZone, type Members } from './legacy-zone';
import {
  inert,
  type LegacyAction,
  readMode,
  type Setting,
  type Unknown,
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
  readonly answer: SuccessorAnswer;
}

/** Reads single rules and groups, and returns the overrides that they become. */
export function readRules(zone: LegacyZone): { entries: Entry[]; rules: RuleDraft[] } {
  const { rules, groups } = zone.settings;
  const attribute = 'mode';
  const settings = [
    ...byPlace(rules).map(
      ({ from, mode: value, packageId, ruleId }): [Setting, string | undefined] => {
        const subject = zone.ruleIdOf(ruleId);
        const facts = {
          package: zone.kindOfRule(subject, packageId),
          title: zone.ruleTitle(subject),
        };
        return [{ kind: 'rule', from, attribute, subject, value, ...facts }, packageId];
      },
    ),
    ...byPlace(groups).map(
      ({ from, mode: value, packageId, groupId }): [Setting, string | undefined] => {
        const facts = {
          package: zone.kindOfGroup(groupId, packageId),
          title: zone.groupName(groupId),
        };
        return [{ kind: 'group', from, attribute, subject: groupId, value, ...facts }, packageId];
      },
    ),
  ];
  const contradicting = findContradictions(settings.map(([setting]) => setting));
  const judged = settings.map(([setting, packageId]) => {
    const others = contradicting.get(setting);
    const verdict =
      others === undefined
        ? decideAlone(zone, setting, packageId)
        : refuseContradiction(zone, setting, others);
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

function refuseContradiction(zone: LegacyZone, setting: Setting, all: readonly Setting[]): Unknown {
  const places = listed(all.map(({ from }) => from));
  const why = `${setting.kind} ${setting.subject} has different settings in ${places}`;
  const remedy = 'keep the setting that applies in the zone, then translate again';
  return zone.refuse('CONTRADICTING_SETTINGS', setting, why, remedy);
}

/** The verdict on a rule or group by itself; undefined if it depends on new rules. */
function decideAlone(zone: LegacyZone, setting: Setting, packageId?: string): Verdict | undefined {
  const { kind, value, subject } = setting;
  const meaning = readMode(value);
  const isKnown = kind === 'rule' || value === 'on' || value === 'off';
  if (meaning === undefined || !isKnown) return refuseMode(zone, setting);
  if (meaning === 'default') return inert(`a ${kind} has the mode ${value} by default`);
  if (meaning === 'off' && NEVER_DISABLED.has(subject)) return NEVER_OFF;
  return decideOutside(zone, setting, kind, packageId);
}

/** The verdict on switching off a rule that Cloudflare never switched off. */
export const NEVER_OFF = inert('Cloudflare never switched this rule off');

/** The verdict on an unknown mode. */
export function refuseMode(zone: LegacyZone, setting: Setting): Unknown {
  const why = `the mode "${setting.value}" is unknown`;
  const remedy = `look up the ${setting.kind} in the dashboard, and add its equivalent by hand`;
  return zone.refuse('UNKNOWN_MODE', setting, why, remedy);
}

/** The verdict on a rule or group outside the Cloudflare package; undefined if it is in it. */
export function decideOutside(
  zone: LegacyZone,
  setting: Setting,
  what: string,
  packageId?: string,
): Verdict | undefined {
  switch (setting.package) {
    case 'cloudflare':
      return undefined;
    case 'owasp': {
      if (zone.isOwaspOff) return inert('the OWASP package is off');
      // spec: "Other mapping rules"
      const why = `the ${what}s of the legacy OWASP package have no equivalent in the new OWASP ruleset`;
      const remedy = 'override a category or a rule in the OWASP ruleset by hand, if you need it';
      return { kind: 'unknown', why, remedy };
    }
    case 'user': {
      const why = `the ${what} is one that Cloudflare wrote for this customer`;
      const remedy = 'ask Cloudflare for its replacement, or write a custom rule';
      return { kind: 'unknown', why, remedy };
    }
    case undefined: {
      if (packageId !== undefined) return refusePackage(zone, setting, packageId);
      if (what === 'rule') return undefined;
      const why = `the group "${setting.subject}" is unknown`;
      const remedy = 'check the id, or add the group to a file for --catalogue (docs/catalogue.md)';
      return zone.refuse('UNKNOWN_GROUP', setting, why, remedy);
    }
  }
}

/** The verdict on a package that not every zone has and that the zone does not name. */
export function refusePackage(zone: LegacyZone, setting: Setting, packageId: string): Unknown {
  const why = `the package "${packageId}" is unknown`;
  const remedy = 'look up the package in the dashboard, or pass a state with its data sources';
  return zone.refuse('UNKNOWN_PACKAGE', setting, why, remedy);
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
    const answer = zone.successorOf(legacyId);
    requests.set(legacyId, { legacyId, from, meaning, answer });
  };
  for (const { kind, subject, from, value } of settings) {
    const meaning = readMode(value);
    if (kind === 'rule' && meaning !== undefined && meaning !== 'default')
      request(subject, from, meaning);
  }
  for (const [id, { setting }] of groupOf) request(id, setting.from, 'off');

  const rules = new Map<string, RuleDraft>();
  const conflicts = new Map<string, readonly RuleRequest[]>();
  const pairs = [...requests.values()].flatMap((one) => newIds(one).map((id) => ({ id, one })));
  for (const [id, [first, ...others]] of groupBy(pairs, (pair) => pair.id)) {
    const all = [first, ...others].map(({ one }) => one);
    const { meaning } = first.one;
    if (all.every((other) => other.meaning === meaning)) {
      rules.set(id, { id, meaning });
      reportSharers(zone, id, all);
    } else conflicts.set(id, all);
  }
  const decide = (setting: Setting): Verdict => {
    const off = groups.get(setting);
    if (off !== undefined) return decideGroupOff(zone, off, requests, rules);
    const group = groupOf.get(setting.subject);
    if (group !== undefined) return offWithGroup(zone, group, setting);
    return decideRequest(zone, setting, conflicts);
  };
  return { rules: [...rules.values()], decide };
}

/** The new rules of a legacy rule; empty if unknown. */
function newIds({ answer }: Pick<RuleRequest, 'answer'>): readonly string[] {
  return answer.kind === 'known' ? answer.ids : [];
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
    `the new rule ${id} replaces ${listed([...set])}, which is set here, and also ${listed(unset)}, which is not`,
    'check that the override can apply to all of them',
  );
}

/** The verdict on a rule of a group that is off. */
function offWithGroup(zone: LegacyZone, group: GroupOff, setting: Setting): Verdict {
  const why = `its group ${group.name} is off (${group.setting.from}), and a rule only counts if its group is on`;
  const remedy = 'do nothing, or switch the new rule on if the group was not meant to include it';
  zone.report('info', 'RULE_IN_GROUP_OFF', setting.from, why, remedy);
  return inert(why);
}

function decideRequest(
  zone: LegacyZone,
  setting: Setting,
  conflicts: ReadonlyMap<string, readonly RuleRequest[]>,
): Verdict {
  const meaning = readMode(setting.value) ?? 'default';
  const answer = zone.successorOf(setting.subject);
  if (answer.kind === 'unknown') return zone.refuseUnresolved(setting, answer, meaning);
  const claims = answer.ids.flatMap((id) => conflicts.get(id) ?? []);
  if (claims.length === 0) return wanted(answer.ids.map((id) => wantOfRule(id, meaning)));
  const asked = claims.map((claim) => `${claim.legacyId} ${claim.meaning}`);
  const why = `one new rule replaces several legacy rules with different settings: ${listed(asked)}`;
  const remedy = 'decide what the new rule does, and override it by hand';
  return zone.refuse('ONE_NEW_RULE_FOR_SEVERAL', setting, why, remedy);
}

function decideGroupOff(
  zone: LegacyZone,
  { setting, name, members }: GroupOff,
  requests: ReadonlyMap<string, RuleRequest>,
  rules: ReadonlyMap<string, RuleDraft>,
): Verdict {
  const wants: Want[] = [];
  const left: string[] = [];
  for (const legacyId of members.ids) {
    const request = requests.get(legacyId);
    const ids = request === undefined ? [] : newIds(request);
    const carried = ids.filter((id) => rules.get(id)?.meaning === 'off');
    wants.push(...carried.map((id): Want => ({ kind: 'rule-off', id })));
    if (carried.length === 0 || carried.length < ids.length) left.push(legacyId);
  }
  const remedy = `switch off the other rules of ${name} in the new ruleset by hand, one by one; a category override would also switch off rules that are added later`;
  return decideMembers(zone, setting, { members, left, remedy, wants });
}

/** The verdict on a group whose rules may be unknown or have no known replacement (`left`). */
export function decideMembers(
  zone: LegacyZone,
  setting: Setting,
  { members, left, remedy, wants }: GroupParts,
): Verdict {
  const missing = describeMissing(members, left);
  if (missing === undefined) {
    return wants.length > 0 ? wanted(wants) : inert('it switches off no further rule');
  }
  const message = `group ${setting.title ?? setting.subject}: ${missing}`;
  zone.refuse('GROUP_MEMBERS_UNKNOWN', setting, message, remedy);
  return wants.length > 0 ? wanted(wants, missing) : { kind: 'unknown', why: missing, remedy };
}

interface GroupParts {
  readonly members: Members;
  readonly left: readonly string[];
  readonly remedy: string;
  readonly wants: readonly Want[];
}

/** What of a group cannot be translated, in words; undefined if nothing. */
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
