import { type Finding } from '../core/finding';
import { type JsonValue } from '../core/json';
import { type DeclaredRule, type Ruleset } from '../core/ruleset';
import { heldFor, isException, reachOf } from './exceptions';
import { matchRules, setting } from './match-rules';
import { normaliseRuleset } from './normalise-ruleset';

/** The entry point that a migration leads to, and what a person should know of it. */
export interface MergedEntryPoint {
  readonly ruleset: Ruleset;
  readonly findings: readonly Finding[];
}

/** What is known of a configuration and of its zone. */
interface MergeOptions {
  /** The zone is in validation mode: its rules may be on, and which are not a person has said. */
  readonly isValidating?: boolean;
  /** It is a person's file, of which a stack may have been made: what it leaves out is as that declares it. */
  readonly isFile?: boolean;
}

/**
 * Puts the entry point that stands into a configuration: a PUT replaces the whole list, so that what
 * is not sent again is deleted. The rules of the configuration come in its order and with its
 * settings; one that stands keeps its id and ref. What the configuration does not have is kept, where
 * no exception holds for more than it did ({@link placeStanding}).
 *
 * @param proposed by the service, or by whoever edited that
 * @throws MigrationError `RULESET_INVALID`
 */
export function mergeEntryPoint(
  standing: Ruleset | undefined,
  proposed: Ruleset,
  { isValidating = false, isFile = false }: MergeOptions = {},
): MergedEntryPoint {
  if (standing === undefined) return { ruleset: proposed, findings: [] };
  const before = normaliseRuleset(standing).ruleset.rules;
  const matches = matchRules(before, normaliseRuleset(proposed).ruleset.rules);
  const taken = new Set(before.map(({ ref }) => ref));
  const ordered = [...matches].map(([rule, stood], index) =>
    stood === undefined
      ? { ...rule, ref: firstFree(rule.ref, taken) }
      : merge(stood, rule, isFile ? undefined : (proposed.rules[index]?.fields['logging'] ?? null)),
  );
  const rules = placeStanding(before, ordered);
  const found = new Set(matches.values());
  const isSwitched = isValidating || isSwitchedOn(before);
  const findings = before.flatMap((rule) =>
    compare(rule, { before, after: rules, isProposed: found.has(rule), isSwitched }),
  );
  // Without the id: what this leads to does not exist yet, and is not to be imported as it is.
  const { name, kind, phase, description, fields } = standing;
  const described = description === undefined ? {} : { description };
  return { ruleset: { name, kind, phase, ...described, rules, fields }, findings };
}

/** All rules, before and after, and what counts of a rule that stands. */
interface Change {
  readonly before: readonly DeclaredRule[];
  readonly after: readonly DeclaredRule[];
  readonly isProposed: boolean;
  /** Whether it counts that it is on. */
  readonly isSwitched: boolean;
}

/** What becomes of a rule that stands. */
function compare(rule: DeclaredRule, { before, after, isProposed, isSwitched }: Change): Finding[] {
  const held = heldFor(before, rule);
  const holds = heldFor(after, rule);
  const stood = refsOf(before);
  const more = without(holds, held);
  const isElsewhere = without(held, holds).length > 0 || more.some(({ ref }) => stood.has(ref));
  const settingOf = (one: DeclaredRule): string =>
    setting(isSwitched ? one : { ...one, enabled: true });
  const [setTo] = after.filter(({ ref }) => ref === rule.ref).map(settingOf);
  const isOther = isElsewhere || setTo !== settingOf(rule);
  const isWider = rule.enabled && !isProposed && more.some(({ enabled }) => enabled);
  return [
    ...(isProposed ? [] : [standingKept(rule)]),
    ...(isOther ? [standingDiffers(rule)] : []),
    ...(isWider ? [exceptionWider(rule)] : []),
  ];
}

function without(rules: readonly DeclaredRule[], others: readonly DeclaredRule[]): DeclaredRule[] {
  const refs = refsOf(others);
  return rules.filter(({ ref }) => !refs.has(ref));
}

function refsOf(rules: readonly DeclaredRule[]): Set<string> {
  return new Set(rules.map(({ ref }) => ref));
}

/**
 * Whether a person said of the rules which are on. Where all are off nobody may have: before a
 * migration the service takes no others from most zones.
 */
function isSwitchedOn(rules: readonly DeclaredRule[]): boolean {
  return rules.some(({ enabled }) => enabled);
}

/** Refs of new rules were made without a look at those that stand. */
function firstFree(ref: string, taken: Set<string>): string {
  let free = ref;
  for (let number = 2; taken.has(free); number += 1) free = `${ref}_${number}`;
  taken.add(free);
  return free;
}

