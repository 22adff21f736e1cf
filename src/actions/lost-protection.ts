import {
  actingDeploymentsOf,
  type Deployment,
  deploymentsOf,
  findSwitchedOff,
} from '../generate/find-switched-off';
import { normaliseRuleset } from '../generate/normalise-ruleset';
import { type Finding } from '../model/finding';
import { type Ruleset } from '../model/ruleset';
import { managedRulesetOff, newRulesLog } from './entry-point-findings';

/** Managed rulesets that act or log today, by proposal or as they stand, and would do less. */
export function lostProtection(
  proposed: Ruleset,
  standing: Ruleset | undefined,
  after: Ruleset,
): Finding[] {
  const declared = normaliseRuleset(after).ruleset;
  const before = [proposed, ...(standing === undefined ? [] : [standing])].map(
    (one) => normaliseRuleset(one).ruleset,
  );
  const missing = (deployments: typeof deploymentsOf): Map<string, Deployment> => {
    const found = findSwitchedOff(before.flatMap(deployments), deployments(declared));
    return new Map(found.map((one) => [`${one.rulesetId} ${one.expression}`, one]));
  };
  const off = missing(deploymentsOf);
  const tame = [...missing(actingDeploymentsOf)].flatMap(([key, one]) =>
    off.has(key) ? [] : [one],
  );
  return [...[...off.values()].map(managedRulesetOff), ...tame.map(newRulesLog)];
}
