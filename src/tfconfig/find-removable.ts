import { type ConfigBlock } from './config-file';
import { type ConfigProject } from './config-module';
import { findBlocks } from './find-blocks';
import { groupBy } from './group-by';
import { addressOf, moduleGraph } from './module-graph';
import { type Use } from './uses';

/**
 * The most blocks that can be removed together without breaking a reference: those that no other block refers
 * to. An output is removed only where it refers to such blocks alone.
 *
 * @param uses every reference to a resource, a data source, a module, a local value or a variable
 * @param candidates blocks of this project, by identity
 */
export function findRemovable(
  project: ConfigProject,
  uses: readonly Use[],
  candidates: ReadonlySet<ConfigBlock>,
): ReadonlySet<ConfigBlock> {
  const { callsOf } = moduleGraph(project);
  const removable = new Set(candidates);
  const blocks = groupBy(
    [...project.modules.values()].flatMap(({ dir, files }) =>
      files.flatMap((file) => file.blocks.map((block) => ({ dir, block }))),
    ),
    ({ dir, block }) => `${dir} ${block.address}`,
  );
  const at = (dir: string, address: string): readonly ConfigBlock[] =>
    (blocks.get(`${dir} ${address}`) ?? []).map(({ block }) => block);
  const targetsOf = ({ dir, names, block, orders }: Use): readonly ConfigBlock[] => {
    if (block.type === 'import') return findBlocks(project, names.join('.'), dir).map(blockOf);
    const [root, name = '', output] = names;
    if (root !== 'module') return at(dir, addressOf(names));
    const folder = callsOf(dir).get(name)?.folder;
    if (folder === undefined || orders) return [];
    if (output !== undefined) return at(folder, `output.${output}`);
    // the module is read as a whole
    const files = project.modules.get(folder)?.files ?? [];
    return files.flatMap((file) => file.blocks.filter(({ type }) => type === 'output'));
  };
  const references = uses.map((use) => ({ ...use, targets: targetsOf(use) }));
  for (;;) {
    const held = references.flatMap(({ block, dir, targets: all }) => {
      const targets = all.filter((one) => removable.has(one));
      if (!removable.has(block)) return isStale(block) ? [] : targets;
      return block.type === 'output' && targets.length === 0 ? at(dir, block.address) : [];
    });
    const orphans = [...blocks.values()].flatMap((same) =>
      same.some(({ block }) => !removable.has(block)) ? same.map(({ block }) => block) : [],
    );
    const before = removable.size;
    for (const block of [...held, ...orphans]) removable.delete(block);
    if (removable.size === before) return removable;
  }
}

function blockOf({ block }: { readonly block: ConfigBlock }): ConfigBlock {
  return block;
}

/** Terraform accepts that it names nothing. */
function isStale({ type }: ConfigBlock): boolean {
  return type === 'moved' || type === 'removed';
}
