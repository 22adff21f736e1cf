import { type RulesetRule } from '../../model/ruleset';
import { type NotProposed, type ProposedChange } from './change';
import { addsRule, refOf } from './own-rules';
import { isSaid } from './overrides';

/** What is proposed, and what is not, with the reason. */
export interface Settled {
  readonly changes: ProposedChange[];
  readonly notProposed: NotProposed[];
}

/**
 * Settles what is wished for one by one: nothing twice, nothing that the configuration has already,
 * and of two actions for the same requests the stricter one.
 * @param rules of the configuration that is changed
 */
export function settleChanges(
  wishes: readonly ProposedChange[],
  rules: readonly RulesetRule[],
): Settled {
  const settled = new Map<string, ProposedChange>();
  const notProposed: NotProposed[] = [];
  const leaveOut = ({ evidence: { ruleId, requests } }: ProposedChange, why: string): void => {
    notProposed.push({ ruleId, requests, why });
  };
  for (const wish of wishes) {
    const stands = standing(wish, rules);
    if (stands !== undefined) {
      leaveOut(wish, stands);
      continue;
    }
    const key = keyOf(wish);
    const rival = settled.get(key);
    if (rival === undefined) {
      settled.set(key, wish);
      continue;
    }
    const [kept, left] = strictness(wish) > strictness(rival) ? [wish, rival] : [rival, wish];
    settled.set(key, together(kept, left));
    leaveOut(left, coveredBy(kept, left));
  }
  return { changes: [...settled.values()], notProposed };
}

/** Changes with one key would stand in one place of the configuration. */
const keyOf = (change: ProposedChange): string =>
  addsRule(change) ? refOf(change) : `${change.rulesetId} ${change.ruleId}`;

/** Why a change is needless in this configuration; undefined where it is none of it. */
function standing(change: ProposedChange, rules: readonly RulesetRule[]): string | undefined {
  if (!addsRule(change)) {
    return isSaid(rules, change)
      ? `the configuration overrides ${change.ruleId} so already: review events of a validation with it`
      : undefined;
  }
  const ref = refOf(change);
  const rule = rules.find((one) => one.ref === ref);
  if (rule === undefined) return undefined;
  return rule.enabled === false
    ? `already proposed, disabled: narrow the rule ${ref} of the configuration, then enable it`
    : `already proposed: the configuration has the rule ${ref}; review events of a validation with it`;
}

const actionOf = (change: ProposedChange): string =>
  'action' in change ? change.action : change.kind;

const strictness = (change: ProposedChange): number => (actionOf(change) === 'block' ? 1 : 0);

/** A rule that takes in another meets the requests of both. */
function together(kept: ProposedChange, left: ProposedChange): ProposedChange {
  return kept.kind === 'custom' && left.kind === 'custom'
    ? { ...kept, covers: kept.covers + left.covers }
    : kept;
}

function coveredBy(kept: ProposedChange, left: ProposedChange): string {
  const whose = `the change for ${kept.evidence.ruleId} holds for these requests as well`;
  return strictness(kept) > strictness(left)
    ? `${whose}; the stricter action wins: ${actionOf(kept)}`
    : whose;
}
