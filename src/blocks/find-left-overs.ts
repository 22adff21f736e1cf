import { type ConfigBlock } from './config-file';
import { type ConfigModule, type ModuleCall } from './config-module';
import { calledFolder, type ConfigProject } from './config-project';
import { deadCalls } from './dead-calls';
import { type FoundPlace } from './found-place';
import { groupBy } from './group-by';
import { localValues } from './local-names';
import { unusedNames } from './unused-names';
import { type Use } from './uses';

/**
 * What only served the blocks that go: modules, variables, local values and provider aliases.
 * Nothing breaks when it stays, but it is dead; to take it out is for a person, who knows who sets
 * the variable.
 */
export function findLeftOvers(
  project: ConfigProject,
  uses: readonly Use[],
  going: ReadonlySet<ConfigBlock>,
  broken: readonly FoundPlace[],
): FoundPlace[] {
  const isDead = deadCalls(project, uses, going, broken);
  const modules = [...project.modules.values()];
  const usesOf = groupBy(uses, ({ dir }) => dir);
  const alive = new Set([project.root]);
  const deadOf = new Map<ConfigModule, ModuleCall[]>();
  for (const module of modules) {
    const dead = module.calls.filter((call) => isDead(module.dir, call));
    deadOf.set(module, dead);
    for (const call of module.calls) {
      const folder = calledFolder(module.dir, call.source);
      if (folder !== undefined && !dead.includes(call)) alive.add(folder);
    }
  }
  const brokenOwners = new Set(broken.map(({ file, from }) => `${file.path} ${from}`));
  return modules.flatMap((module) => {
    // of a module that leaves with its calls, the calls alone are named
    if (!alive.has(module.dir)) return [];
    const deadBlocks = deadOf.get(module)?.flatMap(({ blocks }) => blocks) ?? [];
    const gone = new Set([...going, ...deadBlocks]);
    const unused = unusedNames(usesOf.get(module.dir) ?? [], gone);
    return declarations(module)
      .filter(
        ({ block, place }) => !going.has(block) && (gone.has(block) || unused.has(place.from)),
      )
      .map(({ place }) => place)
      .filter(({ file, from }) => !brokenOwners.has(`${file.path} ${from}`));
  });
}

interface Declaration {
  readonly block: ConfigBlock;
  readonly place: FoundPlace;
}

/** Everything in a module that exists to be used. */
function declarations({ files, providers }: ConfigModule): Declaration[] {
  const aliases = new Map(providers.map(({ block, name, alias }) => [block, { name, alias }]));
  return files.flatMap((file) =>
    file.blocks.flatMap((block): Declaration[] => {
      const declare = (address: string, offset = block.range.start): Declaration => ({
        block,
        place: { address, from: address, effect: 'left-over', file, offset, text: address },
      });
      if (block.type === 'module' || block.type === 'variable') return [declare(block.address)];
      if (block.type === 'locals') {
        return localValues(file, block).map(({ name, start }) => declare(`local.${name}`, start));
      }
      const { name, alias } = aliases.get(block) ?? {};
      return alias === undefined ? [] : [declare(`${name ?? ''}.${alias}`)];
    }),
  );
}
