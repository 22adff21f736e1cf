import { type Client } from '../cloudflare/client';
import { listRulesets } from '../cloudflare/rulesets';
import {
  type MigrationStatus,
  positionOf,
  readMigrationStatus,
  type ZonePosition,
} from '../cloudflare/waf-migration';
import { type DeploymentEffect, deploymentsOf } from '../ruleset/protection';
import { type Finding } from '../core/finding';
import { type MigrationError } from '../core/migration-error';
import { exceptedFindings } from '../ruleset/protection';
import { protectionFindings } from './findings';
import { isRefusal, notChecked } from '../cloudflare/collection';
import { readLiveEntryPoint } from '../generate/read-source';

/** A managed ruleset that the entry point deploys. */
export interface DeployedRuleset {
  readonly id: string;
  /** Absent if the zone does not list the ruleset. */
  readonly name?: string;
  readonly enabled: boolean;
  /** The effect after its overrides and the exceptions before it. */
  readonly effect: DeploymentEffect;
  readonly expression: string;
}

/** The status of one zone. A WAF is `unknown` if the API does not report it. */
export interface LiveStatus {
  readonly oldWaf: 'on' | 'off' | 'unknown';
  readonly newWaf: 'on' | 'off' | 'unknown';
  readonly migrationState: string;
  /** The progress, derived from the three fields above. */
  readonly position: ZonePosition;
  readonly deployed: readonly DeployedRuleset[];
  readonly findings: readonly Finding[];
}

/**
 * Reports which WAF is on, how far the migration is, and what the new WAF deploys, even if the migration API is
 * retired.
 * @throws MigrationError those of the client
 */
export async function status(
  client: Client,
  zoneId: string,
  { named }: { readonly named: boolean },
): Promise<LiveStatus> {
  const [{ status, unread }, live] = await Promise.all([
    readStatus(client, zoneId),
    readLiveEntryPoint(client, zoneId),
  ]);
  const rules = live?.ruleset.rules ?? [];
  const { oldWaf = 'unknown', newWaf = 'unknown', migrationState = 'unknown' } = status;
  const position = positionOf(status);
  const findings = [
    ...(unread === undefined ? [] : [notChecked('migration status', zoneId, unread)]),
    ...protectionFindings(zoneId, status, rules),
    ...exceptedFindings(rules),
    ...(position === 'moving' ? [beingMoved(zoneId)] : []),
  ];
  const deployed = deploymentsOf(rules).map(
    ({ rule: { enabled = true }, rulesetId: id, effect, expression }): DeployedRuleset => ({
      id,
      enabled,
      effect,
      expression,
    }),
  );
  return {
    oldWaf,
    newWaf,
    migrationState,
    position,
    deployed: named ? await withNames(client, zoneId, deployed) : deployed,
    findings,
  };
}

interface ReadStatus {
  readonly status: MigrationStatus;
  /** Why the status is empty. */
  readonly unread?: MigrationError;
}

async function readStatus(client: Client, zoneId: string): Promise<ReadStatus> {
  try {
    return { status: await readMigrationStatus(client, zoneId) };
  } catch (error) {
    if (isRefusal(error)) return { status: { raw: undefined }, unread: error };
    throw error;
  }
}

async function withNames(
  client: Client,
  zoneId: string,
  deployed: readonly DeployedRuleset[],
): Promise<readonly DeployedRuleset[]> {
  if (deployed.length === 0) return deployed;
  const names = new Map<string, string>();
  for await (const ruleset of listRulesets(client, zoneId)) names.set(ruleset.id, ruleset.name);
  return deployed.map((one) => {
    const name = names.get(one.id);
    return name === undefined ? one : { ...one, name };
  });
}

/** The irreversible call has arrived, and Cloudflare has not switched yet. */
export function beingMoved(zoneId: string): Finding {
  return {
    code: 'MIGRATION_UNDER_WAY',
    severity: 'info',
    subject: zoneId,
    message:
      'Cloudflare is switching the zone, which can take up to an hour; while no rule of its entry point is on, the legacy WAF stays on',
    remedy: `wait for the switch:\ncf-waf-migrate finish --zone ${zoneId} --confirm <name of the zone>`,
  };
}
