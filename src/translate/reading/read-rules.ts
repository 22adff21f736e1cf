import { groupBy, listed } from '../../core/lists';
import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import { type RuleDraft } from '../build-ruleset';
import { type SuccessorAnswer } from '../catalogue/find-successor';
import { byPlace, describeMissing, type Members } from './legacy-index';
import { type ReadContext } from './read-context';
import {
  actionOf,
  inert,
  type LegacyAction,
  type Meaning,
  readMode,
  type Setting,
  type Verdict,
  type Want,
  wanted,
  wantOfRule,
} from './setting';

/** What the zone asks of one new rule. */
interface GeneralRule {
  readonly draft: RuleDraft;
  /** What it would ask if the group of the legacy rule were on; undefined: nothing. */
  readonly own: RuleDraft | undefined;
}

/** The overrides of the general rule. */
export interface GeneralRules {
  /** By the id of the new rule. */
  readonly rules: ReadonlyMap<string, GeneralRule>;
  /** Legacy rules that are off with their group. */
  readonly offWithGroup: ReadonlySet<string>;
}

/** A setting with the package that its resource names. */
interface Placed {
  readonly setting: Setting;
  readonly packageId: string | undefined;
}

/** A group of the Cloudflare package that is off. */
interface GroupOff {
  readonly setting: Setting;
  readonly name: string;
  readonly members: Members;
}

/** A setting of a rule of the Cloudflare package that switches it off or makes it act. */
interface RuleRequest {
  readonly setting: Setting;
  readonly meaning: Meaning;
}

/** What the settings ask of one legacy rule, the state of its group included. */
interface RuleState {
  readonly legacyId: string;
  readonly request: RuleRequest | undefined;
  readonly group: GroupOff | undefined;
  readonly enabled: boolean;
  readonly action: LegacyAction | undefined;
  readonly answer: SuccessorAnswer;
}

/** Reads single rules and groups, and decides all of them. */
export function readRules(context: ReadContext): GeneralRules {
  const { index, legacy } = context;
  const attribute = 'mode';
  const rules = byPlace(legacy.rules).map((rule): Placed => {
    const { from, mode: value, packageId } = rule;
    const subject = index.ruleIdOf(rule.ruleId);
    const facts = { package: index.kindOfRule(rule), title: index.ruleTitle(subject) };
    const setting = context.add({ kind: 'rule', from, attribute, subject, value, ...facts });
    return { setting, packageId };
  });
  const groups = byPlace(legacy.groups).map((group): Placed => {
    const { from, groupId: subject, mode: value, packageId } = group;
    const facts = { package: index.kindOfGroup(group), title: index.groupName(subject) };
    const setting = context.add({ kind: 'group', from, attribute, subject, value, ...facts });
    return { setting, packageId };
  });
  const contradicting = findContradictions([...rules, ...groups].map(({ setting }) => setting));
  const groupsOff = groups.flatMap(({ setting }): GroupOff[] => {
    const { subject, value, title } = setting;
    const isOff = value === 'off' && setting.package === 'cloudflare';
    if (!isOff || contradicting.has(setting)) return [];
    return [{ setting, name: title ?? subject, members: index.membersOf(subject) }];
  });
  const requests: RuleRequest[] = [];
  for (const placed of [...rules, ...groups]) {
    const { setting } = placed;
    const meaning = readMode(setting.value);
    const others = contradicting.get(setting);
    const verdict =
      others !== undefined
        ? refuseContradiction(context, setting, others)
        : setting.kind === 'rule'
          ? decideRule(context, placed, groupsOff)
          : decideGroup(context, placed);
    if (verdict !== undefined) context.decide(setting, verdict);
    else if (setting.kind === 'rule' && meaning !== undefined) requests.push({ setting, meaning });
  }
  return mergeRules(context, requests, groupsOff);
}

/** The settings of one rule or group that do not say the same, each with all of them. */
function findContradictions(settings: readonly Setting[]): Map<Setting, readonly Setting[]> {
  // not by the id of the package, which can be missing from one of them
  const bySubject = groupBy(settings, (one) => `${one.kind}/${one.package ?? ''}/${one.subject}`);
  const contradicting = [...bySubject.values()].filter((same) => {
    const meanings = same.flatMap(({ value }) => readMode(value) ?? []);
    return new Set(meanings).size > 1;
  });
  return new Map(contradicting.flatMap((same) => same.map((one) => [one, same])));
}

function refuseContradiction(
  context: ReadContext,
  setting: Setting,
  all: readonly Setting[],
): Verdict {
  const places = listed(all.map(({ from }) => from));
  const why = `${setting.kind} ${setting.subject} has different settings in ${places}`;
  const remedy = 'keep the setting that applies in the zone, then translate again';
  return context.refuse('CONTRADICTING_SETTINGS', setting, why, remedy);
}

