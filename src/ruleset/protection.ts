import { type Finding } from '../core/finding';
import { printable } from '../core/printable';
import { type Ruleset, type RulesetRule, SCORING_RULE } from '../core/ruleset';
import { surelyCovers } from './expressions';
import { OWASP_RULESET, rulesetName } from './known-rulesets';
import { normaliseRuleset } from './normalise-ruleset';
import {
  exceptionsBefore,
  type ExecuteView,
  isScoringOff,
  over,
  owaspOff,
  viewRuleset,
} from './view-ruleset';

export type DeploymentEffect = 'off' | 'logs' | 'acts';

interface Deployment {
  readonly rule: RulesetRule;
  readonly rulesetId: string;
  /** The requests that it is deployed for; `true` is every request. */
  readonly expression: string;
  /** What the managed ruleset does after its rule, its overrides and the exceptions before it. */
  readonly effect: DeploymentEffect;
  /** The skip rules before it that skip all of it where they match. */
  readonly exceptions: readonly RulesetRule[];
  /** The exception that matches every request of it; undefined if it may see some. */
  readonly exceptedBy: RulesetRule | undefined;
}

/** The managed rulesets that the rules of an entry point deploy, in their order. */
export function deploymentsOf(rules: readonly RulesetRule[]): Deployment[] {
  const view = viewRuleset({ rules });
  return view.executes.flatMap((execute) => {
    const rule = rules[execute.index];
    if (rule === undefined) return [];
    // only the scoring rule acts in OWASP, so an exception from it is enough
    const target = { ruleset: execute.ruleset, rule: SCORING_RULE };
    const before = execute.enabled ? exceptionsBefore(view, execute, target) : [];
    const exception = before.find((one) => surelyCovers(one.expression, execute.expression));
    const exceptedBy = exception && rules[exception.index];
    const effect = exceptedBy === undefined ? effectOf(execute) : 'off';
    const { expression } = rule;
    const exceptions = before.flatMap(({ index }) => rules[index] ?? []);
    return [{ rule, rulesetId: execute.ruleset, expression, effect, exceptions, exceptedBy }];
  });
}

const EFFECTS = { acts: 'on ', logs: 'log', off: 'off' } as const;

/** A deployed managed ruleset in words: `on  Cloudflare Managed Ruleset`. */
export const shownDeployment = ({ rulesetId, effect }: Pick<Deployment, 'rulesetId' | 'effect'>) =>
  `${EFFECTS[effect]} ${printable(rulesetName(rulesetId), 60)}`;

/** Whether the rules deploy a managed ruleset that is on and sees requests. */
export function deploysAny(rules: readonly RulesetRule[]): boolean {
  return deploymentsOf(rules).some(({ effect }) => effect !== 'off');
}

/**
 * The strongest effect of the managed rulesets; undefined if none is deployed.
 * @param ruleset for one of them
 */
export function strongestEffect(
  rules: readonly RulesetRule[],
  ruleset?: string,
): DeploymentEffect | undefined {
  const effects = deploymentsOf(rules).flatMap(({ rulesetId, effect }) =>
    ruleset === undefined || rulesetId === ruleset ? effect : [],
  );
  return (['acts', 'logs', 'off'] as const).find((effect) => effects.includes(effect));
}

/**
 * What a rule does with its overrides: those of tags and rules win over the one of the whole ruleset.
 * Single rules that are off or log do not count. Of OWASP, only the scoring rule acts; `log` for all of it
 * counts, although it may not reach the scoring rule (provider issues 2056, 2287).
 */
function effectOf(execute: ExecuteView): DeploymentEffect {
  if (!execute.enabled || isOwaspOff(execute)) return 'off';
  const { all, rules, categories } = execute;
  if (execute.ruleset === OWASP_RULESET)
    return (rules.get(SCORING_RULE)?.action ?? all.action) === 'log' ? 'logs' : 'acts';
  const on = [...rules, ...categories].filter(([, one]) => over(all, one).enabled !== false);
  const allOff = all.enabled === false;
  if (allOff && on.length === 0) return 'off';
  const logs = on.every(([, one]) => over(all, one).action === 'log');
  return logs && (allOff || all.action === 'log') ? 'logs' : 'acts';
}

