import { refusal } from '../refusal';
import { type Reply, type Route, type ZoneCall, zoneRoute } from '../route';
import { entryPointOf, type MigrationState, type World, type Zone } from '../world';
import { activePageRules, bypassRules, convertZone, wafEffect } from './convert-zone';

export const migrationRoutes: readonly Route[] = [
  zoneRoute('/waf_migration/check', {
    GET: ({ zone, query }) => {
      const compatible = blockersOf(zone, query).length === 0;
      return { result: { compatible, migration_state: zone.migration.state } };
    },
  }),
  zoneRoute('/waf_migration/config', {
    GET: (call) => {
      refuseMigration(call);
      return { result: convertZone(call.zone) };
    },
  }),
  zoneRoute('/waf_migration/status', { GET: status }),
];

/** These fields were seen in third-party clients; the specification names none. */
function status({ zone, world }: ZoneCall): Reply {
  zone.migration.readsLeft = Math.max(0, zone.migration.readsLeft - 1);
  settleMigration(zone, world);
  const word = (enabled: boolean): string => (enabled ? 'enabled' : 'disabled');
  const { state, since, source } = zone.migration;
  return {
    result: {
      created: since,
      migration_state: state,
      new_waf_status: word(newWafEnabled(zone)),
      // spec, part "States and transitions"
      old_waf_status: word(zone.legacyWaf.enabled && state !== 'complete'),
      source,
    },
  };
}

/** Refuses a zone that cannot migrate. The codes are not known, so the refusal has none. */
export function refuseMigration({ zone, query }: ZoneCall): void {
  if (zone.migration.state === 'complete') {
    throw refusal(400, undefined, 'the zone has already migrated to the new WAF');
  }
  const [blocker] = blockersOf(zone, query);
  if (blocker !== undefined) throw refusal(400, undefined, `zone is not compatible: ${blocker}`);
  const [limit] = exceededLimits(zone);
  if (limit !== undefined) throw refusal(400, undefined, limit);
}

/** The modes of the query parameter `waf_migration`: spec, part "Endpoints". */
export type MigrationMode = 'pending' | 'validation';

/** Whether the new WAF runs. It has no switch: an enabled rule turns it on. */
function newWafEnabled(zone: Zone): boolean {
  return entryPointOf(zone)?.rules.some((rule) => rule.enabled) ?? false;
}

export function enterMode(zone: Zone, mode: MigrationMode, world: World): void {
  if (zone.migration.state !== mode) {
    moveTo(zone, mode, world);
    zone.migration.readsLeft = world.settings.switchDelay.statusReads;
  }
  settleMigration(zone, world);
}

/**
 * Completes a pending migration once the new WAF is enabled: "the previous version is disabled as
 * soon as the configuration is saved and the new WAF enabled" (spec, part "Endpoints"). The API can
 * take up to an hour, during which both WAFs run (public documentation).
 */
export function settleMigration(zone: Zone, world: World): void {
  const { state, readsLeft } = zone.migration;
  if (state !== 'pending' || readsLeft > 0) return;
  // A disabled legacy WAF can be removed without losing protection.
  if (!newWafEnabled(zone) && zone.legacyWaf.enabled) return;
  moveTo(zone, 'complete', world);
}

function moveTo(zone: Zone, state: MigrationState, world: World): void {
  zone.migration = { state, since: world.now(), source: 'zone', readsLeft: 0 };
}

/**
 * The reasons why a zone cannot migrate; empty if it can. `phase_two=1` selects the current
 * procedure, anything else the earlier one, which accepts only simple zones (spec, part
 * "Eligibility").
 */
function blockersOf(zone: Zone, query: URLSearchParams): string[] {
  const always = {
    'the zone has URI-based WAF overrides, which must be deleted first':
      zone.legacyWaf.overrides.length > 0,
  };
  const { enabled, packages } = zone.legacyWaf;
  const inPhaseOne = {
    'zones of partner accounts cannot migrate yet': zone.account.partner,
    'the OWASP rule set is enabled':
      enabled &&
      packages.some((one) => one.detection_mode === 'anomaly' && one.sensitivity !== 'off'),
    'firewall rules bypass the WAF': bypassRules(zone).length > 0,
    'page rules enable or disable the WAF': activePageRules(zone.pageRules).some(
      (rule) => wafEffect(rule) !== undefined,
    ),
  };
  const conditions = query.get('phase_two') === '1' ? always : { ...always, ...inPhaseOne };
  return Object.entries(conditions).flatMap(([blocker, holds]) => (holds ? [blocker] : []));
}

const MAX_RULES = 200;
const MAX_EXPRESSION_BYTES = 4096;

/**
 * Limits that require Cloudflare support (spec, part "Limits"). They do not affect `compatible`,
 * because the specification makes eligibility depend only on URI-based overrides.
 */
function exceededLimits(zone: Zone): string[] {
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
