import { type DeclaredRuleset, deployedBy } from '../model/ruleset';
import { type DeploymentEffect, effectOf } from './deployment-effect';
import { asMet, surelySees } from './excepted';

/** A managed ruleset that is on, and the requests that it sees. */
export interface Deployment {
  readonly rulesetId: string;
  /** `true` is every request. */
  readonly expression: string;
}

/** The managed rulesets that a ruleset deploys and has switched on, and leaves some request. */
export function deploymentsOf(ruleset: DeclaredRuleset): Deployment[] {
  return bothDeploymentsOf(ruleset).on;
}

/** {@link deploymentsOf}, and those of them that do more than log. */
export function bothDeploymentsOf({
  rules,
}: DeclaredRuleset): Record<'on' | 'acting', Deployment[]> {
  const met = asMet(rules);
  const deploymentsThat = (are: (effect: DeploymentEffect) => boolean): Deployment[] =>
    met.flatMap((rule) => {
      const rulesetId = deployedBy(rule);
      return rulesetId === undefined || !are(effectOf(rule))
        ? []
        : [{ rulesetId, expression: rule.expression }];
    });
  return {
    on: deploymentsThat((effect) => effect !== 'off'),
    acting: deploymentsThat((effect) => effect === 'acts'),
  };
}

/**
 * The deployments that are on before and not after: those of which it is not sure that what is on
 * after sees the same requests.
 */
export function findSwitchedOff(
  before: readonly Deployment[],
  after: readonly Deployment[],
): Deployment[] {
  return before.filter(
    ({ rulesetId, expression }) =>
      !surelySees(
        after.filter((one) => one.rulesetId === rulesetId).map((one) => one.expression),
        expression,
      ),
  );
}
