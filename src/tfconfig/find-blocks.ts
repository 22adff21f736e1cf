import {
  type ConfigFile,
  type ConfigModule,
  type ConfigProject,
  type ModuleCall,
  type ResourceBlock,
  type StateBlock,
  type ConfigObject,
  calledFolder,
  type ConfigValue,
  Expression,
} from './config';
import { groupBy } from '../core/group-by';
import { readBody } from './read-body';
import { MANAGED_PHASE } from '../core/ruleset';

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
      const next = path === '' ? `module.${name}` : `${path}.module.${name}`;
      descend(folder, next, [...above, folder]);
    }
  };
  descend(project.root, '', [project.root]);
  return paths;
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
  return modulePaths(project, module).map((path) => (path === '' ? address : `${path}.${address}`));
}

/** A folder, and all whose calls lead there. */
function foldersLeadingTo({ callersOf }: ModuleGraph, folder: string): ReadonlySet<string> {
  const leading = new Set([folder]);
  // a set hands out what is added while it is walked
  for (const one of leading) for (const { dir } of callersOf(one)) leading.add(dir);
  return leading;
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
  return new Map(inOrder.flatMap(({ file, block }) => [...readBody(file, block)]));
}

/**
 * What `removed` blocks let go without destroying it, as addresses without keys: resources, and
 * modules with all that is in them.
 */
export function forgottenAddresses(project: ConfigProject): readonly string[] {
  return startsOf(project, 'removed');
}

/** The addresses in `from` of `removed` blocks that destroy nothing, or of `moved` blocks. */
export function startsOf(
  project: ConfigProject,
  wanted: Exclude<StateBlock['kind'], 'import'>,
): readonly string[] {
  return [...project.modules.values()].flatMap((module) => {
    const starts = module.stateBlocks.flatMap(({ kind, keeps, from }) =>
      kind === wanted && (keeps || kind === 'moved') && from !== undefined ? [from] : [],
    );
    const paths = modulePaths(project, module);
    return starts.flatMap((from) => paths.map((path) => (path === '' ? from : `${path}.${from}`)));
  });
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

/** How the modules of a configuration lie to each other. */
export interface ModuleGraph {
  /** The local calls of a folder by their names. */
  readonly callsOf: (dir: string) => ReadonlyMap<string, LocalCall>;
  /** The calls that lead to a folder. */
  readonly callersOf: (folder: string) => readonly LocalCall[];
  readonly moduleOf: (file: ConfigFile) => ConfigModule | undefined;
}

const known = new WeakMap<ConfigProject, ModuleGraph>();

/** Made once: with thousands of modules and blocks it is asked for that often. */
export function moduleGraph(project: ConfigProject): ModuleGraph {
  const graph = known.get(project) ?? makeGraph(project);
  known.set(project, graph);
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

/** Names that hold in one module each: sets of addresses by folder. */
export class ModuleNames {
  readonly #names = new Map<string, Set<string>>();

  has(dir: string, address: string): boolean {
    return this.#names.get(dir)?.has(address) ?? false;
  }

  /** Says whether it is new. */
  add(dir: string, address: string): boolean {
    const names = this.#names.get(dir) ?? new Set<string>();
    this.#names.set(dir, names);
    const isNew = !names.has(address);
    names.add(address);
    return isNew;
  }
}

/**
 * What the names of a reference stand for, as an address inside of the module: `variable.x` for
 * `var.x`, `a.b` for `resource.a.b`.
 */
export function addressOf([root = '', first = '', second = '']: readonly string[]): string {
  if (root === 'data') return `data.${first}.${second}`;
  if (root === 'resource') return `${first}.${second}`;
  return `${root === 'var' ? 'variable' : root}.${first}`;
}

/** Which blocks to look for: the knowledge of the types lies with those who read the state. */
export interface OldTypes {
  /** Types of the previous WAF managed rules. */
  readonly old: readonly { readonly mode: 'managed' | 'data'; readonly type: string }[];
  /** Types whose interface is retired: filters and firewall rules. */
  readonly retired: readonly string[];
}

/** What a configuration holds of the migration. */
export interface OldBlocks {
  /** Resources and data sources of the old types, overrides included. */
  readonly old: readonly ResourceBlock[];
  readonly retired: readonly ResourceBlock[];
  /** Rulesets of the phase, and those whose phase is not told in so many words. */
  readonly entryPoints: readonly ResourceBlock[];
}

/** Finds the old blocks in every module of a configuration, in its order. */
export function findOldBlocks(project: ConfigProject, types: OldTypes): OldBlocks {
  const resources = [...project.modules.values()].flatMap((module) => module.resources);
  const key = ({ mode, type }: { mode: string; type: string }): string => `${mode} ${type}`;
  const old = new Set(types.old.map(key));
  const retired = new Set(types.retired);
  return {
    old: resources.filter((resource) => old.has(key(resource))),
    retired: resources.filter(({ mode, type }) => mode === 'managed' && retired.has(type)),
    entryPoints: resources.filter(
      ({ mode, type, file, block }) =>
        mode === 'managed' &&
        type === 'cloudflare_ruleset' &&
        mayBeManaged(readBody(file, block).get('phase')),
    ),
  };
}

function mayBeManaged(phase: ConfigValue | undefined): boolean {
  return phase === MANAGED_PHASE || phase instanceof Expression;
}
