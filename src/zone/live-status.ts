import { type Client } from '../cloudflare/client';
import {
  type MigrationStatus,
  positionOf,
  readMigrationStatus,
  type ZonePosition,
} from '../cloudflare/waf-migration';
import { isRefusal, notChecked } from '../cloudflare/refusals';
import { isForbidden } from '../cloudflare/failures';
import { CONNECTIONS } from '../cloudflare/rate-limiter';
import { type Finding } from '../core/finding';
import { mapConcurrently } from '../core/lists';
import { orFailure } from '../core/migration-error';
import { type RulesetRule } from '../core/ruleset';
import { readLiveEntryPoint } from '../generate/read-source';
import { rulesetName } from '../ruleset/known-rulesets';
import {
  type DeploymentEffect,
  deploymentsOf,
  exceptedFindings,
  protectionFindings,
  strongestEffect,
} from '../ruleset/protection';

interface DeployedRuleset {
  readonly id: string;
  /** Its id if the name is unknown. */
  readonly name: string;
  readonly enabled: boolean;
  /** The effect after its overrides and the exceptions before it. */
  readonly effect: DeploymentEffect;
  readonly expression: string;
  /** The expressions of the skip rules before it, if there are any: it does not see what they match. */
  readonly skippedWhere?: readonly string[];
}

const STATUS_REFUSED =
  'check the credentials, and their permission Zone WAF Read for this zone; for a migrated zone, Cloudflare may have retired the migration API';

/** Which WAF of a zone is on, as far as the API reports it. */
export interface WafStatus {
  readonly oldWaf: 'on' | 'off' | 'unknown';
  readonly newWaf: 'on' | 'off' | 'unknown';
  readonly migrationState: string;
}

export function wafStatus(status: MigrationStatus): WafStatus {
  const { oldWaf = 'unknown', newWaf = 'unknown', migrationState = 'unknown' } = status;
  return { oldWaf, newWaf, migrationState };
}

export interface LiveStatus extends WafStatus {
  /**
   * The progress, derived from {@link WafStatus}; `unread` if the API does not report it, `unclear` if only managed
   * rulesets tell that the migration has begun.
   */
  readonly position: ZonePosition | 'unread' | 'unclear';
  readonly deployed: readonly DeployedRuleset[];
  /** The live entry point, if there is one. */
  readonly rulesetId?: string | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Reports which WAF is on, how far the migration is, and what the new WAF deploys, even if the migration API is
 * retired.
 */
export async function readLiveStatus(client: Client, zoneId: string): Promise<LiveStatus> {
  const unread: Finding[] = [];
  let isRefused = false;
  const [status, live] = await Promise.all([
    readMigrationStatus(client, zoneId).catch((error: unknown): MigrationStatus => {
      if (!isRefusal(error)) throw error;
      isRefused = isForbidden(error);
      unread.push(notChecked('migration status', zoneId, error, STATUS_REFUSED));
      return {};
    }),
    readLiveEntryPoint(client, zoneId),
  ]);
  const rules = live?.ruleset.rules ?? [];
  const position = positionOf(status);
  const findings = [
    ...unread,
    ...missingProtection(zoneId, status, live?.ruleset.rules),
    ...exceptedFindings(rules),
    ...(position === 'moving' ? [beingMoved(zoneId)] : []),
  ];
  const deployed = deploymentsOf(rules).map((one): DeployedRuleset => ({
    id: one.rulesetId,
    name: rulesetName(one.rulesetId),
    enabled: one.rule.enabled ?? true,
    effect: one.effect,
    expression: one.expression,
    ...(one.exceptions.length > 0 && {
      skippedWhere: one.exceptions.map(({ expression }) => expression),
    }),
  }));
  const shown = position === 'unknown' ? withoutStatus(deployed, isRefused) : position;
  const rulesetId = live?.ruleset.id;
  return { ...wafStatus(status), position: shown, deployed, rulesetId, findings };
}

/** With a managed ruleset, the zone is migrated or in validation mode; or the migration API is retired. */
function withoutStatus(
  deployed: readonly DeployedRuleset[],
  isRefused: boolean,
): LiveStatus['position'] {
  if (deployed.length === 0) return 'unread';
  return isRefused ? 'unclear' : 'unknown';
}

/** Which zones have no WAF. Leaves out a zone that cannot be read. */
export async function unprotectedZones(
  client: Client,
  zones: readonly string[],
): Promise<Finding[]> {
  const read = await mapConcurrently(zones, CONNECTIONS, (zone) =>
    orFailure(readLiveStatus(client, zone)),
  );
  return read.flatMap(({ findings }) => findings.filter(({ code }) => code === 'ZONE_UNPROTECTED'));
}

/**
 * Whether a zone is not to be planned yet: it is in validation mode, or has not migrated and deploys no managed ruleset.
 * Asks for the entry point only if it has not migrated.
 */
export async function awaitsMigration(
  client: Client,
  zoneId: string,
  status: MigrationStatus,
): Promise<boolean> {
  const position = positionOf(status);
  if (position !== 'start') return position === 'validation';
  const live = await readLiveEntryPoint(client, zoneId);
  return deploymentsOf(live?.ruleset.rules ?? []).length === 0;
}

/**
 * Finds missing protection of a zone whose legacy WAF is off.
 * @param rules of the entry point, if there is one; rules that the account deploys are not included
 */
export function missingProtection(
  zoneId: string,
  { oldWaf, newWaf }: Pick<MigrationStatus, 'oldWaf' | 'newWaf'>,
  rules: readonly RulesetRule[] | undefined,
): Finding[] {
  if (oldWaf !== 'off') return [];
  const isOff = newWaf === 'off' || rules?.length === 0;
  return protectionFindings(zoneId, isOff ? 'off' : strongestEffect(rules ?? []));
}

/** The irreversible call of a zone has been made. */
export function migrationBegun(zoneId: string, position: ZonePosition): Finding[] {
  if (position === 'moving') return [beingMoved(zoneId)];
  if (position !== 'moved') return [];
  return [
    {
      code: 'ALREADY_MIGRATED',
      severity: 'info',
      subject: zoneId,
      message: 'the zone has already migrated',
      remedy: `see what is left to do:\ncf-waf-migrate status --zone ${zoneId}`,
    },
  ];
}

/** Cloudflare has not switched yet. */
function beingMoved(zoneId: string): Finding {
  return {
    code: 'MIGRATION_UNDER_WAY',
    severity: 'info',
    subject: zoneId,
    message:
      'Cloudflare is switching the zone, which can take up to an hour; while no rule of its entry point is on, the legacy WAF stays on',
    remedy: `wait for the switch for 10 minutes, or for longer with --wait <seconds>:\ncf-waf-migrate finish --zone ${zoneId}`,
  };
}
