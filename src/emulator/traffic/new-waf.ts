import { type Fields } from '../expression/evaluate';
import { holds } from '../expression/holds';
import { isJsonObject, type Json, type JsonObject } from '../json';
import { type ManagedRule, managedRulesets, OWASP_SCORE_RULE } from '../managed-rulesets';
import { entryPointOf, MANAGED_PHASE, type Rule } from '../ruleset';
import { type Zone } from '../zone';
import { effectiveRule } from './overrides';
import { type Matches } from './signatures';
import { type Skips, skipsOf } from './skips';
import { terminates, type Verdict } from './verdict';

/** Runs a request through the entry point, rule by rule, until one terminates. */
export function runNewWaf(zone: Zone, fields: Fields, matches: Matches): Verdict[] {
  const rules = entryPointOf(zone.rulesets, MANAGED_PHASE)?.rules ?? [];
  const verdicts: Verdict[] = [];
  let skips: Skips = { all: false, rulesets: new Set(), rules: new Set() };
  for (const rule of rules) {
    if (skips.all) break;
    if (!rule.enabled || !holds(rule.expression, fields)) continue;
    if (rule.action === 'skip') {
      skips = skipsOf(rule, skips);
      if (logs(rule)) verdicts.push(ownVerdict(rule));
      continue;
    }
    verdicts.push(
      ...(rule.action === 'execute' ? execute(rule, skips, matches) : [ownVerdict(rule)]),
    );
    if (verdicts.some(terminates)) break;
  }
  return verdicts;
}

function execute(rule: Rule, skips: Skips, matches: Matches): Verdict[] {
  const parameters = isJsonObject(rule['action_parameters']) ? rule['action_parameters'] : {};
  const ruleset = managedRulesets.find(({ id }) => id === parameters['id']);
  if (ruleset === undefined || skips.rulesets.has(ruleset.id)) return [];
  const overrides = parameters['overrides'];
  const rules = ruleset.rules
    .filter(({ id }) => !skips.rules.has(id))
    .map((one) => effectiveRule(one, isJsonObject(overrides) ? overrides : {}))
    .filter(({ enabled }) => enabled);
  const score = rules.reduce((sum, { id }) => sum + (matches.scores.get(id) ?? 0), 0);
  const verdicts: Verdict[] = [];
  for (const one of rules) {
    const hit =
      one.id === OWASP_SCORE_RULE
        ? score >= (one.score_threshold ?? Infinity)
        : matches.managed.has(one.id);
    if (!hit) continue;
    const verdict = managedVerdict(one, ruleset.version);
    verdicts.push(verdict);
    if (terminates(verdict)) break;
  }
  return verdicts;
}

function managedVerdict(rule: ManagedRule, rulesetVersion: string): Verdict {
  const { id, action, description, version } = rule;
  const metadata = { ruleset_version: rulesetVersion, type: 'customer', version };
  return { action, source: 'firewallmanaged', ruleId: id, ref: '', description, metadata };
}

function ownVerdict({ id, action, ref, description, version }: Rule): Verdict {
  return {
    action,
    source: 'firewallmanaged',
    ruleId: id,
    ref,
    description: textOf(description),
    metadata: { type: 'customer', version },
  };
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function logs({ logging }: Rule): boolean {
  const settings: JsonObject = isJsonObject(logging) ? logging : {};
  return settings['enabled'] === true;
}
