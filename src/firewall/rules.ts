import { type Client } from '../cloudflare/client';
import {
  filters,
  type FirewallRule,
  type FirewallRuleFields,
  firewallRules,
} from '../cloudflare/firewall';
import { type Finding } from '../core/finding';
import { parseId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { writeBackup } from '../files/write-backup';
import { rulesOf } from './filters';

const FORMAT = 'cf-waf-migrate/firewall-rule';

/** What to change of a rule. */
export interface RuleChanges extends Partial<FirewallRuleFields> {
  /** Another existing filter. */
  readonly filterId?: string;
}

/**
 * Changes some fields of a rule, and keeps the others. The expression belongs to the filter.
 * @throws MigrationError `USAGE` for fields that no rule can have
 */
export async function changeRule(
  client: Client,
  zoneId: string,
  id: string,
  { filterId, ...changes }: RuleChanges,
): Promise<FirewallRule> {
  const current = await firewallRules.read(client, zoneId, id);
  const rule = withChanges(current, changes);
  const filter = { id: parseId(filterId ?? current.filter.id, 'filter id') };
  return firewallRules.update(client, zoneId, { ...rule, filter });
}

/** Drops the products if the action is no longer `bypass`. @throws MigrationError `USAGE` */
function withChanges(current: FirewallRule, changes: Partial<FirewallRuleFields>): FirewallRule {
  const { paused = current.paused, priority = current.priority, ...rest } = changes;
  const action = rest.action ?? current.action;
  const kept = action === 'bypass' ? current.products : undefined;
  const rule = { ...current, ...rest, paused, priority, products: rest.products ?? kept };
  if (Object.keys(changes).length > 0) requireRuleFields(rule);
  return rule;
}

/** The result of the deletion of a rule. */
export interface RemovedRule {
  readonly rule: string;
  readonly filter: { readonly id: string; readonly deleted: boolean };
  /** Backup of the rule and its filter. */
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
  const file = writeBackup(folder, `firewall-rule-${rule.id}`, saved);
  await firewallRules.delete(client, zoneId, id);
  const removed = (deleted: boolean, findings: readonly Finding[] = []): RemovedRule => ({
    rule: id,
    filter: { id: filter.id, deleted },
    file,
    findings,
  });
  if (isShared) return removed(false);
  try {
    await filters.delete(client, zoneId, filter.id);
    return removed(true);
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return removed(false, [filterStayed(zoneId, filter.id, error)]);
  }
}

function filterStayed(zoneId: string, filterId: string, error: MigrationError): Finding {
  return {
    code: 'FILTER_STAYED',
    severity: 'decision',
    subject: filterId,
    message: `the rule was deleted, but not its filter: ${error.message}`,
    remedy: `delete the filter, unless it was created inline with its rule:\ncf-waf-migrate firewall filters delete --zone ${zoneId} --id ${filterId}`,
  };
}

/** What `bypass` can bypass (provider 3.35, `cloudflare_firewall_rule`). */
const PRODUCTS = ['zoneLockdown', 'uaBlock', 'bic', 'hot', 'securityLevel', 'rateLimit', 'waf'];
const HIGHEST_PRIORITY = 2_147_483_647;

/**
 * Refuses invalid fields of a rule before its filter is created or changed, because a refused rule leaves its filter.
 * @throws MigrationError `USAGE`
 */
export function requireRuleFields({
  action,
  products,
  priority,
}: Pick<FirewallRuleFields, 'action' | 'products' | 'priority'>): void {
  const given = products ?? [];
  const unknown = given.find((product) => !PRODUCTS.includes(product));
  if (unknown !== undefined) {
    throw usage(
      `--product "${printable(unknown, 40)}" cannot be bypassed by a rule`,
      `pass one of ${PRODUCTS.join(', ')}`,
    );
  }
  if (action === 'bypass' && given.length === 0) {
    throw usage('--action bypass needs a product', 'pass --product; waf is the managed rules');
  }
  if (action !== 'bypass' && given.length > 0) {
    throw usage(`--product goes with --action bypass, not with ${printable(action, 40)}`);
  }
  if (typeof priority === 'number' && (priority < 0 || priority > HIGHEST_PRIORITY)) {
    throw usage(`--priority ${priority} is not between 0 and ${HIGHEST_PRIORITY}`);
  }
}

function usage(message: string, hint?: string): MigrationError {
  return new MigrationError('USAGE', message, hint === undefined ? {} : { hint });
}
