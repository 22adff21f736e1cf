import { type Client } from '../cloudflare/client';
import { listRulesets, readEntryPoint } from '../cloudflare/rulesets';
import { readMigrationStatus } from '../cloudflare/waf-migration';
import { parseRuleset } from '../generate/parse-ruleset';
import { type Finding } from '../model/finding';
import { isJsonObject } from '../model/json';
import { MigrationError } from '../model/migration-error';

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
  const {
    oldWaf = 'unknown',
    newWaf = 'unknown',
    migrationState = 'unknown',
  } = await readMigrationStatus(client, zoneId);
  const deployed = await readDeployed(client, zoneId);
  const findings = oldWaf === 'off' && newWaf === 'off' ? [unprotected(zoneId)] : [];
  return { oldWaf, newWaf, migrationState, deployed, findings };
}

async function readDeployed(client: Client, zoneId: string): Promise<DeployedRuleset[]> {
  const entryPoint = await readEntryPoint(client, zoneId);
  if (entryPoint === undefined) return [];
  const names = new Map<string, string>();
  for await (const ruleset of listRulesets(client, zoneId)) names.set(ruleset.id, ruleset.name);
  return rulesOf(entryPoint).flatMap(
    ({ action, enabled, expression, fields }): DeployedRuleset[] => {
      const parameters = fields['action_parameters'];
      const id = isJsonObject(parameters) ? parameters['id'] : undefined;
      if (action !== 'execute' || typeof id !== 'string') return [];
      const name = names.get(id);
      return [
        { id, ...(name === undefined ? {} : { name }), enabled: enabled ?? true, expression },
      ];
    },
  );
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
