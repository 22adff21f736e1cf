import { renderFilter } from './filter-store';
import { type Filter, type FirewallRule } from './firewall';
import { type JsonObject } from './json';
import { refusal } from './refusal';

/** The fields of a firewall rule that a caller sets. */
export interface FirewallRuleFields {
  readonly action: FirewallRule['action'];
  readonly paused: boolean;
  readonly priority: number | null;
  readonly description?: string | undefined;
  readonly ref?: string | undefined;
  readonly products?: FirewallRule['products'];
}

/** A rule from its fields; those that are not set stay away. */
export function firewallRuleOf(
  id: string,
  filter: string,
  { action, paused, priority, description, ref, products }: FirewallRuleFields,
): FirewallRule {
  return {
    id,
    filter,
    action,
    paused,
    priority,
    ...(description === undefined ? {} : { description }),
    ...(ref === undefined ? {} : { ref }),
    ...(products === undefined ? {} : { products }),
  };
}

/** Rules as the service answers them: each with its filter, or with the note that it is deleted. */
export function renderFirewallRules(
  rules: readonly FirewallRule[],
  filters: readonly Filter[],
): JsonObject[] {
  const byId = new Map(filters.map((filter) => [filter.id, filter]));
  return rules.map(({ id, filter, action, paused, priority, description, ref, products }) => {
    const found = byId.get(filter);
    return {
      id,
      paused,
      ...(description === undefined ? {} : { description }),
      action,
      ...(products === undefined ? {} : { products }),
      priority,
      ...(ref === undefined ? {} : { ref }),
      filter: found === undefined ? { id: filter, deleted: true } : renderFilter(found),
    };
  });
}

/** A rule by its id. @throws Refusal 404 */
export function findFirewallRule(rules: readonly FirewallRule[], id: string): FirewallRule {
  const found = rules.find((rule) => rule.id === id);
  if (found !== undefined) return found;
  throw refusal(404, 10001, 'firewallrules.api.firewall_rule_not_exists');
}

/** The filter of a rule must exist. @throws Refusal 400 with a pointer to the reference */
export function requireFilter(filters: readonly Filter[], id: string, pointer: string): void {
  if (filters.some((filter) => filter.id === id)) return;
  throw refusal(400, 10101, `filter ${id} does not exist`, pointer);
}