/** The verdict on a rule; undefined for one that asks for something of its new rule. */
function decideRule(
  context: ReadContext,
  { setting, packageId }: Placed,
  groupsOff: readonly GroupOff[],
): Verdict | undefined {
  const { value, subject } = setting;
  const meaning = readMode(value);
  if (meaning === undefined) return refuseMode(context, setting);
  if (meaning === 'default') {
    // `on` claims what a group that is off denies
    const group = groupsOff.find(({ members }) => value === 'on' && members.ids.includes(subject));
    return group === undefined
      ? inert(`a rule has the mode ${value} by default`)
      : offWithGroup(context, group, setting);
  }
  if (meaning === 'off' && NEVER_DISABLED.has(subject)) return NEVER_OFF;
  return decideOutside(context, setting, 'rule', packageId);
}

/** The verdict on a group; undefined for one of the Cloudflare package that is off. */
function decideGroup(context: ReadContext, { setting, packageId }: Placed): Verdict | undefined {
  if (setting.value === 'on') return inert('a group is on by default');
  if (setting.value !== 'off') return refuseMode(context, setting);
  return decideOutside(context, setting, 'group', packageId);
}

/** The verdict on switching off a rule that Cloudflare never switched off. */
export const NEVER_OFF = inert('Cloudflare never switched this rule off');

/** The reason for a group without rules that Cloudflare ever switched off. */
export const NO_RULES = 'it has no rules that could be switched off';

/** The verdict on an unknown mode. */
export function refuseMode(context: ReadContext, setting: Setting): Verdict {
  const why = `the mode "${setting.value}" is unknown`;
  const remedy = `look up the ${setting.kind} in the dashboard, and add its equivalent by hand`;
  return context.refuse('UNKNOWN_MODE', setting, why, remedy);
}

/** The verdict on a rule of a group that is off. */
function offWithGroup(context: ReadContext, group: GroupOff, setting: Setting): Verdict {
  const why = `its group ${group.name} is off (${group.setting.from}), and a rule only counts if its group is on`;
  const remedy = 'do nothing, or switch the new rule on if the group was not meant to include it';
  context.report('info', 'RULE_IN_GROUP_OFF', setting.from, why, remedy);
  return inert(why);
}

/** The verdict on a rule or group that is not in the Cloudflare package; undefined: it is in it. */
export function decideOutside(
  context: ReadContext,
  setting: Setting,
  what: 'rule' | 'group',
  packageId?: string,
): Verdict | undefined {
  switch (setting.package) {
    case 'cloudflare':
      return undefined;
    case 'owasp': {
      if (context.index.isOwaspOff) return inert('the OWASP package is off');
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
      if (packageId !== undefined) return refusePackage(context, setting, packageId);
      if (what === 'rule') return undefined;
      const why = `the group "${setting.subject}" is unknown`;
      const remedy = 'check the id, or add the group to a file for --catalogue (docs/catalogue.md)';
      return context.refuse('UNKNOWN_GROUP', setting, why, remedy);
    }
  }
}

/** The verdict on a package that is neither of the two that every zone has, nor named by the zone. */
export function refusePackage(context: ReadContext, setting: Setting, packageId: string): Verdict {
  const why = `the package "${packageId}" is unknown`;
  const remedy = 'look up the package in the dashboard, or pass a state with its data sources';
  return context.refuse('UNKNOWN_PACKAGE', setting, why, remedy);
}

/**
 * Merges rules and groups: a rule only counts if its group is on, and two legacy rules can have become
 * one new rule, which can do what both did only if they did the same.
 */
function mergeRules(
  context: ReadContext,
  requests: readonly RuleRequest[],
  groupsOff: readonly GroupOff[],
): GeneralRules {
  const states = ruleStates(context, requests, groupsOff);
  const pairs = [...states.values()].flatMap((state) => newIds(state).map((id) => ({ id, state })));
  const rules = new Map<string, GeneralRule>();
  const conflicts = new Map<string, readonly RuleState[]>();
  for (const [id, claims] of groupBy(pairs, (pair) => pair.id)) {
    const all = claims.map(({ state }) => state);
    const [first] = all;
    if (first !== undefined && all.every((other) => agree(first, other))) {
      rules.set(id, generalRule(id, all));
      reportSharers(context, id, all);
    } else conflicts.set(id, all);
  }
  for (const request of requests) {
    context.decide(request.setting, decideRequest(context, request, states, conflicts));
  }
  for (const group of groupsOff) {
    context.decide(group.setting, decideGroupOff(context, group, states, rules));
  }
  return { rules, offWithGroup: new Set(groupsOff.flatMap(({ members }) => members.ids)) };
}

