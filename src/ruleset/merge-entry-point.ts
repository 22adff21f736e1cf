import { type Finding } from '../core/finding';
import { firstFree } from '../core/lists';
import { type DeclaredRule, deployedBy, type Ruleset } from '../core/ruleset';
import { matchRules, setting } from './compare-rulesets';
import { normaliseRuleset } from './normalise-ruleset';
import { viewRuleset } from './view-ruleset';

export interface MergedEntryPoint {
  readonly ruleset: Ruleset;
  readonly findings: readonly Finding[];
}

/**
 * Merges the rules of the live entry point into a configuration, because a PUT replaces the whole list and
 * deletes every rule that is not sent. The configuration sets the order and the settings; rules that the
 * entry point also has keep their id and ref. Rules that only the entry point has come first, in their order:
 * no exception of the configuration applies to them.
 * @param proposed from the Cloudflare API, or from a file of the user
 * @param options `isValidating`: the zone is in validation mode, where the user chooses which rules are on; `isFile`: the
 *   configuration is a file of the user, and a stack may have been generated from it
 * @throws MigrationError `RULESET_INVALID`
 */
export function mergeEntryPoint(
  live: Ruleset | undefined,
  proposed: Ruleset,
  { isValidating = false, isFile = false }: { isValidating?: boolean; isFile?: boolean } = {},
): MergedEntryPoint {
  if (live === undefined) return { ruleset: proposed, findings: [] };
  const before = normaliseRuleset(live).rules;
  const matches = matchRules(before, normaliseRuleset(proposed).rules);
  const taken = new Set(before.map(({ ref }) => ref));
  const ordered = [...matches].map(([rule, existing], index) =>
    existing === undefined
      ? { ...rule, ref: firstFree(rule.ref, taken) }
      : merge(
          existing,
          rule,
          // for a file, a stack declares the default of what it omits
          !isFile && (proposed.rules[index]?.fields['logging'] ?? null) === null,
        ),
  );
  const found = new Set(matches.values());
  const after = [...before.filter((rule) => !found.has(rule)), ...ordered];
  // most zones accept no enabled rules before a migration, so all rules off may not be a choice
  const comparesEnabled = isValidating || before.some(({ enabled }) => enabled);
  const findings = before.flatMap((rule) =>
    compare(rule, { before, after, isProposed: found.has(rule), comparesEnabled }),
  );
  // without the id, because this ruleset does not exist yet and must not be imported
  const { name, kind, phase, description } = live;
  const fields = { ...proposed.fields, ...live.fields };
  const described = description === undefined ? {} : { description };
  return { ruleset: { name, kind, phase, ...described, rules: after, fields }, findings };
}

interface Change {
  readonly before: readonly DeclaredRule[];
  readonly after: readonly DeclaredRule[];
  readonly isProposed: boolean;
  /** Whether it counts as a change that a rule is switched on or off. */
  readonly comparesEnabled: boolean;
}

function compare(
  rule: DeclaredRule,
  { before, after, isProposed, comparesEnabled }: Change,
): Finding[] {
  const settingOf = (one: DeclaredRule): string =>
    setting(comparesEnabled ? one : { ...one, enabled: true });
  const [setTo] = after.filter(({ ref }) => ref === rule.ref).map(settingOf);
  const excepted = exceptedBy(rule.ref, before);
  const nowExcepted = exceptedBy(rule.ref, after);
  const added = without(nowExcepted, excepted);
  const known = refsOf(before);
  const differs =
    setTo !== settingOf(rule) ||
    without(excepted, nowExcepted).length > 0 ||
    added.some(({ ref }) => known.has(ref));
  const exceptsMore = rule.enabled && !isProposed && added.some(({ enabled }) => enabled);
  return [
    ...(isProposed ? [] : [ruleKept(rule)]),
    ...(differs ? [ruleDiffers(rule)] : []),
    ...(exceptsMore ? [exceptionWider(rule)] : []),
  ];
}

/** The later rules of a list that the rule with this ref is an exception from. */
function exceptedBy(ref: string, rules: readonly DeclaredRule[]): DeclaredRule[] {
  const at = rules.findIndex((one) => one.ref === ref);
  const [rule, ...later] = at === -1 ? [] : rules.slice(at);
  return rule === undefined ? [] : later.filter(reachOf(rule));
}

/**
 * Returns whether an exception applies to a later rule, wholly or in part. It does if it names the deployed
 * ruleset or a rule of it, or skips the current ruleset. Always false if the rule is not an exception.
 */
function reachOf(rule: DeclaredRule): (other: DeclaredRule) => boolean {
  const [skip] = viewRuleset({ rules: [rule] }).skips;
  if (skip === undefined) return () => false;
  const named = new Set<string | undefined>([...skip.rulesets, ...skip.rules.keys()]);
  return (other) => other.action !== 'skip' && (skip.current || named.has(deployedBy(other)));
}

function without(rules: readonly DeclaredRule[], others: readonly DeclaredRule[]): DeclaredRule[] {
  const refs = refsOf(others);
  return rules.filter(({ ref }) => !refs.has(ref));
}

function refsOf(rules: readonly DeclaredRule[]): Set<string> {
  return new Set(rules.map(({ ref }) => ref));
}

/** @param keepsLogging whether a rule with the same action keeps the logging of the entry point */
function merge(existing: DeclaredRule, found: DeclaredRule, keepsLogging: boolean): DeclaredRule {
  const { id, ref, description } = existing;
  const isKept = keepsLogging && found.action === existing.action;
  const logging = isKept ? existing.fields['logging'] : undefined;
  return {
    ...(description === undefined ? {} : { description }),
    ...found,
    ...(id === undefined ? {} : { id }),
    ref,
    fields: logging === undefined ? found.fields : { ...found.fields, logging },
  };
}

function ruleKept(rule: DeclaredRule): Finding {
  return {
    code: 'STANDING_RULE_KEPT',
    severity: 'info',
    subject: rule.ref,
    message: `the entry point has this rule (${rule.action}) and the migration configuration does not: it is kept, before the rules of the configuration`,
    remedy:
      'check that you still need it beside the new rules, that the order is correct, and, after `start-validation --log-only`, that it does not only log',
  };
}

function ruleDiffers(rule: DeclaredRule): Finding {
  return {
    code: 'STANDING_RULE_DIFFERS',
    severity: 'decision',
    subject: rule.ref,
    message:
      'in the entry point, this rule has other settings than in the migration configuration, or is an exception from other rules; the configuration is used',
    remedy:
      'pass `--config` with the file that `start-validation` sent, `--source config` to use the migration configuration, or `--source live` to use the entry point, which blocks nothing after `start-validation --log-only`',
  };
}

function exceptionWider(rule: DeclaredRule): Finding {
  return {
    code: 'STANDING_EXCEPTION_WIDER',
    severity: 'decision',
    subject: rule.ref,
    message:
      'the entry point has this exception, and the configuration does not. It comes before the rules of the configuration, so it would apply to more rules than today',
    remedy:
      'narrow it or switch it off in the entry point, or pass --config with a file that has all rules in the correct order; to keep it, use `finish --accept STANDING_EXCEPTION_WIDER`',
  };
}
