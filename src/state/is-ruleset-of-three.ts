import { isRecord } from './record';
import { type StateInstance } from './state';

/**
 * Whether an entry of a `cloudflare_ruleset` was written by a provider 3: provider 5 cannot read it
 * ("unsupported attribute", 5.22.0 measured), and then plans and imports nothing in that state.
 * Provider 4 has the same schema version (1), so it is told by attributes that only 3 writes.
 */
export function isRulesetOfThree({ schemaVersion, attributes }: StateInstance): boolean {
  if (schemaVersion > 1) return false;
  if ('shareable_entitlement_name' in attributes) return true;
  const { rules } = attributes;
  return Array.isArray(rules) && rules.some((rule: unknown) => isRecord(rule) && 'version' in rule);
}
