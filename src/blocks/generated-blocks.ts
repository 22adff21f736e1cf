import { type ConfigFile } from './config-file';
import { type ResourceBlock } from './config-module';
import { type ConfigProject } from './config-project';
import { constructPath } from './construct-path';
import { addressesOf } from './find-blocks';
import { groupBy } from './group-by';

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
