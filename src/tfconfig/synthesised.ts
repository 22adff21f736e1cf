import {
  type ConfigFile,
  type ConfigProject,
  type ResourceBlock,
  objectsOf,
  stringOf,
} from './config';
import { addressesOf } from './find-blocks';
import { groupBy } from '../core/group-by';
import { readBody } from './read-body';

/** What a person takes out of a program for a generated block to go: its construct, or its addresses. */
export function originOf(project: ConfigProject, one: ResourceBlock): readonly string[] {
  const path = constructPath(one);
  return path === undefined ? addressesOf(project, one.file, one.block.address) : [path];
}

/** A file of the copy that CDKTF made of a module, and blocks in it. */
export interface ModuleCopy {
  readonly file: string;
  readonly addresses: readonly string[];
}

/** The files of copied modules among those of blocks. */
export function copiesOf(
  project: ConfigProject,
  blocks: readonly ResourceBlock[],
): readonly ModuleCopy[] {
  const copied = blocks.filter(({ file }) => isCopy(project, file));
  return [...groupBy(copied, ({ file }) => file.path)].map(([file, own]) => ({
    file,
    addresses: own.flatMap((one) => addressesOf(project, one.file, one.block.address)),
  }));
}

/** CDKTF copies modules to the folder of the stack (`assets/__cdktf_module_asset_…`); elsewhere they are a person's. */
function isCopy({ root, rootModule }: ConfigProject, file: ConfigFile): boolean {
  if (rootModule.files.includes(file)) return false;
  return root === '.' ? !file.path.startsWith('../') : file.path.startsWith(`${root}/`);
}

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

/** The one file that every stack of CDKTF has. */
export function isStackFile({ path }: ConfigFile): boolean {
  return path.split('/').at(-1) === 'cdk.tf.json';
}

/**
 * Whether CDKTF made the configuration: the next synthesis writes the folder anew, so nothing in it is
 * edited. Told by the one file that every stack has, and not by the folders above: a copy of the folder is
 * generated as well.
 */
export function isSynthesised({ rootModule }: ConfigProject): boolean {
  return rootModule.files.some(isStackFile);
}
