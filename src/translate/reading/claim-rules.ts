import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import { unresolvedVerdict } from './explain-successor';
import { type GeneralRules } from './merge-rules';
import {
  type Meaning,
  type LegacyAction,
  readMode,
  type Setting,
  type Verdict,
  type Want,
} from './setting';
import { listed, type ReadContext, report } from './read-context';
import { describeMissing, knownGroup, NO_RULES } from './read-groups';
import { otherPackage, owaspVerdict, userVerdict } from './read-rules';

/**
 * What an override makes of a new rule: `skip` it; set it to its `default`; put it back to what the
 * zone says of it apart from its group (`own`: the group is on there); or let it act.
 */
export type ScopeChange = 'skip' | 'default' | 'own' | LegacyAction;

/** Where an override holds, and what holds otherwise. */
export interface Scope {
  /** The requests that its URLs match. */
  readonly expression: string;
  /** Of those, the requests that there is a WAF for. */
  readonly within: string;
  readonly general: GeneralRules;
  readonly owaspOff: boolean;
}

/**
 * Decides the entries of one override, and returns what they make of each new rule: what holds for all
 * requests anyway is left out.
 */
export function readClaims(
  context: ReadContext,
  rules: readonly Setting[],
  groups: readonly Setting[],
  scope: Scope,
): ReadonlyMap<string, ScopeChange> {
  const claims = new Map<string, ScopeChange>();
  const covered = new Set(
    groups
      .filter(({ value }) => readMode(value)?.kind === 'default')
      .flatMap(({ subject }) => context.index.membersOf(subject).ids),
  );
  for (const setting of rules) {
    context.ledger.decide(setting, claimRule(context, claims, setting, scope, covered));
  }
  const named = new Set(rules.map(({ subject }) => subject));
  for (const setting of groups) {
    context.ledger.decide(setting, claimGroup(context, claims, setting, scope, named));
  }
  return new Map([...claims].filter(([id, change]) => !holdsAnyway(id, change, scope)));
}

/** @param covered the rules of groups that the override switches on */
function claimRule(
  context: ReadContext,
  claims: Map<string, ScopeChange>,
  setting: Setting,
  scope: Scope,
  covered: ReadonlySet<string>,
): Verdict {
  const { subject: ruleId, value } = setting;
  const meaning = readMode(value);
  if (meaning === undefined) return unknownMode(context, setting);
  const from = `${setting.from}.${setting.attribute}`;
  const place = { from, ruleId, packageId: undefined, groupId: undefined };
  const other = otherPackage(context, place, scope.owaspOff);
  if (other !== undefined) return other;
  if (meaning.kind === 'off' && NEVER_DISABLED.has(ruleId)) {
    return { kind: 'inert', why: 'Cloudflare never switched this rule off' };
  }
  if (scope.general.offWithGroup.has(ruleId) && !covered.has(ruleId)) {
    return { kind: 'inert', why: 'its group is off, and a rule only counts if its group is on' };
  }
  const answer = context.successorOf(ruleId);
  if (answer.kind !== 'known') {
    return unresolvedVerdict(context, from, ruleId, answer, meaning);
  }
  const change = changeOf(meaning);
  const torn = answer.ids.filter((id) => (claims.get(id) ?? change) !== change);
  if (torn.length > 0) {
    const why = `another rule of this override became the same new rule, ${listed(torn)}, and is set differently`;
    const remedy = 'decide what the new rule does for these URLs, and write it by hand';
    report(context, 'decision', 'ONE_NEW_RULE_FOR_SEVERAL', from, why, remedy);
    return { kind: 'unknown', why, remedy };
  }
  for (const id of answer.ids) claims.set(id, change);
  return wanted(answer.ids, change, scope);
}

