import { type Client } from '../cloudflare/client';
import { readEntryPoint } from '../cloudflare/entry-point';
import { listRulesets } from '../cloudflare/rulesets';
import { readMigrationStatus } from '../cloudflare/waf-migration';
import { parseRuleset } from '../generate/parse-ruleset';
import { deployedBy } from '../generate/rule-content';
import { type Finding } from '../model/finding';
import { MigrationError } from '../model/migration-error';
import { positionOf } from './zone-position';

/** A managed ruleset that the entry point deploys. */
export interface DeployedRuleset {
  readonly id: string;
  /** Absent when the zone does not list the ruleset. */
  readonly name?: string;
  readonly enabled: boolean;
  readonly expression: string;
}

/** The command's JSON. A WAF is `unknown` where the service does not say. */
export interface StatusResult {
  readonly oldWaf: 'on' | 'off' | 'unknown';
  readonly newWaf: 'on' | 'off' | 'unknown';
  readonly migrationState: string;
  readonly deployed: readonly DeployedRuleset[];
  readonly findings: readonly Finding[];
}

/**
 * Which WAF is on, how far the migration is, and what the new one deploys.
 * @throws MigrationError those of the client
 */
export async function status(client: Client, zoneId: string): Promise<StatusResult> {
  const [status, deployed] = await Promise.all([
    readMigrationStatus(client, zoneId),
    readDeployed(client, zoneId),
  ]);
  const { oldWaf = 'unknown', newWaf = 'unknown', migrationState = 'unknown' } = status;
  const findings = [
    ...(oldWaf === 'off' && newWaf === 'off' ? [unprotected(zoneId)] : []),
    ...(positionOf(status) === 'moving' ? [beingMoved(zoneId)] : []),
  ];
  return { oldWaf, newWaf, migrationState, deployed, findings };
}

async function readDeployed(client: Client, zoneId: string): Promise<DeployedRuleset[]> {
  const entryPoint = await readEntryPoint(client, zoneId);
  if (entryPoint === undefined) return [];
  const deployed = rulesOf(entryPoint).flatMap((rule): DeployedRuleset[] => {
    const id = deployedBy(rule);
    const { enabled = true, expression } = rule;
    return id === undefined ? [] : [{ id, enabled, expression }];
  });
  if (deployed.length === 0) return [];
  const names = new Map<string, string>();
  for await (const ruleset of listRulesets(client, zoneId)) names.set(ruleset.id, ruleset.name);
  return deployed.map((one) => {
    const name = names.get(one.id);
    return name === undefined ? one : { ...one, name };
  });
}

/** An entry point without rules deploys nothing: for a status that is an answer, not a failure. */
function rulesOf(entryPoint: unknown): ReturnType<typeof parseRuleset>['ruleset']['rules'] {
  try {
    return parseRuleset(entryPoint).ruleset.rules;
  } catch (error) {
    if (error instanceof MigrationError && error.code === 'RULESET_EMPTY') return [];
    throw error;
  }
}

function unprotected(zoneId: string): Finding {
  return {
    code: 'ZONE_UNPROTECTED',
    severity: 'decision',
    subject: zoneId,
    message: 'neither the old nor the new WAF managed rules are on',
    remedy: 'deploy a managed ruleset, or make sure that this is meant',
  };
}

function beingMoved(zoneId: string): Finding {
  return {
    code: 'MIGRATION_UNDER_WAY',
    severity: 'info',
    subject: zoneId,
    message: 'the service is switching the zone over, which can take up to an hour',
    remedy: `wait for it: cf-waf-migrate finish --zone ${zoneId} --confirm <name of the zone>`,
  };
}
