import { type DeclaredRule } from '../model/ruleset';
import { reachOf } from './exception-reach';

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
  const reaches = new Map([...before, ...ordered].map((rule) => [rule, reachOf(rule)]));
  const holds = (exception: DeclaredRule, rule: DeclaredRule): boolean =>
    reaches.get(exception)?.(rule) === true;
  const rules = [...ordered];
  for (const [index, rule] of before.entries()) {
    if (named.has(rule.ref)) continue;
    const isEarlier = ({ ref }: DeclaredRule): boolean => (stood.get(ref) ?? index) < index;
    const isLater = ({ ref }: DeclaredRule): boolean => (stood.get(ref) ?? index) > index;
    const behindLast = (is: (other: DeclaredRule) => boolean): number =>
      rules.findLastIndex(is) + 1;
    const beforeFirst = (is: (other: DeclaredRule) => boolean): number => {
      const found = rules.findIndex(is);
      return found === -1 ? rules.length : found;
    };
    const behindNeighbour = behindLast(({ ref }) => stood.get(ref) === index - 1);

    // as an exception
    const behindEarlier = behindLast((one) => holds(rule, one) && isEarlier(one));
    const behindNew = behindLast((one) => holds(rule, one) && !isLater(one));
    const beforeHeld = beforeFirst((one) => holds(rule, one) && isLater(one));
    // as a rule that exceptions hold for
    const behindHolding = behindLast((one) => holds(one, rule) && isEarlier(one));
    const beforeOthers = beforeFirst((one) => holds(one, rule) && !isEarlier(one));

    const wanted = Math.max(behindNeighbour, behindNew, behindHolding);
    const at = Math.max(behindEarlier, Math.min(wanted, beforeHeld, beforeOthers));
    rules.splice(at, 0, rule);
  }
  return rules;
}
