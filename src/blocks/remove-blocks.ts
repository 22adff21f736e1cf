import { type ConfigBlock, type ConfigFile } from './config-file';
import { hclRemovals } from './hcl-removals';
import { jsonRemovals } from './json-removals';
import { applySplices, type Splice } from './splice';

/**
 * The parts of a file that leave it with some of its blocks, in order (docs/editing.md). None for
 * no block.
 */
export function findRemovals(file: ConfigFile, blocks: readonly ConfigBlock[]): readonly Splice[] {
  const gone = new Set(blocks);
  return file.syntax === 'hcl' ? hclRemovals(file, gone) : jsonRemovals(file, gone);
}

/**
 * The text of a file without some of its blocks: every byte outside of them, of their comments and
 * of doubled blank lines is kept.
 *
 * @param blocks of this very file, in any order
 */
export function removeBlocks(file: ConfigFile, blocks: readonly ConfigBlock[]): string {
  return applySplices(file.text, findRemovals(file, blocks));
}
