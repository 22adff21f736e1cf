import { type LedgerEntry } from './ledger-entry';

type Begin = Extract<LedgerEntry, { readonly event: 'begin' }>;

/**
 * The beginnings of runs whose lists still count, of each stage and request. A run of all zones takes
 * the place of every one before it, one of a shard that of the same shard: the others have lists of
 * their own. One without a list (older ledgers) takes the place of none.
 */
export function lastLists(entries: readonly LedgerEntry[]): Begin[] {
  const runs = new Map<string, Map<string, Begin>>();
  for (const entry of entries) {
    if (entry.event !== 'begin' || entry.zones === undefined) continue;
    const key = JSON.stringify([entry.stage, entry.request]);
    const before = entry.shard === undefined ? undefined : runs.get(key);
    runs.set(key, new Map([...(before ?? []), [entry.shard ?? '', entry]]));
  }
  return [...runs.values()].flatMap((lists) => [...lists.values()]);
}
