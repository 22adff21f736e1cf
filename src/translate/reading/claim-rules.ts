import { NEVER_DISABLED } from '../known-ids';
import { unresolvedVerdict } from './explain-successor';
import { type GeneralRules } from './merge-rules';
import { type Meaning, readMode } from './modes';
import { listed, type ReadContext, report } from './read-context';
import { describeMissing, knownGroup, NO_RULES } from './read-groups';
import { otherPackage, owaspVerdict, userVerdict } from './read-rules';
import { type ScopeChange, type ScopeClaim } from './scope';
import { type Setting, type Verdict } from './verdict';

/** What the entries of one override ask for, as it is collected. */
export interface Claims {
  readonly byNew: Map<string, ScopeClaim>;
  readonly missing: Map<Setting, string>;
  readonly general: GeneralRules;
  readonly owaspOff: boolean;
}

/** Reads the entry of one rule. `covered`: the rules of groups that the override switches on. */
export function claimRule(
  context: ReadContext,
  claims: Claims,
  setting: Setting,
  covered: ReadonlySet<string>,
): void {
  const { from, subject: ruleId, value } = setting;
  const meaning = readMode(value);
  const decide = (verdict: Verdict): void => {
    context.ledger.decide(setting, verdict);
  };
  if (meaning === undefined) {
    decide(unknownMode(context, setting));
    return;
  }
  const place = {
    from: `${from}.${setting.attribute}`,
    ruleId,
    packageId: undefined,
    groupId: undefined,
  };
  const other = otherPackage(context, place, claims.owaspOff);
  if (other !== undefined) {
    decide(other);
    return;
  }
  if (meaning.kind === 'off' && NEVER_DISABLED.has(ruleId)) {
    decide({ kind: 'inert', why: 'Cloudflare never switched this rule off' });
    return;
  }
  if (claims.general.offWithGroup.has(ruleId) && !covered.has(ruleId)) {
    decide({ kind: 'inert', why: 'its group is off, and a rule only counts if its group is on' });
    return;
  }
  const answer = context.successorOf(ruleId);
  if (answer.kind !== 'known') {
    decide(unresolvedVerdict(context, place.from, ruleId, answer, meaning));
    return;
  }
  const change = changeOf(meaning);
  const torn = answer.ids.filter((id) => (claims.byNew.get(id)?.change ?? change) !== change);
  if (torn.length > 0) {
    const why = `another rule of this override became the same new rule, ${listed(torn)}, and is set differently`;
    const remedy = 'decide what the new rule does for these URLs, and write it by hand';
    report(context, 'decision', 'ONE_NEW_RULE_FOR_SEVERAL', place.from, why, remedy);
    decide({ kind: 'unknown', why, remedy });
    return;
  }
  for (const id of answer.ids) addClaim(claims, id, change, setting);
}

/** Reads the entry of one group. `named`: the rules that the override names by themselves. */
export function claimGroup(
  context: ReadContext,
  claims: Claims,
  setting: Setting,
  named: ReadonlySet<string>,
): void {
  const refusal = refuseGroup(context, claims, setting);
  if (refusal !== undefined) {
    context.ledger.decide(setting, refusal);
    return;
  }
  const { subject: groupId, from, attribute } = setting;
  const { name, members } = knownGroup(context, groupId);
  const change: ScopeChange = readMode(setting.value)?.kind === 'off' ? 'skip' : 'own';
  const ids: string[] = [];
  const left: string[] = [];
  for (const legacyId of members.ids) {
    if (named.has(legacyId)) continue;
    const answer = context.successorOf(legacyId);
    const free =
      answer.kind === 'known' &&
      answer.ids.every((id) => (claims.byNew.get(id)?.change ?? change) === change);
    if (free) ids.push(...answer.ids);
    else left.push(legacyId);
  }
  // a group that is on anyway is only kept on, against overrides that give way to this one
  const isOff = members.ids.some((id) => claims.general.offWithGroup.has(id));
  if (change === 'own' && !isOff) {
    if (ids.length === 0) context.ledger.decide(setting, { kind: 'inert', why: ON_ANYWAY });
    for (const id of ids) addClaim(claims, id, change, setting);
    return;
  }
  const missing = describeMissing(members, left);
  const remedy = 'write the rest of the group for these URLs by hand';
  if (missing !== undefined) {
    const message = `group ${name}: ${missing}`;
    report(context, 'decision', 'GROUP_MEMBERS_UNKNOWN', `${from}.${attribute}`, message, remedy);
  }
  if (ids.length > 0) {
    if (missing !== undefined) claims.missing.set(setting, missing);
    for (const id of ids) addClaim(claims, id, change, setting);
    return;
  }
  const said =
    members.ids.length === 0 ? NO_RULES : `the override names every rule of ${name} itself`;
  context.ledger.decide(
    setting,
    missing === undefined
      ? { kind: 'inert', why: said }
      : { kind: 'unknown', why: missing, remedy },
  );
}

const ON_ANYWAY = 'the group is on for all requests';

function refuseGroup(context: ReadContext, claims: Claims, setting: Setting): Verdict | undefined {
  const { subject: groupId, value, from, attribute } = setting;
  const meaning = readMode(value);
  if (meaning === undefined) return unknownMode(context, setting);
  const kind = context.index.kindOfGroup(groupId, undefined);
  if (kind === 'owasp') return owaspVerdict(claims.owaspOff, 'group');
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

function addClaim({ byNew }: Claims, id: string, change: ScopeChange, setting: Setting): void {
  const settings = byNew.get(id)?.settings ?? [];
  byNew.set(id, { change, settings: [...settings, setting] });
}
