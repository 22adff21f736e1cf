import { type ConfigBlock, type ConfigFile } from './config-file';
import { objectsOf, stringOf } from './config-value';
import { readBody } from './read-body';

/**
 * Where CDKTF made a block: `edge/owasp` for the construct `owasp` of the stack `edge`. Such a file
 * is generated: the construct has to go, and the next synthesis takes the block with it. Undefined
 * for a file that CDKTF did not write.
 */
export function constructPath(file: ConfigFile, block: ConfigBlock): string | undefined {
  if (file.syntax !== 'json') return undefined;
  const [comment] = objectsOf(readBody(file, block).get('//'));
  const [metadata] = objectsOf(comment?.get('metadata'));
  return stringOf(metadata?.get('path'));
}
