import { type FirewallRule } from './firewall';
import { activePageRules, wafEffect } from './page-rule';
import { type Zone } from './zone';

/** The two procedures of the service: spec, part "Eligibility". */
export type Phase = 1 | 2;

/** The procedure that a call asks for: `phase_two=1`, or the earlier one without it. */
export function phaseOf(query: URLSearchParams): Phase {
  return query.get('phase_two') === '1' ? 2 : 1;
}

/** Why a zone may not migrate; empty where it may. */
export function blockersOf(zone: Zone, phase: Phase): string[] {
  const overrides =
    zone.oldWaf.overrides.length === 0
      ? []
      : ['the zone has URI-based WAF overrides, which must be deleted first'];
  return phase === 2 ? overrides : [...overrides, ...phaseOneBlockers(zone)];
}

/** Phase one took simple zones only. */
function phaseOneBlockers(zone: Zone): string[] {
  const conditions: [boolean, string][] = [
    [zone.account.partner, 'zones of partner accounts cannot migrate yet'],
    [zone.oldWaf.enabled && owaspIsOn(zone), 'the OWASP rule set is enabled'],
    [bypassRules(zone).length > 0, 'firewall rules bypass the WAF'],
    [
      activePageRules(zone.pageRules).some((rule) => wafEffect(rule) !== undefined),
      'page rules enable or disable the WAF',
    ],
  ];
  return conditions.flatMap(([holds, blocker]) => (holds ? [blocker] : []));
}

/** Firewall rules that the migration has to carry: those that bypass the managed rules. */
export function bypassRules({ firewallRules }: Zone): FirewallRule[] {
  return firewallRules.filter(
    ({ action, products = [] }) => action === 'bypass' && products.includes('waf'),
  );
}

const MAX_RULES = 200;
const MAX_EXPRESSION_BYTES = 4096;

/**
 * What needs the support of the service: spec, part "Limits". It is no part of `compatible`: the
 * specification makes eligibility depend on URI-based overrides alone.
 */
export function exceededLimits(zone: Zone): string[] {
  const rules = bypassRules(zone);
  const long = rules.filter(({ filter }) => {
    const expression = zone.filters.find(({ id }) => id === filter)?.expression ?? '';
    return Buffer.byteLength(expression) > MAX_EXPRESSION_BYTES;
  });
  return [
    ...(rules.length > MAX_RULES ? [`more than ${MAX_RULES} firewall rules to migrate`] : []),
    ...long.map(({ id }) => `the expression of firewall rule ${id} is longer than 4 KB`),
  ].map((reason) => `${reason}, contact support`);
}

function owaspIsOn(zone: Zone): boolean {
  return zone.oldWaf.packages.some(
    (one) => one.detection_mode === 'anomaly' && one.sensitivity !== 'off',
  );
}
