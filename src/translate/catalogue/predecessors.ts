import { type Catalogue } from './catalogue';

const known = new WeakMap<Catalogue, ReadonlyMap<string, readonly string[]>>();

/** New rule id → the old rules that became this one, by those sources that state a single new id. */
export function predecessors(catalogue: Catalogue): ReadonlyMap<string, readonly string[]> {
  const cached = known.get(catalogue);
  if (cached !== undefined) return cached;
  const index = new Map<string, string[]>();
  for (const { id: legacyId, successors, settled } of catalogue.legacyRules.values()) {
    if (successors.length > 1 && !settled) continue;
    for (const { id, ending } of successors) {
      const old = index.get(id ?? ending);
      if (old === undefined) index.set(id ?? ending, [legacyId]);
      else old.push(legacyId);
    }
  }
  known.set(catalogue, index);
  return index;
}
