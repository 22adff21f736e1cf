import { type MigrationStatus } from '../cloudflare/waf-migration';
import { effectOf } from '../generate/deployment-effect';
import { deployedBy } from '../generate/rule-content';
import { type Finding } from '../model/finding';
import { type RulesetRule } from '../model/ruleset';

/**
 * What a zone whose old WAF is off lacks.
 * @param rules of the entry point; what an account deploys is not among them
 */
export function protectionFindings(
  zoneId: string,
  { oldWaf, newWaf }: Pick<MigrationStatus, 'oldWaf' | 'newWaf'>,
  rules: readonly RulesetRule[],
): Finding[] {
  if (oldWaf !== 'off') return [];
  const effects = rules.filter((rule) => deployedBy(rule) !== undefined).map(effectOf);
  const are = (...which: string[]) =>
    effects.length > 0 && effects.every((effect) => which.includes(effect));
  if (newWaf === 'off' || are('off')) return [unprotected(zoneId)];
  return are('off', 'logs') ? [onlyLogs(zoneId)] : [];
}

/** The last call has arrived, and the switch does not come: every rule of the entry point is off. */
export function switchWaits(zoneId: string): Finding {
  return {
    code: 'NOTHING_IS_ON',
    severity: 'decision',
    subject: zoneId,
    message:
      'the service switches as soon as a rule of the entry point is on, and none is: the old WAF stays on until then',
    remedy: `enable a rule that deploys a managed ruleset (dashboard, Terraform or Rulesets interface), then: cf-waf-migrate finish --zone ${zoneId} --confirm <name of the zone>`,
  };
}

/** Whether a zone in {@link switchWaits}: the new WAF is on with the first rule that is enabled. */
export function waitsForRule(
  { oldWaf, newWaf }: MigrationStatus,
  rules: readonly RulesetRule[],
): boolean {
  return oldWaf !== 'off' && newWaf === 'off' && rules.every(({ enabled }) => enabled === false);
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

function onlyLogs(zoneId: string): Finding {
  return {
    code: 'NEW_RULES_LOG',
    severity: 'decision',
    subject: zoneId,
    message: 'the old WAF is off, and every managed ruleset that is on only logs: none blocks',
    remedy: 'take the action log out of the overrides, or make sure that this is meant',
  };
}