/** @param logging what the configuration says of it: where that is null, it stays as it stands */
function merge(
  standing: DeclaredRule,
  found: DeclaredRule,
  logging: JsonValue | undefined,
): DeclaredRule {
  const { id, ref, description } = standing;
  const isSame = logging === null && found.action === standing.action;
  const stands = isSame ? standing.fields['logging'] : undefined;
  return {
    ...(description === undefined ? {} : { description }),
    ...found,
    ...(id === undefined ? {} : { id }),
    ref,
    fields: stands === undefined ? found.fields : { ...found.fields, logging: stands },
  };
}

function standingKept(rule: DeclaredRule): Finding {
  return {
    code: 'STANDING_RULE_KEPT',
    severity: 'info',
    subject: rule.ref,
    message: `the entry point holds this rule (${rule.action}) and the migration config does not: it is kept ${isException(rule) ? 'behind what is new, where it can be' : 'where it stands'}`,
    remedy: 'check that it is still wanted beside the new rules, and that the order is right',
  };
}

function standingDiffers(rule: DeclaredRule): Finding {
  return {
    code: 'STANDING_RULE_DIFFERS',
    severity: 'decision',
    subject: rule.ref,
    message:
      'the entry point has this rule with other settings than the migration config, or as an exception from other rules; the config is taken',
    remedy:
      'take `--source config` for what is proposed, `--source live` for what stands, which blocks nothing after `start-validation --log-only`',
  };
}

function exceptionWider(rule: DeclaredRule): Finding {
  return {
    code: 'STANDING_EXCEPTION_WIDER',
    severity: 'decision',
    subject: rule.ref,
    message:
      'the entry point holds this exception and the configuration does not: it would hold for new rules as well, because they come behind what it holds for',
    remedy:
      'narrow it or switch it off in the entry point, or pass --config with a file that has all rules in the order that is meant; if this is, `finish` takes --accept STANDING_EXCEPTION_WIDER',
  };
}

interface Placed {
  readonly rule: DeclaredRule;
  readonly reaches: (other: DeclaredRule) => boolean;
}

/**
 * Puts rules that stand into a list that does not name them, so that no exception holds for more
 * than it did: of the rules that it reaches, none comes before one that it was behind, and none that
 * is new before one that stands. An exception that stands comes behind what is new, unless that is
 * behind what it has always held for. Within that, each comes behind the rule that it stood behind.
 *
 * @param before all that stands, in its order
 * @param ordered in the order that is wanted; what stands in it is known by its ref
 */
function placeStanding(
  before: readonly DeclaredRule[],
  ordered: readonly DeclaredRule[],
): DeclaredRule[] {
  const stood = new Map(before.map(({ ref }, index) => [ref, index]));
  const named = new Set(ordered.map(({ ref }) => ref));
  const rules = ordered.map(asPlaced);
  for (const [index, rule] of before.entries()) {
    if (named.has(rule.ref)) continue;
    const own = asPlaced(rule);
    const placeOf = (one: Placed): number | undefined => stood.get(one.rule.ref);
    const isEarlier = (one: Placed): boolean => (placeOf(one) ?? index) < index;
    const isLater = (one: Placed): boolean => (placeOf(one) ?? index) > index;
    const behindLast = (is: (one: Placed) => boolean): number => rules.findLastIndex(is) + 1;
    const beforeFirst = (is: (one: Placed) => boolean): number => {
      const found = rules.findIndex(is);
      return found === -1 ? rules.length : found;
    };
    const behindNeighbour = behindLast((one) => placeOf(one) === index - 1);

    // as an exception
    const behindEarlier = behindLast((one) => own.reaches(one.rule) && isEarlier(one));
    const behindNew = behindLast((one) => own.reaches(one.rule) && !isLater(one));
    const beforeHeld = beforeFirst((one) => own.reaches(one.rule) && isLater(one));
    // as a rule that exceptions hold for
    const behindHolding = behindLast((one) => one.reaches(rule) && isEarlier(one));
    const beforeOthers = beforeFirst((one) => one.reaches(rule) && !isEarlier(one));

    const wanted = Math.max(behindNeighbour, behindNew, behindHolding);
    const at = Math.max(behindEarlier, Math.min(wanted, beforeHeld, beforeOthers));
    rules.splice(at, 0, own);
  }
  return rules.map(({ rule }) => rule);
}

function asPlaced(rule: DeclaredRule): Placed {
  return { rule, reaches: reachOf(rule) };
}
