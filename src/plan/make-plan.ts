import { resolve } from 'node:path';
import { firstFree } from '../core/lists';
import { parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { MANAGED_PHASE } from '../core/ruleset';
import { cdktfFolder, synthCommand } from '../project/cdktf-project';
import { otherCallers } from '../project/read-configuration';
import { isOfZone, readDeclarations } from '../project/declarations';
import { isSynthesised } from '../tfconfig/find-blocks';
import { proveEdits } from '../tfconfig/file-edit';
import { type StateFacts } from './facts/facts';
import { declaredNotInState, isEntryPointOf } from './facts/ruleset-address';
import { zonesInConfiguration } from './facts/zones-of-blocks';
import { type Plan } from './plan-schema';
import { type LiveZonesRequest, readLiveZones } from './read-live-zones';
import { configFilesOf, planMigration } from './plan-migration';
import { type PassedFlag } from './steps/terraform-flags';

export interface PlanRequest extends LiveZonesRequest {
  /** Of the plan, absolute. */
  readonly folder: string;
  readonly flags?: readonly PassedFlag[];
}

/**
 * Plans the migration of states. Changes nothing and never calls the legacy API.
 * @throws MigrationError `ENTRY_POINT_MISSING`, `STATE_INVALID`, and those of the client
 */
export async function makePlan(request: PlanRequest): Promise<Plan> {
  const { method = 'commands', flags = [] } = request;
  refuseWithoutState(request.states);
  const selected = [...new Set(request.zones)];
  const zones = await readLiveZones({ ...request, zones: selected }, new Set(zonesToRead(request)));
  const configurations = request.states.flatMap(({ configuration }) => configuration ?? []);
  const callers = await otherCallers(configurations, request.folder);
  // names identify states and their backups
  const taken = new Set<string>();
  const states = request.states.map((state) => ({
    ...state,
    otherCallers: callers,
    name: firstFree(state.name, taken),
  }));
  const plan = planMigration(zones, states, method, selected, flags);
  await proveEdits(
    plan.steps.flatMap(({ edits = [] }) => edits),
    states.flatMap(({ configuration }) => (configuration ? configFilesOf(configuration) : [])),
  );
  return plan;
}

/**
 * @param generate the command that declares the ruleset in a new folder
 * @param folders how the user names the folders of the states
 * @throws MigrationError `STATE_INVALID`, unless the first import into a new stack will create the state
 */
export function refuseWithoutState(
  states: readonly StateFacts[],
  generate = 'generate --zone <id or name> --format hcl --out <dir>',
  folders = states.map(({ dir }) => printable(dir)).join(', '),
): void {
  if (states.some((state) => state.exists || declaredNotInState(state).length > 0)) return;
  throw new MigrationError('STATE_INVALID', `there is no state in ${folders}`, {
    hint: `in a new folder, first declare the ruleset with the command below; otherwise run \`terraform init\` there, and check TF_WORKSPACE and TF_DATA_DIR; for a CDKTF project, synthesise it and pass --dir cdktf.out/stacks/<stack>\ncf-waf-migrate ${generate}`,
  });
}

/**
 * A zone has one entry point. A program of the CDKTF project that declares it has to be synthesised before its import is
 * planned: a plan of the other stacks would declare it twice.
 * @param folder of the plan
 * @throws MigrationError `ENTRY_POINT_DECLARED`
 */
export async function requireSynthesised(
  zones: readonly string[],
  states: readonly StateFacts[],
  folder: string,
): Promise<void> {
  const stack = states.find(
    ({ configuration }) => configuration && isSynthesised(configuration.project),
  );
  const project = stack && cdktfFolder(resolve(folder, stack.dir));
  if (project === undefined) return;
  const absent = zones.filter(
    (zone) =>
      !states.some(
        ({ rulesets, declared }) =>
          rulesets.some(isEntryPointOf(zone)) || declared.some(({ zoneId }) => zoneId === zone),
      ),
  );
  if (absent.length === 0) return;
  for (const { file, text, entryPoints } of await readDeclarations(project, 'cdktf')) {
    const zone = absent.find((id) => entryPoints.some((one) => isOfZone(one, id)));
    if (zone === undefined) continue;
    const message = `${printable(file)} declares the entry point of zone ${zone}, and no planned stack has it`;
    const name = /^export class (\w+)/m.exec(text)?.[1];
    const add = name === undefined ? '' : `check that the program has new ${name}(…), `;
    const hint = `delete ${printable(file)} if nothing uses it; otherwise ${add}synthesise the project, then plan again, with the stack that has the ruleset:\n${synthCommand(project)}`;
    throw new MigrationError('ENTRY_POINT_DECLARED', message, { hint });
  }
}

export function zonesWithLegacyResources(states: readonly StateFacts[]): string[] {
  const resources = states.flatMap(({ legacyResources }) => legacyResources);
  const managed = resources.filter(({ mode }) => mode === 'managed');
  return [...new Set(managed.flatMap(({ zoneId }) => zoneId ?? []))].map(parseZoneId);
}

/**
 * The zones to plan if none is selected: those with legacy resources. If there are none, those whose ruleset is declared
 * and not imported, as an interrupted run leaves them. If there are none either, those whose ruleset is in a state, or
 * else those of legacy data sources.
 */
export function defaultZones(states: readonly StateFacts[]): string[] {
  const zones = zonesWithLegacyResources(states);
  if (zones.length > 0) return zones;
  const idsOf = (rulesets: readonly { readonly zoneId: string | undefined }[]): string[] =>
    rulesets.flatMap(({ zoneId }) => zoneId ?? []);
  const rulesets = states.flatMap((state) => state.rulesets);
  const inStates = idsOf(rulesets.filter(({ phase }) => phase === MANAGED_PHASE));
  const declared = idsOf(states.flatMap(declaredNotInState)).filter((id) => !inStates.includes(id));
  const found = [declared, inStates].find((ids) => ids.length > 0);
  const ofData = idsOf(states.flatMap(({ legacyResources }) => legacyResources));
  return [...new Set(found ?? ofData.map(parseZoneId))];
}

/**
 * The zones of a list or an account that the states have: others are in other folders. All zones, if a state declares a
 * ruleset whose zone is an expression.
 */
export function listedZonesInStates(
  zones: readonly string[],
  states: readonly StateFacts[],
): readonly string[] {
  if (
    states.some((state) => declaredNotInState(state).some(({ zoneId }) => zoneId === undefined))
  ) {
    return zones;
  }
  const known = new Set(
    states.flatMap((state) => [
      ...[...state.legacyResources, ...state.rulesets, ...state.declared].map(
        ({ zoneId }) => zoneId,
      ),
      // the state can have lost the resources of a zone
      ...zonesInConfiguration(state),
    ]),
  );
  return zones.filter((zone) => known.has(zone));
}

/** The zones whose ruleset needs a request. If there are none, a plan needs no credentials. */
export function zonesToRead({
  zones,
  rulesetIds,
  states,
}: Pick<PlanRequest, 'zones' | 'rulesetIds' | 'states'>): readonly string[] {
  if (nothingIsLeft(states, zones)) return [];
  return zones.filter((zoneId) => !rulesetIds.has(zoneId));
}

/**
 * Whether nothing is removed or imported, so that no request is needed. In one folder, the rulesets must also be in the
 * state, because the legacy resources may have been removed before.
 */
function nothingIsLeft(states: readonly StateFacts[], zoneIds: readonly string[]): boolean {
  const isSelected = ({ zoneId = '' }): boolean => zoneIds.includes(zoneId);
  const awaitsImport = (state: StateFacts): boolean => declaredNotInState(state).some(isSelected);
  if (states.some((state) => state.legacyResources.length > 0 || awaitsImport(state))) return false;
  const [state, another] = states;
  if (state?.configuration === undefined || another !== undefined) return true;
  return zoneIds.every((zoneId) => state.rulesets.some(isEntryPointOf(zoneId)));
}
