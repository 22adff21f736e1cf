import { unlessRefused } from '../cloudflare/refusals';
import { type Client } from '../cloudflare/client';
import { CONNECTIONS } from '../cloudflare/rate-limiter';
import {
  awaitsFinish,
  type MigrationStatus,
  positionOf,
  readMigrationStatus,
} from '../cloudflare/waf-migration';
import { type Finding } from '../core/finding';
import { listed, mapConcurrently } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { withoutKeys } from '../core/resource-address';
import { type Ruleset } from '../core/ruleset';
import { terraformFileName } from '../core/terraform-syntax';
import { generateStack } from '../generate/generate-stack';
import { readLiveEntryPoint, requireRules } from '../generate/read-source';
import { protectionFindings, strongestEffect } from '../ruleset/protection';
import { type Method, type OwnedZone, type PlannedZone, type StateFacts } from './facts/facts';
import { mustRemoveAll } from './facts/remove-all';
import { countOf } from './facts/one-state';
import { majorOf, versionsOf } from './facts/provider-versions';
import { addressOfZone, boundProvider } from './facts/ruleset-address';

/** What a plan is made for, from which the live rulesets are read. */
export interface LiveZonesRequest {
  readonly zones: readonly string[];
  /** Known domains by zone, which need no request. */
  readonly names?: ReadonlyMap<string, string>;
  /** Ruleset ids by zone from the user, which need no request. */
  readonly rulesetIds: ReadonlyMap<string, string>;
  readonly states: readonly StateFacts[];
  /** Address of the ruleset. With several zones, the start of the zone id is appended. */
  readonly address: string;
  /** Undefined only if no zone needs a request. */
  readonly client: Client | undefined;
  /** Migration statuses by zone that are known, and need no request. */
  readonly statuses?: ReadonlyMap<string, MigrationStatus>;
  readonly method?: Method;
  /** The command that plans only some of the zones. */
  readonly commandFor?: (zones: readonly string[]) => string;
}

/**
 * Reads the live rulesets, but not those whose ids the user gave. The planner takes the other zones from the states.
 * @param toAsk the zones whose ruleset needs a request
 * @throws MigrationError `ENTRY_POINT_MISSING`, and those of the client
 */
export async function readLiveZones(
  request: LiveZonesRequest,
  toAsk: ReadonlySet<string>,
): Promise<readonly PlannedZone[]> {
  const { zones, rulesetIds, names, client, statuses } = request;
  const missing = new Set<string>();
  const found = await mapConcurrently(
    zones.filter((zoneId) => rulesetIds.has(zoneId) || toAsk.has(zoneId)),
    CONNECTIONS,
    async (zoneId) => {
      const address = addressAmong(zones, zoneId, request.address);
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

/** A zone without an entry point stops the plan of all. The others can be planned, unless a state removes all together. */
function withoutEntryPoint(
  missing: ReadonlySet<string>,
  { zones, states, method, commandFor }: LiveZonesRequest,
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
  const [live, status] = await Promise.all([
    readLiveEntryPoint(client, zoneId),
    // Cloudflare may have retired the migration API
    known ?? unlessRefused(readMigrationStatus(client, zoneId)),
  ]);
  const rulesetId = live?.ruleset.id;
  if (live === undefined || rulesetId === undefined) return undefined;
  const { ruleset } = live;
  requireRules(ruleset, zoneId);
  const effect = strongestEffect(ruleset.rules);
  // rules that only log can be those of validation mode
  const isDoubtful =
    effect === 'logs' && (status === undefined || positionOf(status) === 'unknown');
  return {
    rulesetId,
    declare: (zone) => declarationFile(ruleset, zone),
    findings: [
      ...(status !== undefined && awaitsFinish(status) ? [notMigrated(zoneId, status)] : []),
      ...(effect === 'off' || isDoubtful ? protectionFindings(zoneId, effect) : []),
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
function declarationFile(ruleset: Ruleset, { zoneId, name, owner, address }: OwnedZone) {
  const resourceName = withoutKeys(address).split('.').at(-1) ?? address;
  const { resourceFile, findings } = generateStack({
    zone: { id: zoneId, name },
    source: { origin: 'live', ruleset },
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
