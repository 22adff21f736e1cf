import { type MigrationStatus } from '../cloudflare/waf-migration';
import { type Finding } from '../core/finding';
import { type RulesetRule } from '../core/ruleset';
import { strongestEffect } from '../ruleset/protection';

const ENABLE_ONE = 'enable at least one rule that deploys a managed ruleset';

/**
 * No managed ruleset would be deployed and on.
 * @param lost whether the legacy WAF is on, so that the zone would lose its WAF
 */
export function nothingIsOn(zoneId: string, { lost }: { readonly lost: boolean }): Finding {
  return {
    code: 'NOTHING_IS_ON',
    severity: lost ? 'blocker' : 'decision',
    subject: zoneId,
    message: lost
      ? 'no managed ruleset would be on: the zone would lose its WAF'
      : 'no managed ruleset will be on; the legacy WAF is off too: protection does not change',
    remedy: lost ? ENABLE_ONE : `${ENABLE_ONE}, before or after the migration`,
  };
}

/** Validation mode would have no new WAF to compare. */
export function nothingToCompare(zoneId: string): Finding {
  return {
    code: 'NOTHING_IS_ON',
    severity: 'blocker',
    subject: zoneId,
    message: 'no managed ruleset would be on: the legacy WAF could not be compared with a new one',
    remedy: ENABLE_ONE,
  };
}

/** The legacy package is on, but the ruleset that replaces it would be off. */
export function oldPackageOff(packageId: string, name: string, rulesetId: string): Finding {
  return {
    code: 'MANAGED_RULESET_OFF',
    severity: 'blocker',
    subject: rulesetId,
    message: `the legacy package ${name} (${packageId}) is on, but this ruleset, which replaces it, would be off`,
    remedy: 'deploy the ruleset, or switch the legacy package off first',
  };
}

/** The saved configuration differs from the current migration configuration. */
export function migrationConfigChanged(name: string, differences: readonly string[]): Finding {
  return {
    code: 'MIGRATION_CONFIG_CHANGED',
    severity: 'blocker',
    subject: name,
    message: `the file differs from the current migration configuration: ${differences.join(', ')}`,
    remedy:
      'save the migration configuration again, generate the stack from it and compare; if you edited the file on purpose, run `finish` with --accept MIGRATION_CONFIG_CHANGED',
  };
}

/** The migration configuration would undo a change of the entry point ruleset. */
export function standingRuleDiffers(ref: string): Finding {
  return {
    code: 'STANDING_RULE_DIFFERS',
    severity: 'blocker',
    subject: ref,
    message:
      'in the entry point ruleset, this rule has other settings than in the migration configuration, or is an exception from other rules: cannot tell which to send',
    remedy:
      'pass --source config to send the migration configuration, or --source live to keep the entry point ruleset (after start-validation --log-only it blocks nothing); generate the stack with the same flag',
  };
}

/**
 * The rule stays in the ruleset to send, but a stack generated from the file does not declare it.
 * @param isWider whether it is an exception that would also apply to new rules
 */
export function standingRuleNotInFile(
  ref: string,
  { isWider }: { readonly isWider: boolean },
): Finding {
  return {
    code: 'STANDING_RULE_NOT_IN_FILE',
    severity: 'blocker',
    subject: ref,
    message: `the entry point ruleset has this rule and the file does not. The rule stays${isWider ? ', and would also apply to new rules' : ''}, but a stack generated from the file does not declare it`,
    remedy:
      'add the rule to the file (with enabled false to switch it off) and generate again; or run `finish` with --accept STANDING_RULE_NOT_IN_FILE, and generate from the live entry point afterwards',
  };
}

/**
 * Finds missing protection of a zone whose legacy WAF is off.
 * @param rules of the entry point; rules that the account deploys are not included
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

function unprotected(zoneId: string): Finding {
  return {
    code: 'ZONE_UNPROTECTED',
    severity: 'decision',
    subject: zoneId,
    message: 'neither the legacy WAF nor the new WAF is on',
    remedy: 'deploy a managed ruleset, or check that this is intended',
  };
}

function onlyLogs(zoneId: string): Finding {
  return {
    code: 'NEW_RULES_LOG',
    severity: 'decision',
    subject: zoneId,
    message: 'the legacy WAF is off, and every managed ruleset that is on only logs: none blocks',
    remedy: 'remove the action log from the overrides, or check that this is intended',
  };
}
