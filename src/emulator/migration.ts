import { type FirewallRule } from './firewall';
import { activePageRules, wafEffect } from './page-rule';
import { entryPointOf, MANAGED_PHASE } from './ruleset';
import { type World } from './world';
import { type MigrationState, type Zone } from './zone';

/** The modes of the query parameter `waf_migration`: spec, part "Endpoints". */
export type MigrationMode = 'pending' | 'validation';

/** Whether the previous WAF runs: spec, part "States and transitions". */
export function oldWafEnabled(zone: Zone): boolean {
  return zone.oldWaf.enabled && zone.migration.state !== 'complete';
}

/** Whether the new WAF runs. It has no switch of its own: an enabled rule is what turns it on. */
export function newWafEnabled(zone: Zone): boolean {
  const entryPoint = entryPointOf(zone.rulesets, MANAGED_PHASE);
  return entryPoint?.rules.some((rule) => rule.enabled) ?? false;
}

/** Moves a zone on, after its new configuration was saved in the mode that was asked for. */
export function enterMode(zone: Zone, mode: MigrationMode, world: World): void {
  const { milliseconds, statusReads } = world.settings.switchDelay;
  if (zone.migration.state !== mode) {
    moveTo(zone, mode, world);
    if (mode === 'pending') {
      zone.migration.wait = { statusReads, until: Date.parse(world.now()) + milliseconds };
    }
  }
  settleMigration(zone, world);
}

/** The status of a zone is about to be read: a delay that counts these reads is one shorter. */
export function countStatusRead({ migration: { wait } }: Zone): void {
  if (wait !== undefined && wait.statusReads > 0) wait.statusReads -= 1;
}

/**
 * Finishes what is pending, once the new WAF is enabled: "the previous version is disabled as soon
 * as the configuration is saved and the new WAF enabled" (spec, part "Endpoints"). The service can
 * take up to an hour for it, with both running meanwhile (public documentation).
 */
export function settleMigration(zone: Zone, world: World): void {
  const { state, wait = { statusReads: 0, until: 0 } } = zone.migration;
  if (state !== 'pending') return;
  // Nothing is lost where the previous WAF was off anyway.
  if (!newWafEnabled(zone) && zone.oldWaf.enabled) return;
  if (wait.statusReads > 0 || Date.parse(world.now()) < wait.until) return;
  moveTo(zone, 'complete', world);
}

function moveTo(zone: Zone, state: MigrationState, world: World): void {
  zone.migration = { state, since: world.now(), source: 'zone' };
}

/** The two procedures of the service: spec, part "Eligibility". */
type Phase = 1 | 2;

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
