import { decideGroup, decideRule, offWithGroup } from './decide-rules';
import { agree, type GeneralRule, generalRule } from './general-rule';
import { newIds, type OldState, oldStates } from './old-states';
import { listed, type ReadContext, report } from './read-context';
import { type GroupOff } from './read-groups';
import { type RuleOn, type RuleRequest } from './read-rules';

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
