import { type Client } from '../../cloudflare/client';
import { deleteFilter } from '../../cloudflare/filters';
import {
  deleteFirewallRule,
  type FirewallRule,
  type FirewallRuleFields,
  listFirewallRules,
  readFirewallRule,
  updateFirewallRule,
} from '../../cloudflare/firewall-rules';
import { type Finding } from '../../model/finding';
import { parseId } from '../../model/identifier';
import { MigrationError } from '../../model/migration-error';
import { changeFilter, filterInUse } from './change-filter';

/** What to change of a rule. */
export interface RuleChanges extends Partial<FirewallRuleFields> {
  /** Another filter that is there. */
  readonly filterId?: string;
  /** A new expression for the filter that the rule has: the filter is changed first. */
  readonly expression?: string;
}

/**
 * Changes some fields of a rule; the others stay as they are.
 * @throws MigrationError `FILTER_IN_USE` when the expression is to change and other rules share it
 */
export async function changeRule(
  client: Client,
  zoneId: string,
  id: string,
  { filterId, expression, ...changes }: RuleChanges,
): Promise<FirewallRule> {
  if (expression === undefined) {
    const current = await readFirewallRule(client, zoneId, id);
    return save(client, zoneId, current, changes, filterId);
  }
  const { rule, sharing } = await findWithSharing(client, zoneId, id);
  if (sharing.length > 0) {
    throw filterInUse(
      zoneId,
      rule.filter.id,
      sharing,
      'change the filter for all of them with `firewall filters update`, or create another filter and pass its --filter-id',
    );
  }
  const filter = await changeFilter(client, zoneId, rule.filter.id, { expression });
  const changed = { ...rule, filter };
  return Object.keys(changes).length === 0 ? changed : save(client, zoneId, changed, changes);
}

function save(
  client: Client,
  zoneId: string,
  current: FirewallRule,
  changes: Partial<FirewallRuleFields>,
  filterId: string = current.filter.id,
): Promise<FirewallRule> {
  const { paused = current.paused, priority = current.priority, ...rest } = changes;
  const filter = { id: parseId(filterId, 'filter id') };
  return updateFirewallRule(client, zoneId, { ...current, ...rest, paused, priority, filter });
}

/** What became of a rule and its filter. */
export interface RemovedRule {
  readonly rule: string;
  readonly filter: { readonly id: string; readonly deleted: boolean };
  readonly findings: readonly Finding[];
}

/**
 * Deletes a rule and then its filter: the reverse of the order in which they are created.
 * @param keepFilter leaves the filter, which other rules may then share
 * @throws MigrationError `FILTER_IN_USE` before anything is deleted
 */
export async function removeRule(
  client: Client,
  zoneId: string,
  id: string,
  { keepFilter = false }: { readonly keepFilter?: boolean } = {},
): Promise<RemovedRule> {
  const { rule, sharing } = await findWithSharing(client, zoneId, id);
  const { filter } = rule;
  if (!keepFilter && sharing.length > 0) {
    throw filterInUse(zoneId, filter.id, sharing, 'pass --keep-filter to delete the rule alone');
  }
  await deleteFirewallRule(client, zoneId, id);
  if (keepFilter) return { rule: id, filter: { id: filter.id, deleted: false }, findings: [] };
  try {
    await deleteFilter(client, zoneId, filter.id);
    return { rule: id, filter: { id: filter.id, deleted: true }, findings: [] };
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    const findings = [filterStayed(zoneId, filter.id, error)];
    return { rule: id, filter: { id: filter.id, deleted: false }, findings };
  }
}

async function findWithSharing(client: Client, zoneId: string, ruleId: string) {
  const id = parseId(ruleId, 'firewall rule id');
  const rules: FirewallRule[] = [];
  for await (const rule of listFirewallRules(client, zoneId)) rules.push(rule);
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) {
    throw new MigrationError('FIREWALL_RULE_MISSING', `zone ${zoneId} has no firewall rule ${id}`);
  }
  const sharing = rules.filter((one) => one !== rule && one.filter.id === rule.filter.id);
  return { rule, sharing };
}

function filterStayed(zoneId: string, filterId: string, error: MigrationError): Finding {
  return {
    code: 'FILTER_STAYED',
    severity: 'decision',
    subject: filterId,
    message: `the rule was deleted and its filter was not: ${error.message}`,
    remedy: `a filter that was created inline with its rule cannot be deleted; any other: cf-waf-migrate firewall filters delete --zone ${zoneId} --id ${filterId}`,
  };
}
