import { type Finding } from '../core/finding';
import { type Ruleset, type RulesetRule } from '../core/ruleset';
import {
  type Deployment,
  type DeploymentEffect,
  deploymentsOf,
  findSwitchedOff,
} from './deployments';
import { normaliseRuleset } from './normalise-ruleset';

/** Managed rulesets that act or log today, by proposal or as they stand, and would do less. */
export function lostProtection(
  proposed: Ruleset,
  standing: Ruleset | undefined,
  after: Ruleset,
): Finding[] {
  const deployed = (one: Ruleset): Deployment[] =>
    deploymentsOf(normaliseRuleset(one).ruleset.rules);
  const now = deployed(after);
  const before = [proposed, ...(standing === undefined ? [] : [standing])].flatMap(deployed);
  const missing = (counts: (one: Deployment) => boolean): Map<string, Deployment> =>
    new Map(
      findSwitchedOff(before.filter(counts), now.filter(counts)).map((one) => [
        `${one.rulesetId} ${one.expression}`,
        one,
      ]),
    );
  const off = missing(({ effect }) => effect !== 'off');
  const onlyLogging = [...missing(({ effect }) => effect === 'acts')].flatMap(([key, one]) =>
    off.has(key) ? [] : [one],
  );
  return [...[...off.values()].map(managedRulesetOff), ...onlyLogging.map(newRulesLog)];
}

function managedRulesetOff({ rulesetId, expression }: Deployment): Finding {
  return {
    code: 'MANAGED_RULESET_OFF',
    severity: 'blocker',
    subject: rulesetId,
    message: `this managed ruleset is on where ${expression}, and would no longer be`,
    remedy:
      'deploy it for the same requests, with no exception before it that takes all of them; to do without it, switch it off first, in the old WAF or the entry point',
  };
}

function newRulesLog({ rulesetId, expression }: Deployment): Finding {
  return {
    code: 'NEW_RULES_LOG',
    severity: 'blocker',
    subject: rulesetId,
    message: `this managed ruleset would only log where ${expression}: it would block nothing, and after the migration no old WAF does`,
    remedy:
      'send what the service proposes (--source config) or what was saved before (--config <file>); if logging is meant, `finish` takes --accept NEW_RULES_LOG',
  };
}

/** What the managed rulesets do at most; undefined where none is deployed. */
export function strongestEffect(rules: readonly RulesetRule[]): DeploymentEffect | undefined {
  const effects = deploymentsOf(rules).map(({ effect }) => effect);
  return (['acts', 'logs', 'off'] as const).find((effect) => effects.includes(effect));
}

/** A stack that would declare managed rulesets which only log. */
export function onlyLogsFindings(zoneId: string, rules: readonly RulesetRule[]): Finding[] {
  if (strongestEffect(rules) !== 'logs') return [];
  return [
    {
      code: 'NEW_RULES_LOG',
      severity: 'decision',
      subject: zoneId,
      message: 'every managed ruleset that is on in the entry point only logs, and is declared so',
      remedy:
        'after start-validation --log-only generate from what the zone will finish with (--source config, or --config <file>); otherwise make sure that this is meant',
    },
  ];
}

/** Managed rulesets that are deployed, and from which exceptions of the entry point take every request. */
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