/** Whether OWASP surely does nothing; single rules that are switched on count even if their level is off. */
function isOwaspOff(execute: ExecuteView): boolean {
  if (execute.ruleset !== OWASP_RULESET) return false;
  if (isScoringOff(execute)) return true;
  const countsOne = [...execute.rules].some(([id, { enabled }]) => enabled && id !== SCORING_RULE);
  return !countsOne && owaspOff(execute) !== undefined;
}

/** Finds managed rulesets that would do less in the sent entry point than in the proposed or existing one. */
export function lostProtection(
  proposed: Ruleset,
  existing: Ruleset | undefined,
  sent: Ruleset,
): Finding[] {
  const deployed = (one: Ruleset): Deployment[] => deploymentsOf(normaliseRuleset(one).rules);
  const after = deployed(sent);
  const before = [proposed, ...(existing === undefined ? [] : [existing])].flatMap(deployed);
  const missing = (counts: (one: Deployment) => boolean): Map<string, Deployment> =>
    new Map(
      before
        .filter(counts)
        .filter(({ rulesetId, expression }) => {
          const same = after.filter((one) => counts(one) && one.rulesetId === rulesetId);
          return !same.some((one) => surelyCovers(one.expression, expression));
        })
        .map((one) => [`${one.rulesetId} ${one.expression}`, one]),
    );
  const off = missing(({ effect }) => effect !== 'off');
  const onlyLogging = [...missing(({ effect }) => effect === 'acts')].filter(
    ([key]) => !off.has(key),
  );
  return [
    ...[...off.values()].map(managedRulesetOff),
    ...onlyLogging.map(([, one]) => newRulesLog(one)),
  ];
}

function managedRulesetOff({ rulesetId, expression }: Deployment): Finding {
  return {
    code: 'MANAGED_RULESET_OFF',
    severity: 'blocker',
    subject: rulesetId,
    message: `this managed ruleset is on where ${expression}, and would be off after the migration`,
    remedy:
      'deploy it for the same requests, without an exception before it that matches them all. If you do not need it, first switch it off in the legacy WAF or the entry point ruleset',
  };
}

function newRulesLog({ rulesetId, expression }: Deployment): Finding {
  return {
    code: 'NEW_RULES_LOG',
    severity: 'blocker',
    subject: rulesetId,
    message: `this managed ruleset would only log where ${expression}: it would block nothing, and after the migration the legacy WAF does not block either`,
    remedy:
      'send the proposed migration configuration (--source config) or the saved one (--config <file>); to log only, use `finish --accept NEW_RULES_LOG`',
  };
}

/**
 * Reports an entry point that blocks nothing.
 * @param effect of its managed rulesets ({@link strongestEffect})
 */
export function protectionFindings(
  subject: string,
  effect: DeploymentEffect | undefined,
): Finding[] {
  if (effect === undefined || effect === 'acts') return [];
  const finding = {
    off: {
      code: 'ZONE_UNPROTECTED',
      message: 'no managed ruleset of the entry point is on: none blocks or logs',
      remedy: 'deploy a managed ruleset, or switch one on; otherwise check that this is intended',
    },
    logs: {
      code: 'NEW_RULES_LOG',
      message: 'every managed ruleset that is on in the entry point only logs: none blocks',
      remedy:
        'in validation mode, generate from the configuration that `finish` will send (--source config, or --config <file>). Otherwise remove the action log from the overrides, or check that you want to log only',
    },
  }[effect];
  return [{ severity: 'decision', subject, ...finding }];
}

/** Reports deployed managed rulesets that see no request because of exceptions. */
export function exceptedFindings(rules: readonly RulesetRule[]): Finding[] {
  return deploymentsOf(rules).flatMap(({ rulesetId, expression, exceptedBy }): Finding[] => {
    if (exceptedBy === undefined) return [];
    const { ref, id } = exceptedBy;
    return [
      {
        code: 'MANAGED_RULESET_OFF',
        severity: 'decision',
        subject: rulesetId,
        message: `this managed ruleset is deployed where ${expression}, but sees no request: an exception matches all of them (${ref ?? id ?? 'without a ref'})`,
        remedy:
          'narrow the exception, or move it after the managed ruleset; otherwise check that you want this',
      },
    ];
  });
}
