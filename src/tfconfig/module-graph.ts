import { type ConfigFile } from './config-file';
import {
  calledFolder,
  type ConfigModule,
  type ConfigProject,
  type ModuleCall,
} from './config-module';
import { groupBy } from './group-by';

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
