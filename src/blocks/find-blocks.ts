import { type ConfigFile } from './config-file';
import { type ConfigModule, type ModuleCall, type ResourceBlock } from './config-module';
import { calledFolder, type ConfigProject } from './config-project';
import { declarationsOf } from './declarations-of';

/**
 * The blocks that declare a resource: the block itself and those that override it; none where the
 * configuration does not declare it.
 *
 * @param address as in the state, without keys: `module.zones.cloudflare_waf_rule.r`
 * @param from the folder of the module that the address is relative to
 */
export function findBlocks(
  project: ConfigProject,
  address: string,
  from = project.root,
): readonly ResourceBlock[] {
  return findIn(project, address, from, ({ resources }) => resources);
}

/** The `check` blocks that read a data source of their own, by the address that it would have in the state. */
export function findScopedData(project: ConfigProject, address: string): readonly ResourceBlock[] {
  return findIn(project, address, project.root, ({ scopedData }) => scopedData);
}

function findIn(
  project: ConfigProject,
  address: string,
  from: string,
  pick: (module: ConfigModule) => readonly ResourceBlock[],
): readonly ResourceBlock[] {
  const parts = address.split('.');
  let dir = from;
  let at = 0;
  for (; parts[at] === 'module' && parts.length - at > 2; at += 2) {
    const call = project.modules.get(dir)?.calls.find(({ name }) => name === parts[at + 1]);
    const next = calledFolder(dir, call?.source);
    if (next === undefined) return [];
    dir = next;
  }
  const mode = parts[at] === 'data' ? 'data' : 'managed';
  const [type = '', name = ''] = parts.slice(mode === 'data' ? at + 1 : at);
  const module = project.modules.get(dir);
  return module === undefined ? [] : declarationsOf(pick(module), { mode, type, name });
}

/**
 * The paths by which the root reaches a module: `''` for the root, `module.zones`,
 * `module.a.module.b`. More than the limit are not listed.
 */
export function modulePaths(project: ConfigProject, module: ConfigModule, limit = 1_000): string[] {
  const onTheWay = foldersLeadingTo(project, module.dir);
  const paths: string[] = [];
  const descend = (dir: string, path: string, above: readonly string[]): void => {
    if (dir === module.dir) paths.push(path);
    for (const { name, source } of project.modules.get(dir)?.calls ?? []) {
      const next = calledFolder(dir, source) ?? '';
      // a module that calls itself has no end; Terraform refuses it
      if (!onTheWay.has(next) || above.includes(next) || paths.length >= limit) continue;
      descend(next, path === '' ? `module.${name}` : `${path}.module.${name}`, [...above, next]);
    }
  };
  descend(project.root, '', [project.root]);
  return paths;
}

/** The calls by which a path ({@link modulePaths}) leads to a module. */
export function callsOf(project: ConfigProject, path: string): readonly ModuleCall[] {
  let dir: string | undefined = project.root;
  return path
    .split('.')
    .filter((_, at) => at % 2 === 1)
    .flatMap((name) => {
      const call = project.modules.get(dir ?? '')?.calls.find((one) => one.name === name);
      dir = calledFolder(dir ?? '', call?.source);
      return call ?? [];
    });
}

/** How the root reaches what a file declares: by as many addresses as it calls its module. */
export function addressesOf(
  project: ConfigProject,
  file: ConfigFile,
  address: string,
): readonly string[] {
  const module = [...project.modules.values()].find(({ files }) => files.includes(file));
  if (module === undefined) return [];
  return modulePaths(project, module).map((path) => (path === '' ? address : `${path}.${address}`));
}

/** A folder, and all whose calls lead there. */
function foldersLeadingTo(project: ConfigProject, dir: string): ReadonlySet<string> {
  const leading = new Set([dir]);
  for (let before = 0; before < leading.size;) {
    before = leading.size;
    for (const caller of project.modules.values()) {
      const calls = caller.calls.map(({ source }) => calledFolder(caller.dir, source) ?? '');
      if (calls.some((called) => leading.has(called))) leading.add(caller.dir);
    }
  }
  return leading;
}
