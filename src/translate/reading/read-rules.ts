import { groupBy, listed } from '../../core/lists';
import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import { byPlace, type Members } from './legacy-index';
import { type ReadContext } from './read-context';
import { inert, type Meaning, readMode, type Setting, type Verdict } from './setting';

/** A setting of a rule of the Cloudflare package that switches it off or makes it act. */
export interface RuleRequest {
  readonly setting: Setting;
  readonly meaning: Meaning;
}

/** A group of the Cloudflare package that is off. */
export interface GroupOff {
  readonly setting: Setting;
  readonly name: string;
  readonly members: Members;
}

/** The settings of rules and groups whose verdicts depend on each other. */
export interface RuleReading {
  readonly requests: readonly RuleRequest[];
  readonly groupsOff: readonly GroupOff[];
}

interface Placed {
  readonly setting: Setting;
  readonly packageId: string | undefined;
}

/** Reads single rules and groups. Those that ask for something of the new ruleset are returned. */
export function readRules(context: ReadContext, owaspOff: boolean): RuleReading {
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
    const { subject, value } = setting;
    if (value !== 'off' || setting.package !== 'cloudflare') return [];
    if (contradicting.has(setting)) return [];
    return [{ setting, name: setting.title ?? subject, members: index.membersOf(subject) }];
  });
  const requests: RuleRequest[] = [];
  for (const { setting, packageId } of rules) {
    const meaning = readMode(setting.value);
    const others = contradicting.get(setting);
    const verdict = others
      ? refuseContradiction(context, setting, others)
      : decideRule(context, { setting, packageId }, { meaning, owaspOff, groupsOff });
    if (verdict !== undefined) context.decide(setting, verdict);
    else if (meaning !== undefined) requests.push({ setting, meaning });
  }
  for (const { setting, packageId } of groups) {
    const others = contradicting.get(setting);
    const verdict = others
      ? refuseContradiction(context, setting, others)
      : decideGroup(context, { setting, packageId }, owaspOff);
    if (verdict !== undefined) context.decide(setting, verdict);
  }
  return { requests, groupsOff };
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
  const why = `${setting.kind} ${setting.subject} is set differently in ${places}`;
  const remedy = 'keep the one that holds in the zone, then translate again';
  return context.refuse('CONTRADICTING_SETTINGS', setting, why, remedy);
}

/** The verdict on a rule; undefined for one that asks for something of its new rule. */
function decideRule(
  context: ReadContext,
  { setting, packageId }: Placed,
  {
    meaning,
    owaspOff,
    groupsOff,
  }: {
    readonly meaning: Meaning | undefined;
    readonly owaspOff: boolean;
    readonly groupsOff: readonly GroupOff[];
  },
): Verdict | undefined {
  const { value, subject } = setting;
  if (meaning === undefined) return refuseMode(context, setting);
  if (meaning === 'default') {
    // `on` claims what a group that is off denies
    const group = groupsOff.find(({ members }) => value === 'on' && members.ids.includes(subject));
    return group === undefined
      ? inert(`${value} is what a rule is without a setting`)
      : offWithGroup(context, group, setting);
  }
  if (meaning === 'off' && NEVER_DISABLED.has(subject)) return NEVER_OFF;
  return decideOutside(context, setting, { what: 'rule', packageId, owaspOff });
}

/** The verdict on a group; undefined for one of the Cloudflare package that is off. */
function decideGroup(
  context: ReadContext,
  { setting, packageId }: Placed,
  owaspOff: boolean,
): Verdict | undefined {
  if (setting.value === 'on') return inert('on is what a group is without a setting');
  if (setting.value !== 'off') return refuseMode(context, setting);
  return decideOutside(context, setting, { what: 'group', packageId, owaspOff });
}

/** The verdict on switching off a rule that Cloudflare never switched off. */
export const NEVER_OFF = inert('Cloudflare never switched this rule off');

/** The verdict on a mode that is not known. */
export function refuseMode(context: ReadContext, setting: Setting): Verdict {
  const remedy = `look the ${setting.kind} up in the dashboard, and write its counterpart by hand`;
  return context.refuse(
    'UNKNOWN_MODE',
    setting,
    `the mode "${setting.value}" is not known`,
    remedy,
  );
}

/** The verdict on a rule of a group that is off. */
export function offWithGroup(context: ReadContext, group: GroupOff, setting: Setting): Verdict {
  const why = `its group ${group.name} is off (${group.setting.from}), and a rule only counts if its group is on`;
  const remedy = 'nothing, or switch the new rule on if the group was not meant to cover it';
  context.report('info', 'RULE_IN_GROUP_OFF', setting.from, why, remedy);
  return inert(why);
}

/** The verdict on a rule or group that is not in the Cloudflare package; undefined: it is in it. */
export function decideOutside(
  context: ReadContext,
  setting: Setting,
  {
    what,
    packageId,
    owaspOff,
  }: {
    readonly what: 'rule' | 'group';
    readonly packageId?: string | undefined;
    readonly owaspOff: boolean;
  },
): Verdict | undefined {
  if (setting.package === 'owasp') {
    if (owaspOff) return inert('the OWASP package is off');
    // spec: "Other mapping rules"
    const why = `the ${what}s of the previous OWASP package have no equivalent in the new one`;
    const remedy =
      'set a category or rule override in the OWASP ruleset by hand, where it is needed';
    return { kind: 'unknown', why, remedy };
  }
  if (setting.package === 'user') {
    const why = `the ${what} belongs to the rules that Cloudflare wrote for this customer`;
    const remedy = 'ask Cloudflare what became of it, or write it as a custom rule';
    return { kind: 'unknown', why, remedy };
  }
  if (setting.package === 'cloudflare') return undefined;
  if (packageId !== undefined) return refusePackage(context, setting, packageId);
  if (what === 'rule') return undefined;
  const why = `no source knows a group "${setting.subject}"`;
  const remedy = 'check the id, or state the group in a file for --catalogue (docs/catalogue.md)';
  return context.refuse('UNKNOWN_GROUP', setting, why, remedy);
}

/** The verdict on a package that is neither of the two that every zone has, nor named by the zone. */
export function refusePackage(context: ReadContext, setting: Setting, packageId: string): Verdict {
  const why = `no source says what package "${packageId}" is`;
  const remedy = 'look the package up in the dashboard, or read the state with its data sources';
  return context.refuse('UNKNOWN_PACKAGE', setting, why, remedy);
}

/** The reason for a group without rules that Cloudflare ever switched off. */
export const NO_RULES = 'it has no rules that could be switched off';

/** What of a group cannot be carried, in words; undefined: nothing. `left`: rules without a new one. */
export function describeMissing(
  { ids, complete, total }: Members,
  left: readonly string[],
): string | undefined {
  const parts: string[] = [];
  if (!complete && ids.length === 0) parts.push('none of its rules is known');
  else if (!complete) {
    const named = ids.length === 1 ? '1 of its rules is' : `${ids.length} of its rules are`;
    const of = total === undefined ? 'it may have more' : `it has ${total}`;
    parts.push(`${named} named by some source, and ${of}`);
  }
  if (left.length > 0) parts.push(`no new rule can be named for ${listed(left)}`);
  return parts.length === 0 ? undefined : parts.join('; ');
}
