/** What the last eight digits of a rule's id lead to in a list of ids. */
export type Resolution =
  | { readonly kind: 'one'; readonly id: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly ids: readonly string[] };

/**
 * Finds the rule with an ending (the change log of 2021 prints the last eight digits alone) in a
 * managed ruleset, as the zone's own `GET /rulesets/{id}` lists it. Several with one ending are
 * never chosen between.
 */
export function resolveEnding(ending: string, ids: Iterable<string>): Resolution {
  const found: string[] = [];
  for (const id of ids) if (id.endsWith(ending)) found.push(id);
  const [first, ...rest] = [...new Set(found)];
  if (first === undefined) return { kind: 'none' };
  return rest.length === 0
    ? { kind: 'one', id: first }
    : { kind: 'ambiguous', ids: [first, ...rest] };
}
