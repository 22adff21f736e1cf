import { type SuccessorAnswer } from '../catalogue/find-successor';
import { type RuleDraft } from './draft';
import { unresolvedVerdict } from './explain-successor';
import { listed, type ReadContext, report } from './read-context';
import { describeMissing, type GroupOff, NO_RULES } from './read-groups';
import { type RuleOn, type RuleRequest } from './read-rules';
import { type LegacyAction, type Verdict, type Want } from './setting';

/** The overrides of the general rule. */
export interface GeneralRules {
  readonly rules: ReadonlyMap<string, GeneralRule>;
  /** Old rules that are off with their group. */
  readonly offWithGroup: ReadonlySet<string>;
}

/**
 * Brings rules and groups together: a rule only counts if its group is on, and two old rules can
 * have become one new rule, which cannot do what both did if they did not do the same. Writes the
 * verdicts on all of them.
 */
export function mergeRules(
  context: ReadContext,
  requests: readonly RuleRequest[],
  groups: readonly GroupOff[],
): GeneralRules {
  const states = oldStates(context, requests, groups);
  const byNew = new Map<string, OldState[]>();
  for (const state of states.values()) {
    for (const id of newIds(state)) {
      const claims = byNew.get(id);
      if (claims === undefined) byNew.set(id, [state]);
      else claims.push(state);
    }
  }
  const rules = new Map<string, GeneralRule>();
  const torn = new Map<string, readonly OldState[]>();
  for (const [id, claims] of byNew) {
    if (agree(claims)) {
      rules.set(id, generalRule(id, claims));
      reportSharers(context, id, claims);
    } else torn.set(id, claims);
  }
  for (const request of requests) {
    context.ledger.decide(request.setting, decideRule(context, request, states, torn));
  }
  for (const group of groups) {
    context.ledger.decide(group.setting, decideGroup(context, group, states, rules));
  }
  return { rules, offWithGroup: new Set(groups.flatMap(({ members }) => members.ids)) };
}

/** Writes the verdicts on rules that are said to be on: in a group that is off, that is a contradiction. */
export function decideRulesOn(
  context: ReadContext,
  rules: readonly RuleOn[],
  groups: readonly GroupOff[],
): void {
  for (const { setting, verdict } of rules) {
    const group = groups.find(({ members }) => members.ids.includes(setting.subject));
    const said = group === undefined ? verdict : offWithGroup(context, group, setting.from);
    context.ledger.decide(setting, said);
  }
}

/** Old rules that nobody set, but that became the same new rule, change with the others. */
function reportSharers(context: ReadContext, id: string, claims: readonly OldState[]): void {
  const said = new Set(claims.map(({ legacyId }) => legacyId));
  const silent = context.oldRulesOf(id).filter((legacyId) => !said.has(legacyId));
  if (silent.length === 0) return;
  const [first] = claims;
  report(
    context,
    'decision',
    'NEW_RULE_SHARED',
    first?.request?.setting.from ?? first?.group?.setting.from ?? context.old.zoneId,
    `the new rule ${id} takes the place of ${listed([...said])}, which is set here, and of ${listed(silent)}, which is not`,
    'check that the override may hold for all of them',
  );
}

/** What becomes of the setting of a rule. */
function decideRule(
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
function offWithGroup(context: ReadContext, group: GroupOff, from: string): Verdict {
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
function decideGroup(
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

/** What the settings ask of one old rule, the state of its group included. */
interface OldState {
  readonly legacyId: string;
  readonly request: RuleRequest | undefined;
  readonly group: GroupOff | undefined;
  readonly enabled: boolean;
  readonly action: LegacyAction | undefined;
  readonly answer: SuccessorAnswer;
}

/** What becomes of each old rule that is set, or whose group is off, by its id. */
function oldStates(
  context: ReadContext,
  requests: readonly RuleRequest[],
  groups: readonly GroupOff[],
): Map<string, OldState> {
  const groupOf = new Map<string, GroupOff>();
  for (const group of groups) for (const id of group.members.ids) groupOf.set(id, group);
  const states = new Map<string, OldState>();
  const add = (legacyId: string, request: RuleRequest | undefined): void => {
    const group = groupOf.get(legacyId);
    const meaning = request?.meaning;
    states.set(legacyId, {
      legacyId,
      request,
      group,
      enabled: group === undefined && meaning?.kind !== 'off',
      action: meaning?.kind === 'act' ? meaning.action : undefined,
      answer: context.successorOf(legacyId),
    });
  };
  for (const request of requests) add(request.legacyId, request);
  for (const id of groupOf.keys()) if (!states.has(id)) add(id, undefined);
  return states;
}

/** The new rules that an old one became; none where that is not known. */
function newIds({ answer }: OldState): readonly string[] {
  return answer.kind === 'known' ? answer.ids : [];
}

/** What the zone says of one new rule. */
interface GeneralRule {
  readonly draft: RuleDraft;
  /** What it would say if the group of the old rule were on; undefined: nothing. */
  readonly own: RuleDraft | undefined;
}

/** Of the old rules that became it, and agree. */
function generalRule(id: string, claims: readonly OldState[]): GeneralRule {
  const action = claims.find((claim) => claim.action !== undefined)?.action;
  const asked = claims.find(({ request }) => request !== undefined)?.request?.meaning;
  return {
    draft: { id, enabled: claims.every(({ enabled }) => enabled), action },
    own: asked === undefined ? undefined : { id, enabled: asked.kind !== 'off', action },
  };
}

/** Whether one new rule can do what several old ones did. */
function agree(claims: readonly OldState[]): boolean {
  const [first] = claims;
  return claims.every(
    ({ enabled, action }) => enabled === first?.enabled && (!enabled || action === first.action),
  );
}
