import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { type Catalogue, findLegacyRule } from './catalogue';

/** The new rule or rules of an old one, or why none can be named. */
export type SuccessorAnswer =
  /** `ids` are several only where the user said so. */
  | { readonly kind: 'known'; readonly ids: readonly string[] }
  /** Sources state several: a person decides. Whole ids, or endings of eight digits. */
  | { readonly kind: 'several'; readonly candidates: readonly string[] }
  /** Only the last eight digits are known, and there is no list to find them in. */
  | { readonly kind: 'ending'; readonly ending: string }
  /** Several rules of the zone's managed ruleset end with the eight digits. */
  | { readonly kind: 'ambiguous'; readonly ending: string; readonly ids: readonly string[] }
  /** No source says that it is in the Cloudflare Managed Ruleset, and there is no list to look in. */
  | { readonly kind: 'unplaced'; readonly id: string }
  /** The zone's managed ruleset does not hold it. */
  | { readonly kind: 'absent'; readonly id: string }
  /** The catalogue lists the old rule without a new one. */
  | { readonly kind: 'none' }
  /** The user says that the rule has no successor. */
  | { readonly kind: 'gone' }
  /** The catalogue does not list the old rule. */
  | { readonly kind: 'unlisted' };

/**
 * Finds the new rule of an old one, and never guesses.
 *
 * @param managedIds the rules of the zone's own Cloudflare Managed Ruleset, where they are known:
 *   they resolve endings, and a rule that is not among them cannot be overridden
 */
export function findSuccessor(
  catalogue: Catalogue,
  legacyId: string,
  managedIds: ReadonlySet<string> | undefined,
): SuccessorAnswer {
  const rule = findLegacyRule(catalogue, legacyId);
  if (rule === undefined) return { kind: 'unlisted' };
  const [first, ...rest] = rule.successors;
  if (first === undefined) return rule.settled ? { kind: 'gone' } : { kind: 'none' };
  if (rule.settled) {
    const ids = rule.successors.map(({ id, ending }) => id ?? ending);
    const missing = ids.find((id) => managedIds !== undefined && !managedIds.has(id));
    return missing === undefined ? { kind: 'known', ids } : { kind: 'absent', id: missing };
  }
  if (rest.length > 0) {
    return { kind: 'several', candidates: rule.successors.map(({ id, ending }) => id ?? ending) };
  }
  if (first.id === undefined) return resolve(first.ending, managedIds);
  if (managedIds === undefined && first.rulesetId !== CLOUDFLARE_RULESET) {
    return { kind: 'unplaced', id: first.id };
  }
  const exists = managedIds === undefined || managedIds.has(first.id);
  return exists ? { kind: 'known', ids: [first.id] } : { kind: 'absent', id: first.id };
}

function resolve(ending: string, managedIds: ReadonlySet<string> | undefined): SuccessorAnswer {
  if (managedIds === undefined) return { kind: 'ending', ending };
  const found = resolveEnding(ending, managedIds);
  if (found.kind === 'one') return { kind: 'known', ids: [found.id] };
  return found.kind === 'none'
    ? { kind: 'absent', id: ending }
    : { kind: 'ambiguous', ending, ids: found.ids };
}

/** What the last eight digits of a rule's id lead to in a list of ids. */
type Resolution =
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
