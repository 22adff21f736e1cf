import { type Client } from '../cloudflare/client';
import {
  type Filter,
  type FilterFields,
  filters,
  type FirewallRule,
  firewallRules,
} from '../cloudflare/firewall';
import { listed } from '../core/lists';
import { MigrationError } from '../core/migration-error';

/** Changes some fields of a filter, and keeps the others. */
export async function changeFilter(
  client: Client,
  zoneId: string,
  id: string,
  changes: Partial<FilterFields>,
): Promise<Filter> {
  const current = await filters.read(client, zoneId, id);
  const { paused = current.paused, ...rest } = changes;
  try {
    return await filters.update(client, zoneId, { ...current, ...rest, paused });
  } catch (error) {
    throw perhapsInline(error);
  }
}

/**
 * Deletes a filter that no firewall rule uses. The API does not report whether other features use it.
 * @throws MigrationError `FILTER_IN_USE`
 */
export async function removeFilter(client: Client, zoneId: string, id: string): Promise<void> {
  const users = await rulesOf(client, zoneId, id);
  if (users.length > 0) {
    const names = listed(users.map((rule) => rule.id));
    const message = `filter ${id} of zone ${zoneId} is used by firewall rule ${names}`;
    throw new MigrationError('FILTER_IN_USE', message);
  }
  try {
    await filters.delete(client, zoneId, id);
  } catch (error) {
    throw perhapsInline(error);
  }
}

/**
 * Adds a hint, because the API refuses to change or delete a filter that was created inline with its rule
 * (service.md, "What the service does"). Its response is not documented, so the hint names both explanations.
 */
function perhapsInline(error: unknown): unknown {
  if (!(error instanceof MigrationError)) return error;
  if (error.code !== 'API_REFUSED' && error.code !== 'API_UNAUTHORIZED') return error;
  return error.withHint(
    'if the filter was created inline with its rule, it cannot be changed or deleted: create another filter, and update the rule to use it. For any other filter, check that the credentials can edit',
  );
}

export async function rulesOf(
  client: Client,
  zoneId: string,
  filterId: string,
): Promise<FirewallRule[]> {
  const rules = await firewallRules.list(client, zoneId);
  return rules.filter(({ filter }) => filter.id === filterId);
}
