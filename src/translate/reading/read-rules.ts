import { groupBy, listed } from '../../core/lists';
import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import { type RuleDraft } from '../build-ruleset';
import { byPlace, type Entry, type LegacyZone, type Members } from './legacy-zone';
import {
  actionOf,
  inert,
  type LegacyAction,
  readMode,
  type Setting,
  type SettingKind,
  type Unknown,
  unknown,
  type Verdict,
  type Want,
  wanted,
} from './setting';

/** What the settings require of one legacy rule: to be off, also with its group, or to act. */
interface RuleRequest {
  readonly legacyId: string;
  /** The setting of the rule, or of its group. */
  readonly from: string;
  readonly meaning: 'off' | LegacyAction;
}

/** By new rule; undefined for the legacy rules without a known one. */
type Requests = ReadonlyMap<string | undefined, readonly [RuleRequest, ...RuleRequest[]]>;

/** Reads single rules and groups, and returns the overrides that they become. */
export function readRules(zone: LegacyZone): { entries: Entry[]; rules: RuleDraft[] } {
  const { rules, groups } = zone.settings;
  const attribute = 'mode';
  const settings = [
    ...byPlace(rules).map(({ from, mode: value, packageId, ruleId }): Setting => {
      const { subject, ...facts } = zone.factsOfRule(ruleId, packageId);
      return { kind: 'rule', from, attribute, subject, value, ...facts };
    }),
    ...byPlace(groups).map(({ from, mode: value, packageId, groupId }): Setting => {
      const { subject, ...facts } = zone.factsOfGroup(groupId, packageId);
      return { kind: 'group', from, attribute, subject, value, ...facts };
    }),
  ];
  const contradicting = findContradictions(settings);
  const judged = settings.map((setting) => {
    const others = contradicting.get(setting);
    const verdict =
      others === undefined ? decideAlone(zone, setting) : contradiction(setting.kind, others);
    return { setting, verdict };
  });
  const open = judged.flatMap(({ setting, verdict }) => (verdict === undefined ? [setting] : []));
  const groupOf = new Map(
    open
      .filter(({ kind }) => kind === 'group')
      .flatMap((group) => zone.membersOf(group.subject).ids.map((id) => [id, group] as const)),
  );
  const requests = requestsOf(zone, open, groupOf);
  const drafts = [...requests].flatMap(([id, all]): RuleDraft[] => {
    if (id === undefined || !doTheSame(all)) return [];
    reportSharers(zone, id, all);
    return [{ id, meaning: all[0].meaning }];
  });
  const entries = judged.map(({ setting, verdict }) => ({
    setting,
    verdict: verdict ?? decideTogether(zone, setting, groupOf, requests),
  }));
  return { entries, rules: drafts };
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

export function contradiction(
  kind: SettingKind,
  all: readonly { readonly from: string }[],
): Unknown {
  const places = listed(all.map(({ from }) => from));
  const why = `this ${kind} has different settings in ${places}`;
  return unknown(why, 'keep the setting that applies in the zone, then translate again');
}

/** The verdict on a rule or group by itself; undefined if it depends on new rules. */
function decideAlone(zone: LegacyZone, setting: Setting): Verdict | undefined {
  const { kind, value, subject } = setting;
  const meaning = readMode(value);
  const isKnown = kind === 'rule' || value === 'on' || value === 'off';
  if (meaning === undefined || !isKnown) {
    const remedy = `look up the ${kind} in the dashboard, and add its equivalent by hand`;
    return unknown(`the mode "${value}" is unknown`, remedy);
  }
  if (meaning === 'default') return inert(`without a setting, a ${kind} has the mode ${value} too`);
  if (meaning === 'off' && NEVER_DISABLED.has(subject)) return NEVER_OFF;
  return decideOutside(zone, setting);
}

export const NEVER_OFF = inert('Cloudflare never switched this rule off');

/** The verdict on a rule or group outside the Cloudflare package; undefined if it is in it. */
export function decideOutside(
  zone: LegacyZone,
  { kind, package: packageKind }: Pick<Setting, 'kind' | 'package'>,
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
      if (kind === 'rule') return undefined;
      return unknown('the group is unknown', 'check the id, or override its rules by hand');
    }
  }
}

