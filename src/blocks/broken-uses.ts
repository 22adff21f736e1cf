import { type ConfigBlock } from './config-file';
import { type ConfigProject } from './config-project';
import { findBlocks } from './find-blocks';
import { type FoundPlace } from './found-place';
import { groupBy } from './group-by';
import { moduleGraph } from './module-graph';
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
  const { callersOf } = moduleGraph(project);
  // Terraform accepts that a `moved` or `removed` block names nothing
  const staying = uses.filter(
    ({ block }) => !going.has(block) && !['moved', 'removed'].includes(block.type),
  );
  const waiting = groupBy(
    staying.flatMap((use) => namesOf(use).map((name) => ({ key: `${use.dir} ${name}`, use }))),
    ({ key }) => key,
  );
  // what is made of a name that breaks later is looked at once more
  const due = [...staying];
  const breakName = (dir: string, name: string): void => {
    if (broken.add(dir, name))
      for (const { use } of waiting.get(`${dir} ${name}`) ?? []) due.push(use);
  };
  /** An output that cannot be computed any more breaks what the callers of its module make of it. */
  const breakOutput = (folder: string, output: string): void => {
    for (const { dir, name } of callersOf(folder)) {
      breakName(dir, `module.${name}.${output.slice('output.'.length)}`);
      breakName(dir, `module.${name}.*`);
    }
  };
  for (const { dir, files } of project.modules.values()) {
    for (const file of files.filter(({ override }) => !override)) {
      for (const block of file.blocks) {
        if (!going.has(block)) continue;
        broken.add(dir, block.address);
        if (block.type === 'output') breakOutput(dir, block.address);
      }
    }
  }
  const found = new Map<Use, FoundPlace>();
  // a list hands out what is added while it is walked
  for (const use of due) {
    const address = found.has(use) ? undefined : brokenAddress(project, broken, going, use);
    if (address === undefined) continue;
    const { dir, owner, block, file, offset, text } = use;
    found.set(use, { address, from: owner, file, offset, text });
    // of a module that is read as a whole, what is done with the broken output is not guessed
    if (address.endsWith('.*')) continue;
    if (block.type === 'locals') breakName(dir, owner);
    if (block.type === 'output') breakOutput(dir, owner);
  }
  return [...found.values()];
}

/** What a reference names that will not be there; undefined when all of it stays. */
function brokenAddress(
  project: ConfigProject,
  broken: ModuleNames,
  going: ReadonlySet<ConfigBlock>,
  use: Use,
): string | undefined {
  const { dir, names, block } = use;
  const name = namesOf(use).find((one) => broken.has(dir, one));
  if (name !== undefined) return name;
  // an import names resources of other modules
  if (block.type !== 'import') return undefined;
  const target = names.join('.');
  return findBlocks(project, target, dir).some((one) => going.has(one.block)) ? target : undefined;
}

/** The names in its module that have to be there for a reference. */
function namesOf({ names, orders }: Use): readonly string[] {
  const address = addressOf(names);
  if (names[0] !== 'module') return [address];
  // a module that is read as a whole: what is done with the output stands elsewhere
  const output = names.length === 2 && !orders ? `${address}.*` : names.slice(0, 3).join('.');
  return [address, output];
}
