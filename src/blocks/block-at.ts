import { type ConfigBlock, type ConfigFile } from './config-file';

/** The block that stands at an offset of a file. */
export function blockAt({ blocks }: ConfigFile, offset: number): ConfigBlock | undefined {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const block = blocks[middle];
    if (block !== undefined && block.range.start <= offset) low = middle + 1;
    else high = middle;
  }
  const block = blocks[low - 1];
  return block !== undefined && offset < block.range.end ? block : undefined;
}