/** What becomes of each legacy rule that is set, or whose group is off, by its id. */
function ruleStates(
  context: ReadContext,
  requests: readonly RuleRequest[],
  groupsOff: readonly GroupOff[],
): Map<string, RuleState> {
  const requestOf = new Map(requests.map((request) => [request.setting.subject, request]));
  const groupOf = new Map(
    groupsOff.flatMap((group) => group.members.ids.map((id) => [id, group] as const)),
  );
  const ids = new Set([...requestOf.keys(), ...groupOf.keys()]);
  return new Map(
    [...ids].map((legacyId) => {
      const request = requestOf.get(legacyId);
      const group = groupOf.get(legacyId);
      const enabled = group === undefined && request?.meaning !== 'off';
      const action = actionOf(request?.meaning);
      const answer = context.successorOf(legacyId);
      return [legacyId, { legacyId, request, group, enabled, action, answer }];
    }),
  );
}

/** The new rules that a legacy one became; none if that is not known. */
function newIds({ answer }: RuleState): readonly string[] {
  return answer.kind === 'known' ? answer.ids : [];
}

/** Whether one new rule can do what two legacy ones did. */
function agree(one: RuleState, other: RuleState): boolean {
  return one.enabled === other.enabled && (!one.enabled || one.action === other.action);
}

/** What the zone asks of a new rule, by legacy rules that became it and agree. */
function generalRule(id: string, claims: readonly RuleState[]): GeneralRule {
  const action = claims.find((claim) => claim.action !== undefined)?.action;
  const asked = claims.find(({ request }) => request !== undefined)?.request?.meaning;
  return {
    draft: { id, enabled: claims.every(({ enabled }) => enabled), action },
    own: asked === undefined ? undefined : { id, enabled: asked !== 'off', action },
  };
}

/** Legacy rules without a setting that became the same new rule change with the others. */
function reportSharers(context: ReadContext, id: string, claims: readonly RuleState[]): void {
  const set = new Set(claims.map(({ legacyId }) => legacyId));
  const unset = context.legacyRulesOf(id).filter((legacyId) => !set.has(legacyId));
  if (unset.length === 0) return;
  const { request, group } = claims[0] ?? {};
  context.report(
    'decision',
    'NEW_RULE_SHARED',
    (request ?? group)?.setting.from ?? context.legacy.zoneId,
    `the new rule ${id} replaces ${listed([...set])}, which is set here, and also ${listed(unset)}, which is not`,
    'check that the override can apply to all of them',
  );
}

function decideRequest(
  context: ReadContext,
  { setting, meaning }: RuleRequest,
  states: ReadonlyMap<string, RuleState>,
  conflicts: ReadonlyMap<string, readonly RuleState[]>,
): Verdict {
  const { group, answer = context.successorOf(setting.subject) } =
    states.get(setting.subject) ?? {};
  if (group !== undefined) return offWithGroup(context, group, setting);
  if (answer.kind === 'unknown') return context.refuseUnresolved(setting, answer, meaning);
  const claims = answer.ids.flatMap((id) => conflicts.get(id) ?? []);
  if (claims.length === 0) return wanted(answer.ids.map((id) => wantOfRule(id, meaning)));
  const asked = claims.map(
    ({ legacyId, enabled, action }) => `${legacyId} ${enabled ? (action ?? 'default') : 'off'}`,
  );
  const why = `one new rule replaces several legacy rules with different settings: ${listed(asked)}`;
  const remedy = 'decide what the new rule does, and override it by hand';
  return context.refuse('ONE_NEW_RULE_FOR_SEVERAL', setting, why, remedy);
}

function decideGroupOff(
  context: ReadContext,
  { setting, name, members }: GroupOff,
  states: ReadonlyMap<string, RuleState>,
  rules: ReadonlyMap<string, GeneralRule>,
): Verdict {
  const wants: Want[] = [];
  const left: string[] = [];
  for (const legacyId of members.ids) {
    const state = states.get(legacyId);
    const ids = state === undefined ? [] : newIds(state);
    const carried = ids.filter((id) => rules.get(id)?.draft.enabled === false);
    wants.push(...carried.map((id): Want => ({ kind: 'rule-off', id })));
    if (carried.length === 0 || carried.length < ids.length) left.push(legacyId);
  }
  const missing = describeMissing(members, left);
  if (missing === undefined) return wants.length > 0 ? wanted(wants) : inert(NO_RULES);
  const remedy = `switch off the other rules of ${name} in the new ruleset by hand, one by one; a category override would also switch off rules that are added later`;
  const message = `group ${name} is off: ${missing}`;
  context.report('decision', 'GROUP_MEMBERS_UNKNOWN', setting.from, message, remedy);
  return wants.length > 0 ? wanted(wants, missing) : { kind: 'unknown', why: missing, remedy };
}
