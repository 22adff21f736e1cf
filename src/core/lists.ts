/** The order of two texts by their UTF-16 units, for `sort`: the same on every machine. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * Maps items in order, a number of them at a time.
 * @param limit how many at a time, at least 1
 * @throws what `map` throws first; no further item is begun then
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // ends for all of them where one fails, which an iterator of an array does not
  const rest = (function* () {
    yield* items.entries();
  })();
  const work = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await map(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}

const MOST_LISTED = 8;

/** A list for a sentence, cut where it gets long. */
export function listed(items: readonly string[]): string {
  const shown = items.slice(0, MOST_LISTED).join(', ');
  const more = items.length - MOST_LISTED;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Items by a key, in their order (`Map.groupBy` is newer than Node 20). */
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
