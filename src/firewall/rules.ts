import { posixQuote } from '../core/posix-quote';
import { type Client } from '../cloudflare/client';
import {
  type Filter,
  type FilterFields,
  filters,
  type FirewallRule,
  type FirewallRuleFields,
  firewallRules,
} from '../cloudflare/firewall';
import { type Finding } from '../core/finding';
import { parseId } from '../core/identifier';
import { listed } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { writeBackup } from '../files/backups';

const FORMAT = 'cf-waf-migrate/firewall-rule';

export interface RuleRequest {
  readonly zoneId: string;
  readonly fields: FirewallRuleFields;
  readonly filter: { readonly id: string } | FilterFields;
  /** The two sequences of the API specification, "What the service does". */
  readonly sequence: 'recommended' | 'simplified';
}

/**
 * Creates a firewall rule, and its filter if that is new. Errors name the filter that remains.
 * @throws MigrationError `FIREWALL_RULE_NOT_CREATED`, and those of the client
 */
export async function createRule(
  client: Client,
  { zoneId, fields, filter, sequence }: RuleRequest,
): Promise<FirewallRule> {
  if ('id' in filter) return firewallRules.create(client, zoneId, { ...fields, filter });
  let created: Filter | undefined;
  try {
    if (sequence === 'simplified')
      return await firewallRules.create(client, zoneId, { ...fields, filter });
    created = await filters.create(client, zoneId, filter);
    return await firewallRules.create(client, zoneId, { ...fields, filter: { id: created.id } });
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    // a refused rule leaves its inline filter; if the search for it fails, the first error counts
    const all = created ? [] : await filters.list(client, zoneId).catch(() => []);
    const left = created ?? all.find(({ expression }) => expression === filter.expression);
    throw left === undefined ? error : withFilter(error, zoneId, left.id);
  }
}

/** Returns the error of a rule, with the filter of its expression. Without a response, the rule may exist. */
function withFilter(cause: MigrationError, zoneId: string, filterId: string): MigrationError {
  const message = `no response confirms the rule; filter ${filterId} of zone ${zoneId} has its expression`;
  const hint = `check \`firewall rules list\`; if it does not have the rule, and the quota and the plan allow it, run the command again with --filter-id ${filterId} instead of --expression, without --sequence`;
  return new MigrationError('FIREWALL_RULE_NOT_CREATED', message, { cause, hint });
}

export interface RuleChanges extends Partial<FirewallRuleFields> {
  readonly filterId?: string;
}

/**
 * Changes some fields of a rule, and keeps the others. The expression belongs to the filter. Drops the products if the
 * action is no longer `bypass`.
 * @throws MigrationError `USAGE` for fields that no rule can have
 */
export async function changeRule(
  client: Client,
  zoneId: string,
  id: string,
  { filterId, ...changes }: RuleChanges,
): Promise<FirewallRule> {
  const current = await firewallRules.read(client, zoneId, id);
  const { paused = current.paused, priority = current.priority, ...rest } = changes;
  const kept = (rest.action ?? current.action) === 'bypass' ? current.products : undefined;
  const rule = { ...current, ...rest, paused, priority, products: rest.products ?? kept };
  if (Object.keys(changes).length > 0) requireProducts(rule);
  const filter = { id: parseId(filterId ?? current.filter.id, 'filter id') };
  return firewallRules.update(client, zoneId, { ...rule, filter });
}

export interface RemovedRule {
  readonly rule: string;
  readonly filter: { readonly id: string; readonly deleted: boolean };
  readonly file: string;
  readonly findings: readonly Finding[];
}

/**
 * Deletes a rule and then its filter, the reverse order of creation. Saves both first. A filter that other rules
 * use stays.
 * @param folder for the backup
 * @throws MigrationError `FILE_UNWRITABLE` before anything is deleted
 */
export async function removeRule(
  client: Client,
  zoneId: string,
  id: string,
  folder: string,
): Promise<RemovedRule> {
  const rule = await firewallRules.read(client, zoneId, id);
  const { filter } = rule;
  const users = await rulesOf(client, zoneId, filter.id);
  const isShared = users.some((other) => other.id !== id);
  const saved = { format: FORMAT, formatVersion: 1, zoneId, rule };
  const file = writeBackup(folder, `firewall-rule-${id}`, saved);
  await firewallRules.delete(client, zoneId, id);
  const kept = { rule: id, filter: { id: filter.id, deleted: false }, file, findings: [] };
  if (isShared) return kept;
  try {
    await filters.delete(client, zoneId, filter.id);
    return { ...kept, filter: { id: filter.id, deleted: true } };
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return { ...kept, findings: [filterStayed(zoneId, filter.id, error)] };
  }
}

function filterStayed(zoneId: string, filterId: string, error: MigrationError): Finding {
  return {
    code: 'FILTER_STAYED',
    severity: 'decision',
    subject: filterId,
    message: `the rule was deleted, but not its filter: ${error.message}`,
    remedy: `delete the filter, unless it was created inline with its rule:\ncf-waf-migrate firewall filters delete --zone ${zoneId} --id ${posixQuote(filterId)}`,
  };
}

/**
 * Requires products for the action `bypass`, and for no other. Checked before the filter is created or changed, because
 * a refused rule leaves its filter.
 */
export function requireProducts({
  action,
  products,
}: Pick<FirewallRuleFields, 'action' | 'products'>): void {
  const isBypass = action === 'bypass';
  if (isBypass === (products ?? []).length > 0) return;
  throw isBypass
    ? new MigrationError('USAGE', '--action bypass needs a product', {
        hint: 'pass --product; waf is the managed rules',
      })
    : new MigrationError('USAGE', '--product goes with --action bypass');
}

export async function changeFilter(
  client: Client,
  zoneId: string,
  id: string,
  changes: Partial<FilterFields>,
): Promise<Filter> {
  const current = await filters.read(client, zoneId, id);
  const { paused = current.paused, ...rest } = changes;
  return filters.update(client, zoneId, { ...current, ...rest, paused }).catch(perhapsInline);
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
  await filters.delete(client, zoneId, id).catch(perhapsInline);
}

/**
 * Adds a hint, because the API refuses to change or delete a filter that was created inline with its rule
 * (API specification, "What the service does"). Its response is not documented, so the hint names both explanations.
 */
function perhapsInline(error: unknown): never {
  if (!(error instanceof MigrationError)) throw error;
  if (error.code !== 'API_REFUSED' && error.code !== 'API_UNAUTHORIZED') throw error;
  throw error.withHint(
    'if the filter was created inline with its rule, it cannot be changed or deleted: create another filter, and update the rule to use it. For any other filter, check that the credentials can edit',
  );
}

async function rulesOf(client: Client, zoneId: string, filterId: string): Promise<FirewallRule[]> {
  const rules = await firewallRules.list(client, zoneId);
  return rules.filter(({ filter }) => filter.id === filterId);
}
