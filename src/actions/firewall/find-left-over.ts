import { type Client } from '../../cloudflare/client';
import { type Filter, listFilters } from '../../cloudflare/filters';
import { type FirewallRule, listFirewallRules } from '../../cloudflare/firewall-rules';
import { ServiceError } from '../../cloudflare/service-error';
import { type MigrationError } from '../../model/migration-error';

/** What there is of a filter and its rules. */
export interface LeftOver {
  readonly filter: Filter;
  readonly rules: readonly FirewallRule[];
}

/** Longer ones are looked for in the whole list: a query has a limit. */
const MAX_QUERY = 500;

/** Looks for the filter with an expression, and for the rules that use it. */
export async function findLeftOver(
  client: Client,
  zoneId: string,
  expression: string,
): Promise<LeftOver | undefined> {
  const narrow = expression.length <= MAX_QUERY ? { expression } : {};
  for await (const filter of listFilters(client, zoneId, narrow)) {
    if (filter.expression === expression) {
      return { filter, rules: await rulesOf(client, zoneId, filter.id) };
    }
  }
  return undefined;
}

/** The rules that use a filter. */
export async function rulesOf(
  client: Client,
  zoneId: string,
  filterId: string,
): Promise<FirewallRule[]> {
  const rules: FirewallRule[] = [];
  for await (const rule of listFirewallRules(client, zoneId)) {
    if (rule.filter.id === filterId) rules.push(rule);
  }
  return rules;
}

/** "Config duplicates an already existing config": 10102 of a filter, 10202 of an inline one. */
export function saysDuplicate(error: MigrationError): boolean {
  const { cause } = error;
  return cause instanceof ServiceError && (cause.hasCode(10102) || cause.hasCode(10202));
}

/** Whether a write that failed may have been done: nobody knows when no good answer came. */
export function mayHaveArrived({ code }: MigrationError): boolean {
  return ['API_UNREACHABLE', 'API_TIMEOUT', 'API_UNAVAILABLE', 'API_RESPONSE_INVALID'].includes(
    code,
  );
}
