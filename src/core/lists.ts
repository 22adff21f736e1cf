/** Compares two strings by UTF-16 code units, for `sort`: the same order on every machine. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * Maps items in order with limited concurrency.
 * @param limit maximum number of concurrent calls, at least 1
 * @throws the first error of `map`, when all calls have ended; no further item is started
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // a generator ends for all workers when one fails; an array iterator does not
  const rest = (function* () {
    yield* items.entries();
  })();
  const work = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await map(item, index);
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, work);
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return results;
}

export function listed(items: readonly string[], most = 8): string {
  const shown = items.slice(0, most).join(', ');
  const more = items.length - most;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Groups items by a key, in order (`Map.groupBy` requires Node 21). */
export function groupBy<Key, Item>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Reserves a name that is not taken: the given one, or the given one with a number. */
export function firstFree(name: string, taken: Set<string>): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${name}_${number}`;
  taken.add(candidate);
  return candidate;
}
