import { OWASP_CORE, OWASP_SCORE_RULE } from '../managed-rulesets';
import { type LegacyPackage } from '../old-waf';
import { type ConfigRule, type Deployment, executeRule } from './config-rule';

/** Spec, part "OWASP settings mapping": old sensitivity to paranoia level and score threshold. */
const mapping: Readonly<Record<string, { readonly level: number; readonly threshold: number }>> = {
  high: { level: 2, threshold: 40 },
  medium: { level: 1, threshold: 25 },
  low: { level: 1, threshold: 40 },
  default: { level: 2, threshold: 40 },
};

/**
 * Old actions to new ones: `simulate` becomes `log` (spec), the others are "almost" the same; a
 * migrated zone was seen with `managed_challenge` where the old action was `challenge`.
 */
const actions: Readonly<Record<string, string>> = {
  simulate: 'log',
  block: 'block',
  challenge: 'managed_challenge',
};

/**
 * The rule that deploys the new OWASP ruleset, none where the old one is off. Overrides of its
 * groups and rules have no equivalent and are dropped (spec).
 */
export function convertOwasp(owasp: LegacyPackage, deployment: Deployment): ConfigRule[] {
  const { sensitivity = 'high', action_mode: action = 'challenge' } = owasp;
  if (sensitivity === 'off') return [];
  const { level, threshold } = mapping[sensitivity] ?? { level: 2, threshold: 40 };
  const categories = [2, 3, 4]
    .filter((one) => one > level)
    .map((one) => ({ category: `paranoia-level-${one}`, enabled: false }));
  const score = {
    id: OWASP_SCORE_RULE,
    action: actions[action] ?? action,
    score_threshold: threshold,
    enabled: true,
  };
  return [executeRule(OWASP_CORE, { categories, rules: [score] }, deployment)];
}
