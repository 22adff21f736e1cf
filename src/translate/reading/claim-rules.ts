import { listed } from '../../core/lists';
import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import { describeMissing } from './legacy-index';
import { type ReadContext } from './read-context';
import { decideOutside, type GeneralRules, NEVER_OFF, NO_RULES, refuseMode } from './read-rules';
import {
  inert,
  type LegacyAction,
  readMode,
  type Setting,
  type Verdict,
  type Want,
  wanted,
} from './setting';

/**
 * What an override does to a new rule: `skip` it; set it to its `default`; reset it to what the zone
 * says of it apart from its group (`own`: the override switches the group on); or let it act.
 */
export type ScopeChange = 'skip' | 'default' | 'own' | LegacyAction;

/** Where an override holds, and what holds otherwise. */
export interface Scope {
  /** The requests that its URLs match. */
  readonly expression: string;
  /** Those of them that the WAF runs for. */
  readonly within: string;
  readonly general: GeneralRules;
}

/**
 * Decides the rules and groups of one override, and returns what they do to each new rule, without
 * what holds for all requests anyway.
 */
export function claimRules(
  context: ReadContext,
  rules: readonly Setting[],
  groups: readonly Setting[],
  scope: Scope,
): ReadonlyMap<string, ScopeChange> {
  const claims = new Map<string, ScopeChange>();
  const switchedOn = new Set(
    groups
      .filter(({ value }) => readMode(value) === 'default')
      .flatMap(({ subject }) => context.index.membersOf(subject).ids),
  );
  for (const setting of rules) {
    const isOff =
      scope.general.offWithGroup.has(setting.subject) && !switchedOn.has(setting.subject);
    context.decide(setting, claimRule(context, claims, setting, scope, isOff));
  }
  const named = new Set(rules.map(({ subject }) => subject));
  for (const setting of groups) {
    context.decide(setting, claimGroup(context, claims, setting, scope, named));
  }
  return new Map([...claims].filter(([id, change]) => !holdsAnyway(id, change, scope)));
}

/** @param isOff whether the group of the rule is off here too */
function claimRule(
  context: ReadContext,
  claims: Map<string, ScopeChange>,
  setting: Setting,
  scope: Scope,
  isOff: boolean,
): Verdict {
  const { subject, value } = setting;
  const meaning = readMode(value);
  if (meaning === undefined) return refuseMode(context, setting);
  const outside = decideOutside(context, setting, 'rule');
  if (outside !== undefined) return outside;
  if (meaning === 'off' && NEVER_DISABLED.has(subject)) return NEVER_OFF;
  if (isOff) return inert('its group is off, and a rule only counts if its group is on');
  const answer = context.successorOf(subject);
  if (answer.kind === 'unknown') return context.refuseUnresolved(setting, answer, meaning);
  const change = meaning === 'off' ? 'skip' : meaning;
  const conflicts = answer.ids.filter((id) => (claims.get(id) ?? change) !== change);
  if (conflicts.length > 0) {
    const why = `another rule of this override has the same replacement, ${listed(conflicts)}, and a different mode`;
    const remedy = 'decide what the new rule does for these URLs, and add it by hand';
    return context.refuse('ONE_NEW_RULE_FOR_SEVERAL', setting, why, remedy);
  }
  for (const id of answer.ids) claims.set(id, change);
  const wants = wantsOf(answer.ids, change, scope);
  return wants.length > 0 ? wanted(wants) : inert('it already applies to all requests');
}

/** @param named the rules that the override names itself */
function claimGroup(
  context: ReadContext,
  claims: Map<string, ScopeChange>,
  setting: Setting,
  scope: Scope,
  named: ReadonlySet<string>,
): Verdict {
  const { subject: groupId, value, from, attribute } = setting;
  const meaning = readMode(value);
  if (meaning === undefined) return refuseMode(context, setting);
  const outside = decideOutside(context, setting, 'group');
  if (outside !== undefined) return outside;
  if (meaning !== 'default' && meaning !== 'off') {
    const why = `it is not documented what "${value}" does to rules of the group that are off by default`;
    const remedy = 'override the rules of the group for these URLs by hand, if you need them';
    return context.refuse('GROUP_ACTION_UNCLEAR', setting, why, remedy);
  }
  const members = context.index.membersOf(groupId);
  const name = setting.title ?? groupId;
  const change = meaning === 'off' ? 'skip' : 'own';
  if (change === 'own' && !members.ids.some((id) => scope.general.offWithGroup.has(id))) {
    return inert('the group is on for all requests');
  }
  const ids: string[] = [];
  const left: string[] = [];
  for (const legacyId of members.ids) {
    if (named.has(legacyId)) continue;
    const answer = context.successorOf(legacyId);
    const free =
      answer.kind === 'known' && answer.ids.every((id) => (claims.get(id) ?? change) === change);
    if (free) ids.push(...answer.ids);
    else left.push(legacyId);
  }
  for (const id of ids) claims.set(id, change);
  const wants = wantsOf(ids, change, scope);
  const missing = describeMissing(members, left);
  if (missing !== undefined) {
    const remedy = 'add the other rules of the group for these URLs by hand';
    const message = `group ${name}: ${missing}`;
    const place = `${from}.${attribute}`;
    context.report('decision', 'GROUP_MEMBERS_UNKNOWN', place, message, remedy);
    return wants.length > 0 ? wanted(wants, missing) : { kind: 'unknown', why: missing, remedy };
  }
  if (wants.length > 0) return wanted(wants);
  if (ids.length > 0) return inert('it already applies to all requests');
  return inert(
    members.ids.length === 0 ? NO_RULES : `the override names every rule of ${name} itself`,
  );
}

function wantsOf(
  ids: readonly string[],
  change: ScopeChange,
  { expression, within, general }: Scope,
): Want[] {
  return ids
    .filter((id) => !holdsAnyway(id, change, { general }))
    .map((id): Want => {
      if (change === 'skip') return { kind: 'skip', rules: { id }, expression };
      const action = change === 'own' ? general.rules.get(id)?.own?.action : change;
      return action === undefined || action === 'default'
        ? { kind: 'rule-default', id, within }
        : { kind: 'rule-acts', id, action, within };
    });
}

/** Whether the general rule already does what a change does to a new rule. */
function holdsAnyway(
  id: string,
  change: ScopeChange,
  { general }: Pick<Scope, 'general'>,
): boolean {
  const rule = general.rules.get(id);
  if (change === 'default') return rule === undefined;
  // it is off with its group
  return change === 'own' && (rule === undefined || rule.own?.enabled === false);
}
