import { type ConfigBlock } from './config-file';
import { type ConfigModule, type ModuleCall } from './config-module';
import { calledFolder, type ConfigProject } from './config-project';
import { type FoundPlace } from './found-place';
import { type Use } from './uses';

/** Blocks that do nothing by themselves: a module with these alone serves nobody. */
const passive = new Set(['output', 'variable', 'locals', 'terraform']);

/**
 * Tells which module calls die whole: everything in the module goes, and nothing that stays reads
 * an output of it (`depends_on` alone keeps no module alive).
 */
export function deadCalls(
  project: ConfigProject,
  uses: readonly Use[],
  going: ReadonlySet<ConfigBlock>,
  broken: readonly FoundPlace[],
): (dir: string, call: ModuleCall) => boolean {
  const brokenAt = new Set(broken.map(({ file, offset }) => `${offset} ${file.path}`));
  const read = new Set(
    uses
      .filter(({ names, block, orders }) => names[0] === 'module' && !orders && !going.has(block))
      .filter(({ file, offset }) => !brokenAt.has(`${offset} ${file.path}`))
      .map(({ dir, names }) => `${dir} module.${names[1] ?? ''}`),
  );
  const known = new Map<string, boolean>();

  function isDead(module: ConfigModule): boolean {
    const before = known.get(module.dir);
    if (before !== undefined) return before;
    // a module that calls itself keeps itself alive: nothing is claimed of it
    known.set(module.dir, false);
    const dead =
      module.resources.some(({ block }) => going.has(block)) || module.calls.length > 0
        ? module.resources.every(({ block }) => going.has(block)) &&
          module.calls.every((call) => isDeadCall(module.dir, call)) &&
          module.others.every(({ type }) => passive.has(type))
        : false;
    known.set(module.dir, dead);
    return dead;
  }

  function isDeadCall(dir: string, { name, source, blocks }: ModuleCall): boolean {
    if (blocks.every((block) => going.has(block))) return true;
    const folder = calledFolder(dir, source);
    const module = folder === undefined ? undefined : project.modules.get(folder);
    return module !== undefined && isDead(module) && !read.has(`${dir} module.${name}`);
  }

  return isDeadCall;
}
