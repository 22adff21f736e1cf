import { type ResourceBlock } from './config-module';
import { objectsOf, stringOf } from './config-value';
import { readBody } from './read-body';

/**
 * Where CDKTF made a block: `edge/owasp` for the construct `owasp` of the stack `edge`. Such a file
 * is generated: the construct has to go, and the next synthesis takes the block with it. Undefined
 * for a file that CDKTF did not write, and for what no construct made: an override, a module's copy.
 */
export function constructPath({
  file,
  block,
}: Pick<ResourceBlock, 'file' | 'block'>): string | undefined {
  if (file.syntax !== 'json') return undefined;
  const [comment] = objectsOf(readBody(file, block).get('//'));
  const [metadata] = objectsOf(comment?.get('metadata'));
  return stringOf(metadata?.get('path'));
}
