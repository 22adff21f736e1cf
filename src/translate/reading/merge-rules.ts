import { groupBy, listed } from '../../core/lists';
import { type RuleDraft } from '../build-ruleset';
import { type SuccessorAnswer } from '../catalogue/find-successor';
import { type ReadContext } from './read-context';
import {
  describeMissing,
  type GroupOff,
  NO_RULES,
  offWithGroup,
  type RuleReading,
  type RuleRequest,
} from './read-rules';
import {
  actionOf,
  inert,
  type LegacyAction,
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
  readonly rules: ReadonlyMap<string, GeneralRule>;
  /** Legacy rules that are off with their group. */
  readonly offWithGroup: ReadonlySet<string>;
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

/**
 * Merges rules and groups: a rule only counts if its group is on, and two legacy rules can have become
 * one new rule, which can do what both did only if they did the same. Decides all of them.
 */
export function mergeRules(
  context: ReadContext,
  { requests, groupsOff }: RuleReading,
): GeneralRules {
  const states = ruleStates(context, requests, groupsOff);
  const pairs = [...states.values()].flatMap((state) => newIds(state).map((id) => ({ id, state })));
  const rules = new Map<string, GeneralRule>();
  const conflicts = new Map<string, readonly RuleState[]>();
  for (const [id, claims] of groupBy(pairs, (pair) => pair.id)) {
    const all = claims.map(({ state }) => state);
    const [first, ...others] = all;
    if (first !== undefined && others.every((other) => agree(first, other))) {
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

/** The new rules that a legacy one became; none where that is not known. */
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
  const [first] = claims;
  const { setting } = first?.request ?? first?.group ?? {};
  context.report(
    'decision',
    'NEW_RULE_SHARED',
    setting?.from ?? context.legacy.zoneId,
    `the new rule ${id} takes the place of ${listed([...set])}, which is set here, and of ${listed(unset)}, which is not`,
    'check that the override may hold for all of them',
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
  const why = `several old rules became one new rule, and are set differently: ${listed(asked)}`;
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
  const remedy = `switch off what is left of ${name} in the new ruleset by hand, rule by rule; a category override would also catch the rules that are added later`;
  const message = `group ${name} is off: ${missing}`;
  context.report('decision', 'GROUP_MEMBERS_UNKNOWN', setting.from, message, remedy);
  return wants.length > 0 ? wanted(wants, missing) : { kind: 'unknown', why: missing, remedy };
}
