import { type ConfigFile } from './config-file';
import { type ConfigModule } from './config-module';
import { calledFolder, type ConfigProject } from './config-project';

/** A call of a local module. */
interface LocalCall {
  /** The folder that calls. */
  readonly dir: string;
  readonly name: string;
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
  const calls = new Map<string, Map<string, LocalCall>>();
  const callers = new Map<string, LocalCall[]>();
  const moduleOf = new Map<ConfigFile, ConfigModule>();
  for (const module of modules.values()) {
    const { dir, files } = module;
    for (const file of files) moduleOf.set(file, module);
    const own = new Map<string, LocalCall>();
    calls.set(dir, own);
    for (const { name, source } of module.calls) {
      const folder = calledFolder(dir, source);
      if (folder === undefined) continue;
      const call = { dir, name, folder };
      own.set(name, call);
      const others = callers.get(folder);
      if (others === undefined) callers.set(folder, [call]);
      else others.push(call);
    }
  }
  const none: ReadonlyMap<string, LocalCall> = new Map();
  return {
    callsOf: (dir) => calls.get(dir) ?? none,
    callersOf: (folder) => callers.get(folder) ?? [],
    moduleOf: (file) => moduleOf.get(file),
  };
}
