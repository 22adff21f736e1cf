import { type Client } from '../cloudflare/client';
import { listRulesets } from '../cloudflare/rulesets';
import { readMigrationStatus } from '../cloudflare/waf-migration';
import { type DeploymentEffect, effectOf } from '../generate/deployment-effect';
import { asMet } from '../generate/excepted';
import { deployedBy } from '../generate/rule-content';
import { type Finding } from '../model/finding';
import { type RulesetRule } from '../model/ruleset';
import {
  exceptedFindings,
  protectionFindings,
  switchWaits,
  waitsForRule,
} from './protection-findings';
import { readStanding } from './read-standing';
import { positionOf } from './zone-position';

/** A managed ruleset that the entry point deploys. */
export interface DeployedRuleset {
  readonly id: string;
  /** Absent when the zone does not list the ruleset. */
  readonly name?: string;
  readonly enabled: boolean;
  /** What its overrides, and exceptions before it, leave of it: nothing, events alone, or the whole. */
  readonly effect: DeploymentEffect;
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
  const [status, standing] = await Promise.all([
    readMigrationStatus(client, zoneId),
    readStanding(client, zoneId),
  ]);
  const rules = standing?.ruleset.rules ?? [];
  const { oldWaf = 'unknown', newWaf = 'unknown', migrationState = 'unknown' } = status;
  const findings = [
    ...protectionFindings(zoneId, status, rules),
    ...exceptedFindings(rules),
    ...(positionOf(status) === 'moving'
      ? [waitsForRule(status, rules) ? switchWaits(zoneId) : beingMoved(zoneId)]
      : []),
  ];
  const deployed = await named(client, zoneId, deployedRulesets(rules));
  return { oldWaf, newWaf, migrationState, deployed, findings };
}

function deployedRulesets(rules: readonly RulesetRule[]): DeployedRuleset[] {
  const met = asMet(rules);
  return rules.flatMap((rule, index) => {
    const id = deployedBy(rule);
    const { enabled = true, expression } = rule;
    const effect = effectOf(met[index] ?? rule);
    return id === undefined ? [] : [{ id, enabled, effect, expression }];
  });
}

async function named(
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

/** The last call has arrived, and the switch is awaited. */
export function beingMoved(zoneId: string): Finding {
  return {
    code: 'MIGRATION_UNDER_WAY',
    severity: 'info',
    subject: zoneId,
    message: 'the service is switching the zone over, which can take up to an hour',
    remedy: `wait for it: cf-waf-migrate finish --zone ${zoneId} --confirm <name of the zone>`,
  };
}