/**
 * What rules and groups require of each new rule, by its id. A rule only counts if its group is on.
 * @param groupOf the group that switches a legacy rule off
 */
function requestsOf(
  zone: LegacyZone,
  settings: readonly Setting[],
  groupOf: ReadonlyMap<string, Setting>,
): Requests {
  const requests = new Map<string, RuleRequest>();
  for (const { kind, subject: legacyId, from, value } of settings) {
    const meaning = readMode(value);
    if (kind === 'rule' && meaning !== undefined && meaning !== 'default')
      requests.set(legacyId, { legacyId, from, meaning });
  }
  for (const [legacyId, { from }] of groupOf)
    requests.set(legacyId, { legacyId, from, meaning: 'off' });
  return groupBy([...requests.values()], ({ legacyId }) => zone.newRuleOf(legacyId));
}

/** The verdict on a rule or group that shares its new rules with others. */
function decideTogether(
  zone: LegacyZone,
  { kind, subject, value }: Setting,
  groupOf: ReadonlyMap<string, Setting>,
  requests: Requests,
): Verdict {
  if (kind === 'group') {
    const wantOf = (legacyId: string): Want | undefined => {
      const id = zone.newRuleOf(legacyId);
      return id !== undefined && doTheSame(requests.get(id)) ? { kind: 'rule-off', id } : undefined;
    };
    const members = zone.membersOf(subject);
    return decideGroup(members, members.ids, wantOf, ONE_BY_ONE);
  }
  const group = groupOf.get(subject);
  if (group !== undefined) {
    const { title = group.subject, from } = group;
    return inert(`its group ${title} is off (${from}), and a rule only counts if its group is on`);
  }
  const answer = zone.successorOf(subject);
  if (answer.kind === 'unknown') return answer;
  const claims = requests.get(answer.id);
  if (doTheSame(claims)) {
    const { id } = answer;
    const action = actionOf(readMode(value));
    const isOff = action === undefined;
    return wanted([isOff ? { kind: 'rule-off', id } : { kind: 'rule-acts', id, action }]);
  }
  const asked = claims?.map(({ legacyId, meaning }) => `${legacyId} ${meaning}`) ?? [];
  const why = `one new rule replaces several legacy rules with different settings: ${listed(asked)}`;
  return unknown(why, 'decide what the new rule does, and override it by hand');
}

const ONE_BY_ONE =
  'find the rules of the same purpose in the new ruleset, and switch them off one by one; a category override would also switch off rules that are added later';

/** Two legacy rules can have become one new rule, which can replace both only if they did the same. */
function doTheSame(requests: readonly RuleRequest[] = []): boolean {
  return new Set(requests.map(({ meaning }) => meaning)).size < 2;
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

/**
 * The verdict on switching off a group, of which rules or replacements may be unknown.
 * @param ids the rules that the setting switches off
 * @param wantOf what the new ruleset needs for one of them, if known
 */
export function decideGroup(
  members: Members,
  ids: readonly string[],
  wantOf: (legacyId: string) => Want | undefined,
  remedy: string,
): Verdict {
  const found = ids.map((id) => ({ id, want: wantOf(id) }));
  const wants = found.flatMap(({ want }) => want ?? []);
  const left = found.flatMap(({ id, want }) => (want === undefined ? id : []));
  const { complete, total = 'the' } = members;
  const known = members.ids.length === 0 ? 'none' : `only ${members.ids.length}`;
  const missing = [
    ...(complete ? [] : [`${known} of ${total} rules of the group are known`]),
    ...(left.length === 0 ? [] : [`no known replacement for ${listed(left)}`]),
  ].join('; ');
  if (missing === '') {
    return wants.length > 0 ? wanted(wants) : inert('it switches off no further rule');
  }
  return wants.length > 0 ? wanted(wants, { why: missing, remedy }) : unknown(missing, remedy);
}
