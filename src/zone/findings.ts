import { type MigrationStatus } from '../cloudflare/waf-migration';
import { type Finding } from '../core/finding';
import { type RulesetRule } from '../core/ruleset';
import { strongestEffect } from '../ruleset/protection';

const ENABLE_ONE = 'enable at least one rule that deploys a managed ruleset';

/**
 * Nothing would be deployed, or everything would be off.
 * @param lost whether the zone would lose a WAF by it: not one whose old WAF is off
 */
export function nothingIsOn(zoneId: string, { lost }: { readonly lost: boolean }): Finding {
  return {
    code: 'NOTHING_IS_ON',
    severity: lost ? 'blocker' : 'decision',
    subject: zoneId,
    message: lost
      ? 'no managed ruleset would be on: the zone would lose its WAF with the old one'
      : 'no managed ruleset will be on; none is today, as the old WAF is off: nothing is lost, and nothing is won',
    remedy: lost ? ENABLE_ONE : `${ENABLE_ONE}, before the migration or after it`,
  };
}

/** Validation mode without a new WAF that sees anything. */
export function nothingToCompare(zoneId: string): Finding {
  return {
    code: 'NOTHING_IS_ON',
    severity: 'blocker',
    subject: zoneId,
    message:
      'no managed ruleset would be on: there would be no new WAF to compare the old one with',
    remedy: ENABLE_ONE,
  };
}

/** An old package that is on has no successor that is on. */
export function oldPackageOff(packageId: string, name: string, rulesetId: string): Finding {
  return {
    code: 'MANAGED_RULESET_OFF',
    severity: 'blocker',
    subject: rulesetId,
    message: `the old package ${name} (${packageId}) is on, and this ruleset, its successor, would be off`,
    remedy: 'deploy it; to do without it, switch the old package off first',
  };
}

/** What was saved is no longer what the service proposes. */
export function migrationConfigChanged(name: string, differences: readonly string[]): Finding {
  return {
    code: 'MIGRATION_CONFIG_CHANGED',
    severity: 'blocker',
    subject: name,
    message: `the file is not what the service proposes now: ${differences.join(', ')}`,
    remedy:
      'save the config again, generate the stack from it and compare; if you edited the file on purpose, `finish` takes --accept MIGRATION_CONFIG_CHANGED',
  };
}

/** The entry point was adjusted, and the config would undo that. */
export function standingRuleDiffers(ref: string): Finding {
  return {
    code: 'STANDING_RULE_DIFFERS',
    severity: 'blocker',
    subject: ref,
    message:
      'the entry point has this rule with other settings than the migration config, or as an exception from other rules: which of the two is meant is not to be seen',
    remedy:
      'choose: --source config sends what the service proposes, --source live what stands, which blocks nothing after start-validation --log-only; generate the stack with the same flag',
  };
}

/**
 * A PUT without it would delete a rule; a stack from the file alone does not declare it.
 * @param isWider whether it is an exception that would hold for more than it does
 */
export function standingRuleNotInFile(
  ref: string,
  { isWider }: { readonly isWider: boolean },
): Finding {
  return {
    code: 'STANDING_RULE_NOT_IN_FILE',
    severity: 'blocker',
    subject: ref,
    message: `the entry point holds this rule and the file does not: it stays, ${isWider ? 'and would hold for new rules as well' : 'where no exception holds for more than it did'}, but a stack that was generated from the file does not declare it`,
    remedy:
      'add the rule to the file as the entry point has it, with enabled false to be without it, and generate again; or generate from the live entry point afterwards: `finish` takes --accept STANDING_RULE_NOT_IN_FILE',
  };
}

/** A rule that stands keeps its ref, and a new one gets one that is free. */
export function standingRefKept(ref: string, ofFile: string): Finding {
  return {
    code: 'STANDING_REF_KEPT',
    severity: 'info',
    subject: ref,
    message: `a stack that is generated from the file calls this rule ${ofFile}: the entry point has this ref, or the other is taken`,
    remedy:
      'write this ref into the file and generate again, or generate from the live entry point afterwards; with --stack it is compared',
  };
}

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
  const effect = strongestEffect(rules);
  if (newWaf === 'off' || effect === 'off') return [unprotected(zoneId)];
  return effect === 'logs' ? [onlyLogs(zoneId)] : [];
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
