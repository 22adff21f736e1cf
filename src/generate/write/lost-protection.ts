import { type Deployment, deploymentsOf, findSwitchedOff } from '../../ruleset/deployments';
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
  const deployed = (one: Ruleset): Deployment[] =>
    deploymentsOf(normaliseRuleset(one).ruleset.rules);
  const now = deployed(after);
  const before = [proposed, ...(standing === undefined ? [] : [standing])].flatMap(deployed);
  const missing = (counts: (one: Deployment) => boolean): Map<string, Deployment> =>
    new Map(
      findSwitchedOff(before.filter(counts), now.filter(counts)).map((one) => [
        `${one.rulesetId} ${one.expression}`,
        one,
      ]),
    );
  const off = missing(({ effect }) => effect !== 'off');
  const onlyLogging = [...missing(({ effect }) => effect === 'acts')].flatMap(([key, one]) =>
    off.has(key) ? [] : [one],
  );
  return [...[...off.values()].map(managedRulesetOff), ...onlyLogging.map(newRulesLog)];
}
