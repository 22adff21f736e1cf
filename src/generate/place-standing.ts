import { type DeclaredRule } from '../model/ruleset';
import { reachOf } from '../ruleset/exceptions';

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
export function placeStanding(
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
