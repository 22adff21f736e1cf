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
