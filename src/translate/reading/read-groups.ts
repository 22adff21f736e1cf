import { type GroupSetting } from '../legacy-settings';
import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import { byPlace, type Members } from './legacy-index';
import { listed, type ReadContext, report } from './read-context';
import { owaspVerdict, unknownPackageVerdict, userVerdict } from './read-rules';
import { type Setting, settingFacts, type Verdict } from './setting';

/** A group of the Cloudflare package that is off, with the rules that are known to be in it. */
export interface GroupOff {
  readonly setting: Setting;
  readonly groupId: string;
  readonly name: string;
  readonly members: Members;
}

/** Reads the groups. Those that are off and have known rules are returned. */
export function readGroups(context: ReadContext, owaspOff: boolean): GroupOff[] {
  const off: GroupOff[] = [];
  const byId = new Map<string, { one: GroupSetting; setting: Setting }[]>();
  for (const one of byPlace(context.old.groups)) {
    const { from, groupId: subject, mode: value } = one;
    const kind = context.index.kindOfGroup(subject, one.packageId);
    const setting = context.ledger.add({
      kind: 'group',
      from,
      attribute: 'mode',
      subject,
      value,
      ...settingFacts(kind, context.index.groupName(subject)),
    });
    const same = byId.get(subject);
    if (same === undefined) byId.set(subject, [{ one, setting }]);
    else same.push({ one, setting });
  }
  for (const [groupId, same] of byId) {
    const modes = new Set(same.map(({ one }) => one.mode));
    if (modes.has('on') && modes.has('off')) {
      decideContradiction(context, groupId, same);
      continue;
    }
    for (const { one, setting } of same) {
      const verdict = readGroup(context, one, owaspOff);
      if (verdict === undefined) off.push(groupOff(context, one, setting));
      else context.ledger.decide(setting, verdict);
    }
  }
  return off;
}

/** The verdict on a group; undefined for one that is off and whose rules have to be found. */
function readGroup(
  context: ReadContext,
  one: GroupSetting,
  owaspOff: boolean,
): Verdict | undefined {
  const { from, groupId, packageId, mode } = one;
  if (mode !== 'on' && mode !== 'off') {
    const why = `the mode "${mode}" is not known`;
    const remedy = 'look the group up in the dashboard, and override its new rules by hand';
    report(context, 'decision', 'UNKNOWN_MODE', from, why, remedy);
    return { kind: 'unknown', why, remedy };
  }
  if (mode === 'on') return { kind: 'inert', why: 'on is what a group is without a setting' };
  const kind = context.index.kindOfGroup(groupId, packageId);
  if (kind === 'owasp') return owaspVerdict(owaspOff, 'group');
  if (kind === 'user') return userVerdict('group');
  if (kind === 'cloudflare') return undefined;
  if (packageId !== undefined) return unknownPackageVerdict(context, from, packageId);
  const why = `no source knows a group "${groupId}"`;
  const remedy = 'check the id, or state the group in a file for --catalogue (docs/catalogue.md)';
  report(context, 'decision', 'UNKNOWN_GROUP', from, why, remedy);
  return { kind: 'unknown', why, remedy };
}

function groupOff(context: ReadContext, { groupId }: GroupSetting, setting: Setting): GroupOff {
  return { setting, ...knownGroup(context, groupId) };
}

/** A group's name and its rules, without those that nobody could switch off. */
export function knownGroup(context: ReadContext, groupId: string): Omit<GroupOff, 'setting'> {
  const members = context.index.membersOf(groupId);
  const ids = members.ids.filter((id) => !NEVER_DISABLED.has(id));
  const name = context.index.groupName(groupId) ?? groupId;
  return { groupId, name, members: { ...members, ids } };
}

function decideContradiction(
  context: ReadContext,
  groupId: string,
  same: readonly { one: GroupSetting; setting: Setting }[],
): void {
  const why = `group ${groupId} is both on and off in ${listed(same.map(({ one }) => one.from))}`;
  const remedy = 'keep the one that holds in the zone, then translate again';
  for (const { one, setting } of same) {
    context.ledger.decide(setting, { kind: 'unknown', why, remedy });
    report(context, 'decision', 'CONTRADICTING_SETTINGS', one.from, why, remedy);
  }
}

/** Said of a group that has no rules, or those alone that Cloudflare never switched off. */
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
