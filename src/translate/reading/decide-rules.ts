import { unresolvedVerdict } from './explain-successor';
import { type GeneralRule } from './general-rule';
import { newIds, type OldState } from './old-states';
import { listed, type ReadContext, report } from './read-context';
import { describeMissing, type GroupOff, NO_RULES } from './read-groups';
import { type RuleRequest } from './read-rules';
import { type Verdict, type Want } from './verdict';

/** What becomes of the setting of a rule. */
export function decideRule(
  context: ReadContext,
  { setting, legacyId, meaning }: RuleRequest,
  states: ReadonlyMap<string, OldState>,
  torn: ReadonlyMap<string, readonly OldState[]>,
): Verdict {
  const state = states.get(legacyId);
  if (state?.group !== undefined) return offWithGroup(context, state.group, setting.from);
  const answer = context.successorOf(legacyId);
  if (answer.kind !== 'known') {
    return unresolvedVerdict(context, setting.from, legacyId, answer, meaning);
  }
  const claims = answer.ids.flatMap((id) => torn.get(id) ?? []);
  if (claims.length > 0) return tornVerdict(context, setting.from, claims);
  const wants = answer.ids.map((id): Want =>
    meaning.kind === 'act'
      ? { kind: 'rule-acts', id, action: meaning.action }
      : { kind: 'rule-off', id },
  );
  return { kind: 'wanted', wants };
}

/** Of a rule whose group is off. */
export function offWithGroup(context: ReadContext, group: GroupOff, from: string): Verdict {
  const why = `its group ${group.name} is off (${group.setting.from}), and a rule only counts if its group is on`;
  const remedy = 'nothing, or switch the new rule on if the group was not meant to cover it';
  report(context, 'info', 'RULE_IN_GROUP_OFF', from, why, remedy);
  return { kind: 'inert', why };
}

function tornVerdict(context: ReadContext, from: string, claims: readonly OldState[]): Verdict {
  const said = claims.map(
    ({ legacyId, enabled, action }) => `${legacyId} ${enabled ? (action ?? 'default') : 'off'}`,
  );
  const why = `several old rules became one new rule, and are set differently: ${listed(said)}`;
  const remedy = 'decide what the new rule does, and override it by hand';
  report(context, 'decision', 'ONE_NEW_RULE_FOR_SEVERAL', from, why, remedy);
  return { kind: 'unknown', why, remedy };
}

/** What becomes of a group that is off. */
export function decideGroup(
  context: ReadContext,
  { setting, name, members }: GroupOff,
  states: ReadonlyMap<string, OldState>,
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
  const remedy = `switch off what is left of ${name} in the new ruleset by hand, rule by rule; a category override would also catch the rules that are added later`;
  if (missing !== undefined) {
    const message = `group ${name} is off: ${missing}`;
    report(context, 'decision', 'GROUP_MEMBERS_UNKNOWN', setting.from, message, remedy);
  }
  if (wants.length > 0) {
    return { kind: 'wanted', wants, ...(missing === undefined ? {} : { missing }) };
  }
  if (missing !== undefined) return { kind: 'unknown', why: missing, remedy };
  return { kind: 'inert', why: NO_RULES };
}
