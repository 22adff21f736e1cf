import { type FirewallRuleFields } from '../../cloudflare/firewall-rules';
import { posixQuote } from '../../model/posix-quote';

/** The command that creates a rule for a filter that is there: what finishes a half-done job. */
export function renderCreateRule(
  zoneId: string,
  filterId: string,
  { action, paused, priority, description, ref, products }: FirewallRuleFields,
): string {
  const argv = [
    ...['cf-waf-migrate', 'firewall', 'rules', 'create', '--zone', zoneId],
    ...['--filter-id', filterId, '--action', action],
    ...(products ?? []).flatMap((product) => ['--product', product]),
    ...(priority === undefined || priority === null ? [] : ['--priority', String(priority)]),
    ...(paused === true ? ['--paused'] : []),
    ...(typeof description !== 'string' ? [] : ['--description', description]),
    ...(typeof ref !== 'string' ? [] : ['--ref', ref]),
  ];
  return argv.map(posixQuote).join(' ');
}
