import { type Reply, type Route, type ZoneCall } from '../call';
import { blockersOf, exceededLimits, phaseOf } from '../eligibility';
import { enterMode, type MigrationMode } from '../migration';
import { phases } from '../phases';
import { type Refusal, refusal } from '../refusal';
import { entryPointOf, MANAGED_PHASE, type Ruleset } from '../ruleset';
import { parseRuleset } from '../ruleset-body';
import { writeRuleset } from '../ruleset-write';
import { zoneRoute } from '../zone-route';

/** The entry point of a phase, and with `waf_migration` the moves of the migration. */
export const entryPointRoutes: readonly Route[] = [
  zoneRoute('/rulesets/phases/:phase/entrypoint', { GET: readEntryPoint, PUT: putEntryPoint }),
];

function readEntryPoint({ zone, params }: ZoneCall): Reply {
  const phase = params['phase'] ?? '';
  const found = entryPointOf(zone.rulesets, phase);
  if (found !== undefined) return { result: found };
  throw refusal(404, 10003, `could not find entrypoint ruleset in the ${phase} phase`);
}

function putEntryPoint(call: ZoneCall): Reply {
  const { zone, world, params } = call;
  const phase = params['phase'] ?? '';
  if (!phases.some((one) => one === phase)) throw refused(`there is no phase "${phase}"`);
  const mode = phase === MANAGED_PHASE ? migrationMode(call) : undefined;
  const current = entryPointOf(zone.rulesets, phase);
  const fixed = { kind: 'zone', phase };
  const body = parseRuleset(call.body(), fixed, current, world.settings);
  const name = body.name ?? current?.name ?? 'default';
  const next = writeRuleset(current, { ...body, ...fixed, name }, world);
  if (mode === undefined) refuseEarlyStart(call, next);
  zone.rulesets = [...zone.rulesets.filter((ruleset) => ruleset !== current), next];
  if (mode !== undefined) enterMode(zone, mode, world);
  return { result: next };
}

const modes: ReadonlyMap<string, MigrationMode> = new Map([
  ['pending', 'pending'],
  ['1', 'pending'],
  ['validation', 'validation'],
  ['2', 'validation'],
]);

/** The mode that is asked for, if any. @throws Refusal when the zone may not enter it */
function migrationMode({ zone, query }: ZoneCall): MigrationMode | undefined {
  const asked = query.get('waf_migration');
  if (asked === null) return undefined;
  const mode = modes.get(asked);
  if (mode === undefined) throw refused(`waf_migration "${asked}" is not a known mode`);
  if (zone.migration.state === 'complete') throw refused('the zone has already migrated');
  const [blocker] = blockersOf(zone, phaseOf(query));
  if (blocker !== undefined) throw refused(`zone is not compatible: ${blocker}`);
  const [limit] = exceededLimits(zone);
  if (limit !== undefined) throw refused(limit);
  if (mode === 'validation' && zone.plan !== 'enterprise') {
    throw refused('validation mode is available to Enterprise zones only');
  }
  if (mode === 'validation' && zone.migration.state === 'pending') {
    throw refused('the migration is being finished and cannot go back to validation mode');
  }
  return mode;
}

/**
 * Before its migration a zone may prepare its entry point with every rule disabled only: public
 * documentation for Pro and Business; assumed for Enterprise.
 */
export function refuseEarlyStart({ zone }: ZoneCall, next: Ruleset): void {
  if (next.phase !== MANAGED_PHASE || zone.migration.state !== 'start') return;
  if (!next.rules.some((rule) => rule.enabled)) return;
  throw refused('before the migration every rule of the new WAF must be disabled');
}

/** The codes of these refusals are not known: none is made up (docs/emulator.md). */
const refused = (message: string): Refusal => refusal(400, undefined, message);
