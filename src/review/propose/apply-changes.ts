import { type Ruleset } from '../../model/ruleset';
import { type ProposedChange } from './change';
import { addsRule, ownRuleOf } from './own-rules';
import { withOverride } from './overrides';

/**
 * The configuration with the changes in it: overrides in the rules that deploy the managed rulesets,
 * exceptions before them, own rules at the end. Those that block stand before those that challenge:
 * the first rule that ends a request decides.
 */
export function applyChanges(ruleset: Ruleset, changes: readonly ProposedChange[]): Ruleset {
  const own = changes.filter(addsRule).map(ownRuleOf);
  const acting = (action: string): typeof own => own.filter((rule) => rule.action === action);
  const first = ruleset.rules.findIndex(({ action }) => action === 'execute');
  const at = first < 0 ? ruleset.rules.length : first;
  const rules = ruleset.rules.map((rule) =>
    changes.reduce(
      (changed, change) => (addsRule(change) ? changed : withOverride(changed, change)),
      rule,
    ),
  );
  return {
    ...ruleset,
    rules: [
      ...rules.slice(0, at),
      ...acting('skip'),
      ...rules.slice(at),
      ...acting('block'),
      ...acting('managed_challenge'),
    ],
  };
}
