import equivalents from '../catalogue/equivalents.json';
import { type JsonObject } from '../json';
import { bypassRules } from '../migration';
import {
  activePageRules,
  type PageRule,
  patternExpression,
  patternOf,
  wafEffect,
} from '../page-rule';
import { CLOUDFLARE_MANAGED, OWASP_CORE, OWASP_SCORE_RULE } from '../ruleset';
import {
  type LegacyGroup,
  type LegacyPackage,
  type LegacyRule,
  unsetMode,
  type Zone,
} from '../zone';

/** The new configuration of a zone: spec, part "Get new WAF configuration". */
interface NewConfiguration {
  readonly name: string;
  readonly rules: readonly ConfigRule[];
}

/** The entry point ruleset that is equivalent to a zone's old settings, as far as there is one. */
export function convertZone(zone: Zone): NewConfiguration {
  const { enabled, packages } = zone.oldWaf;
  const on = switchedOn(zone);
  const deployment =
    on === undefined ? { expression: 'true', enabled } : { expression: on, enabled: true };
  const managed = packages
    .filter((one) => one.detection_mode === 'traditional' && one.name === 'CloudFlare')
    .map((one) => convertManaged(one, deployment));
  const owasp = packages
    .filter((one) => one.detection_mode === 'anomaly')
    .flatMap((one) => convertOwasp(one, deployment));
  return { name: 'default', rules: [...convertExceptions(zone), ...managed, ...owasp] };
}

/**
 * Skip rules for what did not pass through the old WAF: firewall rules that bypass it, and page
 * rules that disable security or switch it off (spec, "Other mapping rules"). They stand before the
 * rules that they are exceptions from.
 */
function convertExceptions(zone: Zone): ConfigRule[] {
  return [...convertBypassRules(zone), ...convertOffPageRules(zone)];
}

function convertBypassRules(zone: Zone): ConfigRule[] {
  const filters = new Map(zone.filters.map((filter) => [filter.id, filter]));
  return bypassRules(zone).flatMap(({ filter: id, paused, description = '' }) => {
    const filter = filters.get(id);
    if (filter === undefined) return [];
    return [skipRule(filter.expression, description, !paused && !filter.paused)];
  });
}

function convertOffPageRules(zone: Zone): ConfigRule[] {
  if (!zone.oldWaf.enabled) return [];
  return effective(zone.pageRules, 'off').map(({ rule, expression }) =>
    skipRule(expression, `Page rule ${patternOf(rule)}`, true),
  );
}

/** The expression of the URLs for which page rules switch on a WAF that is off; none otherwise. */
function switchedOn(zone: Zone): string | undefined {
  if (zone.oldWaf.enabled) return undefined;
  const expressions = effective(zone.pageRules, 'on').map(({ expression }) => expression);
  if (expressions.length === 0) return undefined;
  return expressions.length === 1 ? expressions.join('') : `(${expressions.join(' or ')})`;
}

/** Page rules with one effect, less the URLs that a stronger rule without it takes first. */
function effective(
  rules: readonly PageRule[],
  effect: 'on' | 'off',
): { rule: PageRule; expression: string }[] {
  const active = activePageRules(rules);
  return active.flatMap((rule, index) => {
    if (wafEffect(rule) !== effect) return [];
    const stronger = active
      .slice(0, index)
      .filter((other) => wafEffect(other) !== effect)
      .map((other) => `not ${patternExpression(patternOf(other))}`);
    const own = patternExpression(patternOf(rule));
    return [
      { rule, expression: stronger.length === 0 ? own : `(${[own, ...stronger].join(' and ')})` },
    ];
  });
}

const skipRule = (expression: string, description: string, enabled: boolean): ConfigRule =>
  configRule('skip', expression, description, enabled, { ruleset: 'current' });

/** Old rule id to the ids of its successors: the part of the catalogue that this emulator knows. */
const successors: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(equivalents));

/**
 * Old modes to new actions: `simulate` becomes `log` (spec), the others are "almost" the same; a migrated
 * zone was seen with `managed_challenge` where the old action was `challenge`.
 */
