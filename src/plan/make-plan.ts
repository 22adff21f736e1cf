import { dirname, join, resolve } from 'node:path';
import { terraformFileName } from '../core/terraform-syntax';
import { firstFree, listed, mapConcurrently } from '../core/lists';
import { unlessRefused } from '../cloudflare/collection';
import { readEntryPoint } from '../cloudflare/rulesets';
import { type Client } from '../cloudflare/client';
import { CONNECTIONS } from '../cloudflare/rate-limiter';
import {
  awaitsFinish,
  type MigrationStatus,
  readMigrationStatus,
} from '../cloudflare/waf-migration';
import { type Finding } from '../core/finding';
import { parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { printable } from '../core/printable';
import { planFolder } from '../files/paths';
import { withoutKeys } from '../core/resource-address';
import { MANAGED_PHASE } from '../core/ruleset';
import { generateStack } from '../generate/generate-stack';
import { parseEntryPoint } from '../generate/read-source';
import { cdktfFolder, synthCommand } from '../project/cdktf-project';
import { synthesisedStacks } from '../project/terraform-folders';
import { isOfZone, readDeclarations } from '../project/declarations';
import { protectionFindings, strongestEffect } from '../ruleset/protection';
import { isSynthesised } from '../tfconfig/find-blocks';
import { proveEdits } from '../tfconfig/file-edit';
import { mustRemoveAll } from './facts/derive-facts';
import { type OwnedZone, type PlannedZone, type StateFacts } from './facts/facts';
import {
  addressOfZone,
  boundProvider,
  declaredNotInState,
  isEntryPointOf,
} from './facts/ruleset-address';
import { countOf } from './facts/one-state';
import { type Method, type Plan } from './plan-schema';
import { configFilesOf, planMigration } from './plan-migration';
import { majorOf, versionsOf } from './facts/provider-versions';
import { type PassedFlag } from './steps/terraform-flags';

export interface PlanRequest {
  readonly zones: readonly string[];
  /** Known domains by zone, which need no request. */
  readonly names?: ReadonlyMap<string, string>;
  /** Ruleset ids by zone from the user, which need no request. */
  readonly rulesetIds: ReadonlyMap<string, string>;
  readonly states: readonly StateFacts[];
  /** Address of the ruleset. With several zones, the start of the zone id is appended. */
  readonly address: string;
  /** Undefined only if {@link zonesToRead} names no zone. */
  readonly client: Client | undefined;
  /** Migration statuses by zone that are known, and need no request. */
  readonly statuses?: ReadonlyMap<string, MigrationStatus>;
  readonly method?: Method;
  readonly flags?: readonly PassedFlag[];
  /** The command that plans only some of the zones. */
  readonly commandFor?: (zones: readonly string[]) => string;
}

/**
 * Plans the migration of states. Changes nothing and never calls the legacy API.
 * @throws MigrationError `ENTRY_POINT_MISSING`, `STATE_INVALID`, and those of the client
 */
export async function makePlan(request: PlanRequest): Promise<Plan> {
  const { method = 'commands', flags = [] } = request;
  refuseWithoutState(request.states);
  const selected = [...new Set(request.zones)];
  const zones = await readLiveZones(selected, request);
  // the values are in these flags or files, which are not read
  const setsVariables = flags.some(({ word }) => /^-var(?:-file)?=/.test(word));
  // names identify states and their backups
  const taken = new Set<string>();
  const states = request.states.map((state) => ({
    ...state,
    name: firstFree(state.name, taken),
    ...(setsVariables && { unsetVariables: [], values: new Map() }),
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
  generate = 'generate --zone <id or name> --out <dir>',
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
 * @param cwd the folder that shown paths are relative to
 * @throws MigrationError `ENTRY_POINT_DECLARED`
 */
export async function requireSynthesised(
  zones: readonly string[],
  states: readonly StateFacts[],
  folder: string,
  cwd: string,
): Promise<void> {
  const stack = states.find(
    ({ configuration }) => configuration && isSynthesised(configuration.project),
  );
  const project = stack && cdktfFolder(resolve(folder, stack.dir));
  const absent = zones.filter(
    (zone) =>
      !states.some(
        ({ rulesets, declared }) =>
          rulesets.some(isEntryPointOf(zone)) || declared.some(({ zoneId }) => zoneId === zone),
      ),
  );
  if (project === undefined || absent.length === 0) return;
  for (const { file, text, entryPoints } of await readDeclarations(project, 'cdktf')) {
    const zone = absent.find((id) => entryPoints.some((one) => isOfZone(one, id)));
    if (zone === undefined) continue;
    const message = `${printable(file)} declares the entry point of zone ${zone}, and no planned stack has it`;
    const inner = cdktfFolder(dirname(resolve(project, file))) ?? project;
    const name = /^export class (\w+)/m.exec(text)?.[1];
    const add = name === undefined ? '' : `check that the program has new ${name}(…), `;
    const hint =
      inner === project
        ? `delete ${printable(file)} if nothing uses it; otherwise ${add}synthesise the project, then plan again, with the stack that has the ruleset:\n${synthCommand(project)}`
        : howToPlanTogether(project, inner, cwd);
    throw new MigrationError('ENTRY_POINT_DECLARED', message, { hint });
  }
}

/** @param inner a CDKTF project in a folder of another one */
function howToPlanTogether(project: string, inner: string, cwd: string): string {
  const place = printable(planFolder(cwd, inner), 200);
  const [own, others] = [inner, project].map((one) =>
    synthesisedStacks(one).map((stack) => posixQuote(planFolder(cwd, join(one, stack)))),
  );
  if (own?.length === 0)
    return `run \`${synthCommand(inner)}\` in ${place}, which is a project of its own, then plan again`;
  const dirs = [...(others ?? []), ...(own ?? [])].join(' ');
  return `plan it together with the stacks of ${place}, which is a project of its own:\ncf-waf-migrate plan --dir ${dirs}`;
}

export function zonesWithLegacyResources(states: readonly StateFacts[]): string[] {
  const resources = states.flatMap(({ legacyResources }) => legacyResources);
  const managed = resources.filter(({ mode }) => mode === 'managed');
  return [...new Set(managed.flatMap(({ zoneId }) => zoneId ?? []))].map(parseZoneId);
}

/**
 * The zones to plan if none is selected: those with legacy resources. If there are none, those whose ruleset is declared
 * and not imported, as an interrupted run leaves them. If there are none either, those whose ruleset is in a state.
 */
export function defaultZones(states: readonly StateFacts[]): string[] {
  const zones = zonesWithLegacyResources(states);
  if (zones.length > 0) return zones;
  const idsOf = (rulesets: readonly { readonly zoneId: string | undefined }[]): string[] =>
    rulesets.flatMap(({ zoneId }) => zoneId ?? []);
  const rulesets = states.flatMap((state) => state.rulesets);
  const inStates = idsOf(rulesets.filter(({ phase }) => phase === MANAGED_PHASE));
  const elsewhere = states.flatMap(({ importedElsewhere = [] }) => importedElsewhere);
  const declared = idsOf(states.flatMap(declaredNotInState)).filter(
    (id) => ![...inStates, ...elsewhere].includes(id),
  );
  return [...new Set(declared.length > 0 ? declared : inStates)];
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
    states.flatMap(({ legacyResources, rulesets, declared }) =>
      [...legacyResources, ...rulesets, ...declared].map(({ zoneId }) => zoneId),
    ),
  );
  return zones.filter((zone) => known.has(zone));
}

/** The zones whose ruleset needs a request. If there are none, a plan needs no credentials. */
export function zonesToRead({
  zones,
  rulesetIds,
  states,
}: Pick<PlanRequest, 'zones' | 'rulesetIds' | 'states'>): readonly string[] {
  const zoneIds = [...new Set(zones)];
  if (nothingIsLeft(states, zoneIds)) return [];
  return zoneIds.filter((zoneId) => !rulesetIds.has(zoneId));
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

/**
 * Reads the live rulesets, but not those whose ids the user gave. The planner takes the other zones from the states.
 */
async function readLiveZones(
  zoneIds: readonly string[],
  request: PlanRequest,
): Promise<readonly PlannedZone[]> {
  const { rulesetIds, names, client, statuses } = request;
  const toAsk = new Set(zonesToRead(request));
  const missing = new Set<string>();
  const found = await mapConcurrently(
    zoneIds.filter((zoneId) => rulesetIds.has(zoneId) || toAsk.has(zoneId)),
    CONNECTIONS,
    async (zoneId) => {
      const address = addressAmong(zoneIds, zoneId, request.address);
      const zone = { zoneId, name: names?.get(zoneId), address };
      const rulesetId = rulesetIds.get(zoneId);
      if (rulesetId !== undefined) return { ...zone, rulesetId };
      if (client === undefined) throw new TypeError('this zone needs a request');
      const live = await readLiveRuleset(client, zoneId, statuses?.get(zoneId));
      if (live === undefined) missing.add(zoneId);
      return live && { ...zone, ...live };
    },
  );
  if (missing.size > 0) throw withoutEntryPoint(missing, request);
  return found.filter((zone) => zone !== undefined);
}

/** The address of the ruleset of one of several zones. */
function addressAmong(zoneIds: readonly string[], zoneId: string, address: string): string {
  if (zoneIds.length === 1) return address;
  const short = addressOfZone(address, zoneId);
  const alike = zoneIds.filter((one) => addressOfZone(address, one) === short);
  return alike.length > 1 ? `${address}_${zoneId}` : short;
}

/** One zone that has not migrated stops the plan of all; the others can be planned, unless no state lets them go alone. */
function withoutEntryPoint(
  missing: ReadonlySet<string>,
  { zones, states, method, commandFor }: PlanRequest,
): MigrationError {
  const others = zones.filter((zone) => !missing.has(zone));
  const areHeldBack = states.some(
    (state) =>
      (method === 'blocks' || mustRemoveAll(state)) &&
      state.legacyResources.some(({ zoneId = '' }) => missing.has(zoneId)),
  );
  const status = `cf-waf-migrate status --zone ${[...missing].join(' ')}`;
  const hint =
    others.length === 0 || areHeldBack || commandFor === undefined
      ? `finish the migration first; if it is finished, deploy a managed ruleset:\n${status}`
      : `finish the migration first, or plan only the other zones:\n${commandFor(others)}`;
  const message = `no entry point ruleset to import in ${listed([...missing].map((zone) => `zone ${zone}`))}`;
  return new MigrationError('ENTRY_POINT_MISSING', message, { hint });
}

/** Undefined if the zone has no entry point. */
async function readLiveRuleset(
  client: Client,
  zoneId: string,
  known: MigrationStatus | undefined,
): Promise<Pick<PlannedZone, 'rulesetId' | 'declare' | 'findings'> | undefined> {
  const [entryPoint, status] = await Promise.all([
    readEntryPoint(client, zoneId),
    // Cloudflare may have retired the migration API
    known ?? unlessRefused(readMigrationStatus(client, zoneId)),
  ]);
  const source = entryPoint === undefined ? undefined : parseEntryPoint(entryPoint, zoneId);
  const rulesetId = source?.ruleset.id;
  if (source === undefined || rulesetId === undefined) return undefined;
  return {
    rulesetId,
    declare: (zone) => declarationFile(source, zone),
    findings: [
      ...(status !== undefined && awaitsFinish(status) ? [notMigrated(zoneId, status)] : []),
      ...(strongestEffect(source.ruleset.rules) === 'off' ? protectionFindings(zoneId, 'off') : []),
    ],
  };
}

function notMigrated(zoneId: string, { migrationState }: MigrationStatus): Finding {
  return {
    code: 'ZONE_NOT_MIGRATED',
    severity: 'decision',
    subject: zoneId,
    message: `its migration is not finished (migration state ${migrationState}): \`finish\` replaces the ruleset that this plan imports, and the configuration would then differ`,
    remedy: `finish the migration first, then plan again:\ncf-waf-migrate status --zone ${zoneId}`,
  };
}

/** The file that declares a ruleset exactly. An inexact one needs a decision, so the user runs `generate` instead. */
function declarationFile(
  source: ReturnType<typeof parseEntryPoint>,
  { zoneId, name, owner, address }: OwnedZone,
) {
  const resourceName = withoutKeys(address).split('.').at(-1) ?? address;
  const { resourceFile, findings } = generateStack({
    zone: { id: zoneId, name },
    source,
    provider: majorOf(versionsOf(owner).to),
    format: 'hcl',
    resourceName,
    providerReference: boundProvider(owner, zoneId),
    count: address.endsWith(']') ? countOf(owner, zoneId) : undefined,
  });
  const isExact = findings.every(({ severity }) => severity === 'info');
  return isExact
    ? { path: terraformFileName(resourceName, '.tf'), text: resourceFile.text }
    : undefined;
}
