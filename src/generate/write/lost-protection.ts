import { bothDeploymentsOf, type Deployment, findSwitchedOff } from '../../ruleset/deployments';
import { normaliseRuleset } from '../../ruleset/normalise-ruleset';
import { type Finding } from '../../core/finding';
import { type Ruleset } from '../../core/ruleset';
import { managedRulesetOff, newRulesLog } from './entry-point-findings';

/** Managed rulesets that act or log today, by proposal or as they stand, and would do less. */
export function lostProtection(
  proposed: Ruleset,
  standing: Ruleset | undefined,
  after: Ruleset,
): Finding[] {
  const deployed = (one: Ruleset) => bothDeploymentsOf(normaliseRuleset(one).ruleset);
  const now = deployed(after);
  const before = [proposed, ...(standing === undefined ? [] : [standing])].map(deployed);
  const missing = (which: 'on' | 'acting'): Map<string, Deployment> => {
    const found = findSwitchedOff(
      before.flatMap((one) => one[which]),
      now[which],
    );
    return new Map(found.map((one) => [`${one.rulesetId} ${one.expression}`, one]));
  };
  const off = missing('on');
  const tame = [...missing('acting')].flatMap(([key, one]) => (off.has(key) ? [] : [one]));
  return [...[...off.values()].map(managedRulesetOff), ...tame.map(newRulesLog)];
}
