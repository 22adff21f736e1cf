import { type DeclaredRule, type RulesetRule } from '../model/ruleset';

/** Whether a rule keeps others from running: those behind it in the entry point. */
export function isException({ action }: RulesetRule): boolean {
  return action === 'skip';
}

/** What an exception of a list can hold for: the rules behind it. Of another rule, nothing. */
export function heldFor(rules: readonly DeclaredRule[], { ref }: DeclaredRule): DeclaredRule[] {
  const at = rules.findIndex((rule) => rule.ref === ref && isException(rule));
  return at === -1 ? [] : rules.slice(at).filter((rule) => !isException(rule));
}

/**
 * Puts rules that stand into a list that does not name them, so that no exception holds for more
 * than it did: none comes before a rule that it was behind, and none that is new before a rule that
 * stands. An exception that stands comes behind what is new, unless that is behind what it has always
 * held for. Within that, each comes behind the rule that it stood behind.
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
  const rules = [...ordered];
  for (const [index, rule] of before.entries()) {
    if (named.has(rule.ref)) continue;
    const isEarlier = ({ ref }: DeclaredRule): boolean => (stood.get(ref) ?? index) < index;
    const isLater = ({ ref }: DeclaredRule): boolean => (stood.get(ref) ?? index) > index;
    const neighbour = rules.findIndex(({ ref }) => stood.get(ref) === index - 1) + 1;
    const last = (is: (other: DeclaredRule) => boolean): number => rules.findLastIndex(is) + 1;
    const first = (is: (other: DeclaredRule) => boolean): number => {
      const found = rules.findIndex(is);
      return found === -1 ? rules.length : found;
    };
    const at = isException(rule)
      ? Math.max(
          last((one) => !isException(one) && isEarlier(one)),
          Math.min(
            first((one) => !isException(one) && isLater(one)),
            Math.max(
              neighbour,
              last((one) => !isException(one) && !isLater(one)),
            ),
          ),
        )
      : Math.min(
          first((one) => isException(one) && !isEarlier(one)),
          Math.max(
            neighbour,
            last((one) => isException(one) && isEarlier(one)),
          ),
        );
    rules.splice(at, 0, rule);
  }
  return rules;
}
