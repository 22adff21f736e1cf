import {
  type ConfigFile,
  type ConfigProject,
  objectsOf,
  type ResourceBlock,
  stringOf,
} from './config';
import { addressesOf } from './find-blocks';

/**
 * Whether CDKTF generated the configuration: the next synthesis rewrites the folder, so nothing in it is edited.
 * Recognised by the file that every stack has, also in a copy of the folder.
 */
export function isSynthesised({ rootModule }: ConfigProject): boolean {
  return rootModule.files.some(isStackFile);
}

/** The one file that every stack of CDKTF has. */
export function isStackFile({ path }: ConfigFile): boolean {
  return path.split('/').at(-1) === 'cdk.tf.json';
}

/** What to remove from a program so that a block is not generated: its construct, or else its addresses. */
export function originOf(project: ConfigProject, one: ResourceBlock): readonly string[] {
  const path = constructPath(one);
  return path === undefined ? addressesOf(project, one.file, one.block.address) : [path];
}

/**
 * The construct that made a block: `edge/owasp` for the construct `owasp` of the stack `edge`. Undefined
 * for a file that CDKTF did not write, and for a block without a construct: an override or the copy of a module.
 */
export function constructPath({
  file,
  block,
}: Pick<ResourceBlock, 'file' | 'block'>): string | undefined {
  if (file.syntax !== 'json') return undefined;
  const [comment] = objectsOf(block.body.get('//'));
  const [metadata] = objectsOf(comment?.get('metadata'));
  return stringOf(metadata?.get('path'));
}