const actions: Readonly<Record<string, string>> = {
  simulate: 'log',
  block: 'block',
  challenge: 'managed_challenge',
};

/**
 * The rule that deploys the Cloudflare Managed Ruleset, with one override for each old rule that
 * was not at its default. A rule without a known successor is lost, as in the service.
 */
function convertManaged(one: LegacyPackage, deployment: Deployment): ConfigRule {
  const rules = one.groups.flatMap((group) =>
    group.rules.flatMap((rule) => {
      const change = convertRule(group, rule);
      if (change === undefined) return [];
      return (successors.get(rule.id) ?? []).map((id) => ({ id, ...change }));
    }),
  );
  return executeRule(CLOUDFLARE_MANAGED, rules.length === 0 ? undefined : { rules }, deployment);
}

/**
 * What an override says of a rule. A rule that is off keeps an `action` beside `enabled: false`:
 * the configuration operation was seen to give both. The rules of a group that is off are disabled
 * one by one, because a tag override would also catch rules that are added later.
 */
function convertRule(group: LegacyGroup, rule: LegacyRule): JsonObject | undefined {
  const fallback = actions[rule.default_mode ?? ''] ?? 'block';
  if (group.mode === 'off' || rule.mode === 'disable' || rule.mode === 'off') {
    return { action: fallback, enabled: false };
  }
  if (rule.mode === unsetMode(rule)) return undefined;
  return { action: actions[rule.mode] ?? fallback, enabled: true };
}

/** Spec, part "OWASP settings mapping": old sensitivity to paranoia level and score threshold. */
const mapping: Readonly<Record<string, { readonly level: number; readonly threshold: number }>> = {
  high: { level: 2, threshold: 40 },
  medium: { level: 1, threshold: 25 },
  low: { level: 1, threshold: 40 },
  default: { level: 2, threshold: 40 },
};

/**
 * The rule that deploys the new OWASP ruleset, none where the old one is off. Overrides of its
 * groups and rules have no equivalent and are dropped (spec).
 */
function convertOwasp(owasp: LegacyPackage, deployment: Deployment): ConfigRule[] {
  const { sensitivity = 'high', action_mode: action = 'challenge' } = owasp;
  if (sensitivity === 'off') return [];
  const { level, threshold } = mapping[sensitivity] ?? { level: 2, threshold: 40 };
  const categories = [2, 3, 4]
    .filter((one) => one > level)
    .map((one) => ({ category: `paranoia-level-${one}`, enabled: false }));
  const score = {
    id: OWASP_SCORE_RULE,
    action: actions[action] ?? action,
    score_threshold: threshold,
    enabled: true,
  };
  return [executeRule(OWASP_CORE, { categories, rules: [score] }, deployment)];
}

/**
 * A rule as the configuration operation answers it: `id`, `version` and `ref` are empty strings
 * (spec, part "Ruleset rule").
 */
interface ConfigRule {
  readonly id: '';
  readonly version: '';
  readonly action: string;
  readonly expression: string;
  readonly description: string;
  readonly ref: '';
  readonly enabled: boolean;
  readonly action_parameters: JsonObject;
}

/** For which traffic a managed ruleset is deployed, and whether it is. */
interface Deployment {
  readonly expression: string;
  readonly enabled: boolean;
}

/** A rule that deploys a managed ruleset. */
function executeRule(
  rulesetId: string,
  overrides: JsonObject | undefined,
  { expression, enabled }: Deployment,
): ConfigRule {
  return configRule('execute', expression, '', enabled, {
    id: rulesetId,
    ...(overrides === undefined ? {} : { overrides }),
  });
}

/** A rule with the fields in the order of the service's answer. */
function configRule(
  action: string,
  expression: string,
  description: string,
  enabled: boolean,
  parameters: JsonObject,
): ConfigRule {
  return {
    id: '',
    version: '',
    action,
    expression,
    description,
    ref: '',
    enabled,
    action_parameters: parameters,
  };
}
