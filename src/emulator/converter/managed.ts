import equivalents from '../catalogue/equivalents.json';
import { type JsonObject } from '../json';
import { CLOUDFLARE_MANAGED } from '../managed-rulesets';
import { type LegacyGroup, type LegacyPackage, type LegacyRule, unsetMode } from '../old-waf';
import { type ConfigRule, type Deployment, executeRule } from './config-rule';

/** Old rule id to the ids of its successors: the part of the catalogue that this emulator knows. */
const successors: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(equivalents));

/** Modes to actions; the old `simulate` becomes `log` (spec). */
const actions: Readonly<Record<string, string>> = {
  simulate: 'log',
  block: 'block',
  challenge: 'managed_challenge',
};

/**
 * The rule that deploys the Cloudflare Managed Ruleset, with one override for each old rule that
 * was not at its default. A rule without a known successor is lost, as in the service.
 */
export function convertManaged(one: LegacyPackage, deployment: Deployment): ConfigRule {
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