/** @param named the rules that the override names by themselves */
function claimGroup(
  context: ReadContext,
  claims: Map<string, ScopeChange>,
  setting: Setting,
  scope: Scope,
  named: ReadonlySet<string>,
): Verdict {
  const refusal = refuseGroup(context, scope, setting);
  if (refusal !== undefined) return refusal;
  const { subject: groupId, from, attribute } = setting;
  const { name, members } = knownGroup(context, groupId);
  const change = readMode(setting.value)?.kind === 'off' ? 'skip' : 'own';
  if (change === 'own' && !members.ids.some((id) => scope.general.offWithGroup.has(id))) {
    return { kind: 'inert', why: 'the group is on for all requests' };
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
  const missing = describeMissing(members, left);
  const remedy = 'write the rest of the group for these URLs by hand';
  if (missing !== undefined) {
    const message = `group ${name}: ${missing}`;
    report(context, 'decision', 'GROUP_MEMBERS_UNKNOWN', `${from}.${attribute}`, message, remedy);
  }
  if (ids.length > 0) return wanted(ids, change, scope, missing);
  if (missing !== undefined) return { kind: 'unknown', why: missing, remedy };
  const all = `the override names every rule of ${name} itself`;
  return { kind: 'inert', why: members.ids.length === 0 ? NO_RULES : all };
}

function refuseGroup(context: ReadContext, scope: Scope, setting: Setting): Verdict | undefined {
  const { subject: groupId, value, from, attribute } = setting;
  const meaning = readMode(value);
  if (meaning === undefined) return unknownMode(context, setting);
  const kind = context.index.kindOfGroup(groupId, undefined);
  if (kind === 'owasp') return owaspVerdict(scope.owaspOff, 'group');
  if (kind === 'user') return userVerdict('group');
  const remedy = 'override the rules of the group that matter for these URLs by hand';
  if (kind === undefined) {
    const why = `no source knows a group "${groupId}"`;
    report(context, 'decision', 'UNKNOWN_GROUP', `${from}.${attribute}`, why, remedy);
    return { kind: 'unknown', why, remedy };
  }
  if (meaning.kind !== 'act') return undefined;
  const why = `it is not documented what "${value}" makes of those rules of a group that are off by default`;
  report(context, 'decision', 'GROUP_ACTION_UNCLEAR', `${from}.${attribute}`, why, remedy);
  return { kind: 'unknown', why, remedy };
}

function unknownMode(context: ReadContext, { from, attribute, value }: Setting): Verdict {
  const why = `the mode "${value}" is not known`;
  const remedy = 'look the override up, and write its counterpart by hand';
  report(context, 'decision', 'UNKNOWN_MODE', `${from}.${attribute}`, why, remedy);
  return { kind: 'unknown', why, remedy };
}

function changeOf(meaning: Meaning): ScopeChange {
  if (meaning.kind === 'act') return meaning.action;
  return meaning.kind === 'off' ? 'skip' : 'default';
}

/** @param missing what of the setting is not carried */
function wanted(
  ids: readonly string[],
  change: ScopeChange,
  scope: Scope,
  missing?: string,
): Verdict {
  const wants = ids
    .filter((id) => !holdsAnyway(id, change, scope))
    .map((id) => wantOf(id, change, scope));
  if (wants.length > 0) return { kind: 'wanted', wants, ...(missing && { missing }) };
  const remedy = 'write the rest for these URLs by hand';
  return missing === undefined
    ? { kind: 'inert', why: 'it is what holds for all requests' }
    : { kind: 'unknown', why: missing, remedy };
}

function wantOf(id: string, change: ScopeChange, { expression, within, general }: Scope): Want {
  if (change === 'skip') return { kind: 'skip', rules: { id }, expression };
  const action = change === 'own' ? general.rules.get(id)?.own?.action : change;
  return action === undefined || action === 'default'
    ? { kind: 'rule-default', id, within }
    : { kind: 'rule-acts', id, action, within };
}

/** Whether the general rule already does what a change makes of a new rule. */
function holdsAnyway(id: string, change: ScopeChange, { general }: Scope): boolean {
  const rule = general.rules.get(id);
  if (change === 'default') return rule === undefined;
  // it is off with its group
  return change === 'own' && (rule === undefined || rule.own?.enabled === false);
}
