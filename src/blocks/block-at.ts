import { type ConfigBlock, type ConfigFile } from './config-file';

/** The block that stands at an offset of a file. */
export function blockAt({ blocks }: ConfigFile, offset: number): ConfigBlock | undefined {
  return itemAt(blocks, ({ range }) => range, offset);
}

/** The item that stands at an offset, of items that are in order. */
export function itemAt<Item>(
  items: readonly Item[],
  rangeOf: (item: Item) => { readonly start: number; readonly end: number },
  offset: number,
): Item | undefined {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && rangeOf(item).start <= offset) low = middle + 1;
    else high = middle;
  }
  const item = items[low - 1];
  return item !== undefined && offset < rangeOf(item).end ? item : undefined;
}
