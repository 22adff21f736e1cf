import { groupBy } from '../core/lists';
import {
  calledFolder,
  type ConfigFile,
  type ConfigModule,
  type ConfigObject,
  type ConfigProject,
  type ModuleCall,
  type ResourceBlock,
} from './config';

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
  const graph = moduleGraph(project);
  const parts = address.split('.');
  let dir = from;
  let at = 0;
  for (; parts[at] === 'module' && parts.length - at > 2; at += 2) {
    const call = graph.callsOf(dir).get(parts[at + 1] ?? '');
    if (call === undefined) return [];
    dir = call.folder;
  }
  const mode = parts[at] === 'data' ? 'data' : 'managed';
  const [type = '', name = ''] = parts.slice(mode === 'data' ? at + 1 : at);
  const module = project.modules.get(dir);
  return module === undefined ? [] : declarationsOf(module.resources, { mode, type, name });
}

/** The resources and data sources of some types in every module, overrides included, in order. */
export function findBlocksOfTypes(
  project: ConfigProject,
  types: readonly Pick<ResourceBlock, 'mode' | 'type'>[],
): readonly ResourceBlock[] {
  const keys = new Set(types.map(({ mode, type }) => `${mode} ${type}`));
  return [...project.modules.values()].flatMap(({ resources }) =>
    resources.filter(({ mode, type }) => keys.has(`${mode} ${type}`)),
  );
}

/** What a resource or data source is called in its module. */
type ResourceName = Pick<ResourceBlock, 'mode' | 'type' | 'name'>;

/** Of a module with thousands of blocks each is asked for: they are gone through once. */
const declarations = new WeakMap<
  readonly ResourceBlock[],
  ReadonlyMap<string, readonly ResourceBlock[]>
>();

/** The blocks among those of a module that declare one resource: one, and those of override files. */
export function declarationsOf(
  blocks: readonly ResourceBlock[],
  name: ResourceName,
): readonly ResourceBlock[] {
  const byName = declarations.get(blocks) ?? groupBy(blocks, keyOf);
  declarations.set(blocks, byName);
  return byName.get(keyOf(name)) ?? [];
}

function keyOf({ mode, type, name }: ResourceName): string {
  return `${mode}.${type}.${name}`;
}

/** What a resource is declared to be: the arguments of its block, and those of override files over them. */
export function mergedBody({ resources }: ConfigModule, resource: ResourceBlock): ConfigObject {
  const own = declarationsOf(resources, resource);
  const inOrder = [
    ...own.filter(({ file }) => !file.override),
    ...own.filter(({ file }) => file.override),
  ];
  return new Map(inOrder.flatMap(({ block }) => [...block.body]));
}

/**
 * The paths by which the root reaches a module: `''` for the root, `module.zones`,
 * `module.a.module.b`. More than the limit are not listed.
 */
export function modulePaths(project: ConfigProject, module: ConfigModule, limit = 1_000): string[] {
  const graph = moduleGraph(project);
  const onTheWay = foldersLeadingTo(graph, module.dir);
  const paths: string[] = [];
  const descend = (dir: string, path: string, above: readonly string[]): void => {
    if (dir === module.dir) paths.push(path);
    for (const { name, folder } of graph.callsOf(dir).values()) {
      // a module that calls itself has no end; Terraform refuses it
      if (!onTheWay.has(folder) || above.includes(folder) || paths.length >= limit) continue;
      descend(folder, inModule(path, `module.${name}`), [...above, folder]);
    }
  };
  descend(project.root, '', [project.root]);
  return paths;
}

/** A folder, and all whose calls lead there. */
function foldersLeadingTo({ callersOf }: ModuleGraph, folder: string): ReadonlySet<string> {
  const leading = new Set([folder]);
  // a set hands out what is added while it is walked
  for (const one of leading) for (const { dir } of callersOf(one)) leading.add(dir);
  return leading;
}

/** An address of a module, as the root has it. */
export function inModule(path: string, address: string): string {
  return path === '' ? address : `${path}.${address}`;
}

/** The calls by which a path ({@link modulePaths}) leads to a module. */
export function callsOf(project: ConfigProject, path: string): readonly ModuleCall[] {
  const graph = moduleGraph(project);
  let dir = project.root;
  return path
    .split('.')
    .filter((_, at) => at % 2 === 1)
    .flatMap((name) => {
      const one = graph.callsOf(dir).get(name);
      dir = one?.folder ?? dir;
      return one?.call ?? [];
    });
}

/** How the root reaches what a file declares: by as many addresses as it calls its module. */
export function addressesOf(
  project: ConfigProject,
  file: ConfigFile,
  address: string,
): readonly string[] {
  const module = moduleGraph(project).moduleOf(file);
  if (module === undefined) return [];
  return modulePaths(project, module).map((path) => inModule(path, address));
}

/** A call of a local module. */
interface LocalCall {
  /** The folder that calls. */
  readonly dir: string;
  readonly name: string;
  readonly call: ModuleCall;
  /** The folder that is called. */
  readonly folder: string;
}

/** How the modules of a configuration call each other. */
interface ModuleGraph {
  /** The local calls of a folder by their names. */
  readonly callsOf: (dir: string) => ReadonlyMap<string, LocalCall>;
  /** The calls that lead to a folder. */
  readonly callersOf: (folder: string) => readonly LocalCall[];
  readonly moduleOf: (file: ConfigFile) => ConfigModule | undefined;
}

const graphs = new WeakMap<ConfigProject, ModuleGraph>();

/** Made once: with thousands of modules and blocks it is asked for that often. */
export function moduleGraph(project: ConfigProject): ModuleGraph {
  const graph = graphs.get(project) ?? makeGraph(project);
  graphs.set(project, graph);
  return graph;
}

function makeGraph({ modules }: ConfigProject): ModuleGraph {
  const all = [...modules.values()].flatMap(({ dir, calls }) =>
    calls.flatMap((call): LocalCall[] => {
      const folder = calledFolder(dir, call.source);
      return folder === undefined ? [] : [{ dir, name: call.name, call, folder }];
    }),
  );
  const callers = groupBy(all, ({ folder }) => folder);
  const calls = new Map(
    [...groupBy(all, ({ dir }) => dir)].map(([dir, own]) => [
      dir,
      new Map(own.map((one) => [one.name, one])),
    ]),
  );
  const owners = new Map(
    [...modules.values()].flatMap((module) =>
      module.files.map((file): [ConfigFile, ConfigModule] => [file, module]),
    ),
  );
  const none: ReadonlyMap<string, LocalCall> = new Map();
  return {
    callsOf: (dir) => calls.get(dir) ?? none,
    callersOf: (folder) => callers.get(folder) ?? [],
    moduleOf: (file) => owners.get(file),
  };
}
