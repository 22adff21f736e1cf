import { type RulesetRule, SCORING_RULE } from '../core/ruleset';
import { sameExpression, surelyWithin } from './compare-expressions';
import { OWASP_RULESET } from './known-rulesets';
import { isScoringOff, whyOwaspOff } from './owasp-levels';
import { exceptionsBefore, type ExecuteView, over, viewRuleset } from './view-ruleset';

/** What a deployed managed ruleset does with the requests that it sees. */
export type DeploymentEffect = 'off' | 'logs' | 'acts';

/** A managed ruleset, and the requests that a rule deploys it for. */
export interface Reach {
  readonly rulesetId: string;
  /** `true` is every request. */
  readonly expression: string;
}

/** A rule that deploys a managed ruleset. */
export interface Deployment extends Reach {
  readonly rule: RulesetRule;
  /** What the rule, its overrides and the exceptions before it leave of the managed ruleset. */
  readonly effect: DeploymentEffect;
  /** The exceptions that surely take every request from it; empty where it may see some. */
  readonly exceptedBy: readonly RulesetRule[];
}

/** The managed rulesets that the rules of an entry point deploy, in their order. */
export function deploymentsOf(rules: readonly RulesetRule[]): Deployment[] {
  const view = viewRuleset({ rules });
  return view.executes.flatMap((execute) => {
    const rule = rules[execute.index];
    if (rule === undefined) return [];
    // the scoring rule alone acts in OWASP, so an exception from it is enough
    const target = { ruleset: execute.ruleset, rule: SCORING_RULE };
    const before = execute.enabled ? exceptionsBefore(view, execute, target) : [];
    const takesAll = (some: typeof before): boolean =>
      surelySees(
        some.map(({ expression }) => expression),
        execute.expression,
      );
    const alone = before.find((one) => takesAll([one]));
    const takers = alone !== undefined ? [alone] : takesAll(before) ? before : [];
    const effect = takers.length > 0 ? 'off' : effectOf(execute);
    const exceptedBy = takers.flatMap(({ index }) => rules[index] ?? []);
    const { expression } = rule;
    return [{ rule, rulesetId: execute.ruleset, expression, effect, exceptedBy }];
  });
}

/** Whether the rules deploy a managed ruleset that is on and sees requests. */
export function deploysAny(rules: readonly RulesetRule[]): boolean {
  return deploymentsOf(rules).some(({ effect }) => effect !== 'off');
}

/**
 * What a rule does by its overrides: those of tags and rules win over those of the whole. Single rules
 * that are off or log do not count for the whole, except the scoring rule of OWASP. `log` for the whole
 * of OWASP counts, though it may not reach the scoring rule (provider issues 2056, 2287).
 */
export function effectOf(execute: ExecuteView): DeploymentEffect {
  if (!execute.enabled || isOwaspOff(execute)) return 'off';
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

/** The deployments before of which it is not sure that those after see the same requests. */
export function findSwitchedOff<T extends Reach>(
  before: readonly T[],
  after: readonly Reach[],
): T[] {
  return before.filter(({ rulesetId, expression }) => {
    const same = after.filter((one) => one.rulesetId === rulesetId);
    return !surelySees(
      same.map((one) => one.expression),
      expression,
    );
  });
}

/** Whether rules with these expressions surely see, together, every request that another matches. */
function surelySees(expressions: readonly string[], all: string): boolean {
  return (
    expressions.some((one) => sameExpression(one, all)) ||
    surelyWithin([{ of: all, without: expressions }], [])
  );
}
