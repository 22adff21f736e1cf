import { type Finding } from '../model/finding';
import { type DeclaredRule, type Ruleset } from '../model/ruleset';
import { normaliseRuleset } from './normalise-ruleset';
import { deployedBy, ruleContent } from './rule-content';

/** The entry point that a migration leads to, and what a person should know of it. */
export interface MergedEntryPoint {
  readonly ruleset: Ruleset;
  readonly findings: readonly Finding[];
}

/**
 * Puts the configuration that the service proposes into the entry point that stands already: a PUT
 * replaces the whole list, so that what is not sent again is deleted. A rule that stands keeps its
 * place, id and ref; where the configuration has the same rule, it takes its settings; what is new
 * is put in: exceptions first, because they count for what follows them, deployments last.
 *
 * @throws MigrationError `RULESET_INVALID`
 */
export function mergeEntryPoint(
  standing: Ruleset | undefined,
  proposed: Ruleset,
): MergedEntryPoint {
  if (standing === undefined) return { ruleset: proposed, findings: [] };
  const before = normaliseRuleset(standing).ruleset.rules;
  const { matches, fresh } = match(before, proposed);
  const findings = before.flatMap((rule) => {
    const found = matches.get(rule);
    if (found === undefined) return [standingKept(rule)];
    return setting(rule) === setting(found) ? [] : [standingDiffers(rule)];
  });
  const kept = before.map((rule) => merge(rule, matches.get(rule)));
  const isDeployment = (rule: DeclaredRule): boolean => deployedBy(rule) !== undefined;
  const rules = [
    ...fresh.filter((rule) => !isDeployment(rule)),
    ...kept,
    ...fresh.filter(isDeployment),
  ];
  // Without the id: what this leads to does not exist yet, and is not to be imported as it is.
  const { name, kind, phase, description, fields } = standing;
  const described = description === undefined ? {} : { description };
  return { ruleset: { name, kind, phase, ...described, rules, fields }, findings };
}

/** Pairs the rules: first by what they do, then, for a rule that was changed, by name. */
function match(before: readonly DeclaredRule[], proposed: Ruleset) {
  let open = normaliseRuleset(proposed).ruleset.rules;
  const matches = new Map<DeclaredRule, DeclaredRule>();
  const same = [
    isSameDeployment,
    (one: DeclaredRule, other: DeclaredRule) => one.ref === other.ref,
  ];
  for (const is of same) {
    for (const rule of before) {
      const found = matches.has(rule) ? undefined : open.find((other) => is(rule, other));
      if (found === undefined) continue;
      matches.set(rule, found);
      open = open.filter((other) => other !== found);
    }
  }
  const taken = new Set(before.map(({ ref }) => ref));
  return { matches, fresh: open.map((rule) => ({ ...rule, ref: firstFree(rule.ref, taken) })) };
}

/** Refs of new rules were made without a look at those that stand. */
function firstFree(ref: string, taken: Set<string>): string {
  let free = ref;
  for (let number = 2; taken.has(free); number += 1) free = `${ref}_${number}`;
  taken.add(free);
  return free;
}

function isSameDeployment(one: DeclaredRule, other: DeclaredRule): boolean {
  const deployed = deployedBy(one);
  if (deployed === undefined) return ruleContent(one) === ruleContent(other);
  return deployed === deployedBy(other) && one.expression === other.expression;
}

function merge(standing: DeclaredRule, found: DeclaredRule | undefined): DeclaredRule {
  if (found === undefined) return standing;
  const { id, ref, description } = standing;
  return {
    ...(description === undefined ? {} : { description }),
    ...found,
    ...(id === undefined ? {} : { id }),
    ref,
  };
}

/** Whether a rule is on does not count: before a migration the service wants every rule off. */
function setting(rule: DeclaredRule): string {
  return ruleContent({ ...rule, enabled: true });
}

function standingKept(rule: DeclaredRule): Finding {
  return {
    code: 'STANDING_RULE_KEPT',
    severity: 'info',
    subject: rule.ref,
    message: `the entry point holds this rule (${rule.action}) and the migration config does not: it is kept where it stands`,
    remedy: 'check that it is still wanted beside the new rules, and that the order is right',
  };
}

function standingDiffers(rule: DeclaredRule): Finding {
  return {
    code: 'STANDING_RULE_DIFFERS',
    severity: 'decision',
    subject: rule.ref,
    message:
      'the entry point has this rule with other settings than the migration config; those of the config are taken',
    remedy:
      'take `--source config` for what is proposed, `--source live` for what stands, which blocks nothing after `start-validation --log-only`',
  };
}
