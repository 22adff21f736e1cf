import { type Fields } from '../expression/evaluate';
import { holds } from '../expression/holds';
import { type FirewallRule } from '../firewall';
import { type Zone } from '../zone';
import { terminates, type Verdict } from './verdict';

/** Runs a request through the firewall rules, which come before any WAF. */
export function runFirewallRules(zone: Zone, fields: Fields): Verdict[] {
  const verdicts: Verdict[] = [];
  const order = (rule: FirewallRule): number => rule.priority ?? Infinity;
  const rules = [...zone.firewallRules].sort((one, other) =>
    order(one) === order(other) ? 0 : order(one) - order(other),
  );
  for (const rule of rules) {
    if (!filterMatches(zone, rule, fields)) continue;
    verdicts.push({
      action: rule.action,
      source: 'firewallrules',
      ruleId: rule.id,
      ref: rule.ref ?? '',
      description: rule.description ?? '',
      metadata: {},
    });
    if (rule.action === 'allow' || terminates(rule)) break;
  }
  return verdicts;
}

/** Whether a rule meets a request: neither it nor its filter may be paused. */
export function filterMatches(zone: Zone, rule: FirewallRule, fields: Fields): boolean {
  const filter = zone.filters.find(({ id }) => id === rule.filter);
  if (filter === undefined || rule.paused || filter.paused) return false;
  return holds(filter.expression, fields);
}
