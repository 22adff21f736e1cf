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
  moveTo(zone, mode, world);
  settleMigration(zone, world);
}

/**
 * Finishes what is pending, once the new WAF is enabled: "the previous version is disabled as soon
 * as the configuration is saved and the new WAF enabled" (spec, part "Endpoints").
 */
export function settleMigration(zone: Zone, world: World): void {
  if (zone.migration.state !== 'pending' || !newWafEnabled(zone)) return;
  moveTo(zone, 'complete', world);
}

function moveTo(zone: Zone, state: MigrationState, world: World): void {
  zone.migration = { state, since: world.now(), source: 'zone' };
}
