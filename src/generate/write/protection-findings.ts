import { type MigrationStatus } from '../../cloudflare/waf-migration';
import { type DeploymentEffect, deploymentsOf } from '../../ruleset/deployments';
import { type Finding } from '../../core/finding';
import { type RulesetRule } from '../../core/ruleset';

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
  const effect = effectTogether(rules);
  if (newWaf === 'off' || effect === 'off') return [unprotected(zoneId)];
  return effect === 'logs' ? [onlyLogs(zoneId)] : [];
}

/** What a stack takes over with an entry point that stands, whatever the old WAF does. */
export function standingOnlyLogs(zoneId: string, rules: readonly RulesetRule[]): Finding[] {
  return effectTogether(rules) === 'logs' ? [declaredOnlyLogs(zoneId)] : [];
}

/** What the managed rulesets do at most; undefined where none is deployed. */
function effectTogether(rules: readonly RulesetRule[]): DeploymentEffect | undefined {
  const effects = deploymentsOf(rules).map(({ effect }) => effect);
  return (['acts', 'logs', 'off'] as const).find((effect) => effects.includes(effect));
}

/** Managed rulesets that are deployed, and that exceptions of the entry point take everything from. */
export function exceptedFindings(rules: readonly RulesetRule[]): Finding[] {
  const excepted = deploymentsOf(rules).filter(({ exceptedBy }) => exceptedBy.length > 0);
  return excepted.map(({ rulesetId, expression, exceptedBy }) => ({
    code: 'MANAGED_RULESET_OFF',
    severity: 'decision',
    subject: rulesetId,
    message: `this managed ruleset is deployed where ${expression}, and sees no request: exceptions take all of them from it (${refsOf(exceptedBy)})`,
    remedy:
      'narrow the exception, or put it behind the ruleset; otherwise make sure that this is meant',
  }));
}

function refsOf(rules: readonly RulesetRule[]): string {
  return rules.map(({ ref, id }) => ref ?? id ?? 'without a ref').join(', ');
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

function declaredOnlyLogs(zoneId: string): Finding {
  return {
    code: 'NEW_RULES_LOG',
    severity: 'decision',
    subject: zoneId,
    message: 'every managed ruleset that is on in the entry point only logs, and is declared so',
    remedy:
      'after start-validation --log-only generate from what the zone will finish with (--source config, or --config <file>); otherwise make sure that this is meant',
  };
}
