import { type ResourceBlock } from '../tfconfig/config-module';
import { findBlocks } from '../tfconfig/find-blocks';
import { withoutKeys } from '../tfconfig/resource-address';
import { type Configuration } from '../project/configuration';

/** A file of a configuration by its own place, and not by that of a link to it. */
export function placeOf({ linkedFiles }: Pick<Configuration, 'linkedFiles'>, path: string): string {
  return linkedFiles?.get(path) ?? path;
}

/** Whether a file lies outside of the folder of a state. */
export function isOutside(root: string, file: string): boolean {
  return root === '.' ? file.startsWith('../') : !file.startsWith(`${root}/`);
}

/** A block by where it really stands: the same under each name that a link gives its file. */
export function blockKey(configuration: Configuration, { file, block }: ResourceBlock): string {
  return `${placeOf(configuration, file.path)} ${block.range.start}`;
}

/** The blocks of resources: a module that is called twice has one for both, also for two states. */
export function blockKeys(
  configuration: Configuration,
  addresses: readonly string[],
): readonly string[] {
  const blocks = new Set(addresses.map(withoutKeys));
  return [...blocks].flatMap((address) =>
    findBlocks(configuration.project, address).map((one) => blockKey(configuration, one)),
  );
}

/** The same blocks, as the other modules have them whose names for the file lead to it. */
export function otherNames(
  configuration: Configuration,
  blocks: readonly ResourceBlock[],
): readonly ResourceBlock[] {
  const { project, linkedFiles = new Map() } = configuration;
  if (linkedFiles.size === 0) return [];
  const own = new Set(blocks);
  const keys = new Set(blocks.map((one) => blockKey(configuration, one)));
  return [...project.modules.values()].flatMap(({ resources }) =>
    resources.filter((one) => !own.has(one) && keys.has(blockKey(configuration, one))),
  );
}
