import { type ConfigBlock } from './config-file';
import { calledFolder, type ConfigProject } from './config-project';
import { findBlocks } from './find-blocks';
import { type FoundPlace } from './found-place';
import { addressOf, ModuleNames } from './module-names';
import { type Use } from './uses';

/**
 * The references that name nothing once the blocks are gone: to the blocks themselves, and onwards
 * to the local values and the outputs that are made of them.
 */
export function brokenUses(
  project: ConfigProject,
  uses: readonly Use[],
  going: ReadonlySet<ConfigBlock>,
): FoundPlace[] {
  const broken = new ModuleNames();
  for (const { dir, files } of project.modules.values()) {
    for (const file of files.filter(({ override }) => !override)) {
      for (const block of file.blocks) {
        if (!going.has(block)) continue;
        broken.add(dir, block.address);
        if (block.type === 'output') breakCallers(project, broken, dir, block.address);
      }
    }
  }
  const staying = uses.filter(({ block }) => !going.has(block));
  const found = new Map<Use, FoundPlace>();
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const use of staying) {
      const address = found.has(use) ? undefined : brokenAddress(project, broken, going, use);
      if (address === undefined) continue;
      const { dir, owner, block, file, offset, text } = use;
      const effect = effectOn(block);
      found.set(use, { address, from: owner, effect, file, offset, text });
      // of a module that is read as a whole, what is done with the broken output is not guessed
      if (address.endsWith('.*')) continue;
      if (block.type === 'locals') broken.add(dir, owner);
      if (block.type === 'output') breakCallers(project, broken, dir, owner);
    }
  }
  return [...found.values()];
}

function effectOn({ type }: ConfigBlock): FoundPlace['effect'] {
  return type === 'moved' || type === 'removed' ? 'stale' : 'breaks';
}

/** What a reference names that will not be there; undefined when all of it stays. */
function brokenAddress(
  project: ConfigProject,
  broken: ModuleNames,
  going: ReadonlySet<ConfigBlock>,
  { dir, names, block, orders }: Use,
): string | undefined {
  const address = addressOf(names);
  if (broken.has(dir, address)) return address;
  if (names[0] !== 'module') return undefined;
  // a module that is read as a whole: what is done with the output stands elsewhere
  const output = names.length === 2 && !orders ? `${address}.*` : names.slice(0, 3).join('.');
  if (broken.has(dir, output)) return output;
  // moved, removed and import name resources of other modules
  if (!['moved', 'removed', 'import'].includes(block.type)) return undefined;
  const target = names.join('.');
  return findBlocks(project, target, dir).some((one) => going.has(one.block)) ? target : undefined;
}

/** An output that cannot be computed any more breaks what the callers of its module make of it. */
function breakCallers(
  project: ConfigProject,
  broken: ModuleNames,
  dir: string,
  output: string,
): void {
  const name = output.slice('output.'.length);
  for (const caller of project.modules.values()) {
    for (const call of caller.calls) {
      if (calledFolder(caller.dir, call.source) !== dir) continue;
      broken.add(caller.dir, `module.${call.name}.${name}`);
      broken.add(caller.dir, `module.${call.name}.*`);
    }
  }
}
