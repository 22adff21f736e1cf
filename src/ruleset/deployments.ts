import { type DeclaredRuleset, deployedBy, type RulesetRule, SCORING_RULE } from '../core/ruleset';
import { asMet, surelySees } from './exceptions';
import { OWASP_RULESET } from './known-rulesets';
import { isScoringOff, whyOwaspOff } from './owasp-effect';
import { type ExecuteView, over, viewRuleset } from './view-ruleset';

/** What a deployed managed ruleset does with the requests that it sees. */
export type DeploymentEffect = 'off' | 'logs' | 'acts';

/**
 * What a rule that deploys a managed ruleset does, as far as its overrides say it: those of the whole
 * give way to those of tags and rules. Single rules that are off or log make no whole of it, but for the
 * scoring rule of OWASP. An action of the whole of OWASP that is `log` counts though it was seen not to reach the
 * scoring rule (provider issues 2056, 2287): what may only log is to be told.
 */
export function effectOf(rule: RulesetRule): DeploymentEffect {
  const [execute] = viewRuleset({ rules: [rule] }).executes;
  if (execute?.enabled !== true || isOwaspOff(execute)) return 'off';
  const { all, rules, categories } = execute;
  const on = [...rules, ...categories].filter(([, one]) => over(all, one).enabled !== false);
  const allOff = all.enabled === false;
  if (allOff && on.length === 0) return 'off';
  const logs = on.every(([, one]) => {
    const { action } = over(all, one);
    return action === 'log' || (action === undefined && !allOff);
  });
  const score = rules.get(SCORING_RULE);
  const scoreLogs = score?.action === 'log' && over(all, score).enabled !== false;
  return logs && (allOff || all.action === 'log' || scoreLogs) ? 'logs' : 'acts';
}

/** Whether OWASP surely does nothing: single rules that are switched on count without their levels. */
function isOwaspOff(execute: ExecuteView): boolean {
  if (execute.ruleset !== OWASP_RULESET) return false;
  if (isScoringOff(execute)) return true;
  const countsOne = [...execute.rules].some(([id, { enabled }]) => enabled && id !== SCORING_RULE);
  return !countsOne && whyOwaspOff(execute) !== undefined;
}

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
