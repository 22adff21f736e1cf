import { type DeclaredRule, deployedBy, type RulesetRule } from '../model/ruleset';
import { viewRuleset } from '../translate/parity/ruleset-view';

/** Whether a rule keeps others from running: those behind it in the entry point. */
export function isException({ action }: RulesetRule): boolean {
  return action === 'skip';
}

/**
 * The rules that an exception holds for where they come behind it, for all that they do or a part of
 * it: what deploys a ruleset that it names, or a rule of which; with the current ruleset, every one.
 * Of another rule, none.
 */
export function reachOf(rule: RulesetRule): (other: RulesetRule) => boolean {
  const [skip] = viewRuleset({ rules: [rule] }).skips;
  if (skip === undefined) return () => false;
  const named = new Set<string | undefined>([...skip.rulesets, ...skip.rules.keys()]);
  return (other) => !isException(other) && (skip.current || named.has(deployedBy(other)));
}

/** What an exception of a list holds for: the rules behind it that it reaches. Of another rule, nothing. */
export function heldFor(rules: readonly DeclaredRule[], { ref }: DeclaredRule): DeclaredRule[] {
  return rules.flatMap((rule, at) =>
    rule.ref === ref ? rules.slice(at).filter(reachOf(rule)) : [],
  );
}
