import { type FirewallRuleFields } from '../../cloudflare/firewall-rules';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';

/** What `bypass` can bypass (provider 3.35, `cloudflare_firewall_rule`). */
const PRODUCTS = ['zoneLockdown', 'uaBlock', 'bic', 'hot', 'securityLevel', 'rateLimit', 'waf'];
const HIGHEST_PRIORITY = 2_147_483_647;

/**
 * Refuses what the service would refuse of a rule: asked before the filter is created or changed,
 * which would stay so when the rule is refused.
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
      `--product "${printable(unknown, 40)}" is none that a rule can bypass`,
      `these are: ${PRODUCTS.join(', ')}`,
    );
  }
  if (action === 'bypass' && given.length === 0) {
    throw usage(
      'bypass does not say what it bypasses',
      'pass --product, waf for the managed rules',
    );
  }
  if (action !== 'bypass' && given.length > 0) {
    throw usage(`--product goes with --action bypass, not with ${printable(action, 40)}`);
  }
  if (typeof priority === 'number' && (priority < 0 || priority > HIGHEST_PRIORITY)) {
    throw usage(`--priority ${priority} is not from 0 to ${HIGHEST_PRIORITY}`);
  }
}

function usage(message: string, hint?: string): MigrationError {
  return new MigrationError('USAGE', message, hint === undefined ? {} : { hint });
}
