import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type ConfigFile } from './config-file';
import { type ConfigModule } from './config-module';
import { calledFolder, type ConfigProject, type UnreadCall } from './config-project';
import { type ConfigSource, configSyntax } from './config-source';
import { type HclGrammar } from './hcl-grammar';
import { parseConfig } from './parse-config';
import { readModule } from './read-module';

/** Reads the files that lie in a folder; undefined when there is none. */
export type ReadFolder = (dir: string) => Promise<readonly ConfigSource[] | undefined>;

/** Folders this deep below each other are a loop of links. */
const DEEPEST = 64;

/**
 * Reads a configuration and, from call to call, the local modules that it is made of.
 *
 * @param root relative to the folder of the plan, parts joined by `/`
 * @throws MigrationError `CONFIG_INVALID` naming every file that cannot be read: with one of them
 * unread, nothing that is said about the others would hold
 * @example
 * const project = await readProject('.', readFolder, await loadHclGrammar());
 */
export async function readProject(
  root: string,
  readFolder: ReadFolder,
  grammar: HclGrammar,
): Promise<ConfigProject> {
  const start = calledFolder('.', `./${root}`) ?? '.';
  const modules = new Map<string, ConfigModule>();
  const unread: UnreadCall[] = [];
  const faults: MigrationError[] = [];
  const add = (dir: string, sources: readonly ConfigSource[]): ConfigModule => {
    const module = readModule(dir, parseAll(sources, grammar, faults));
    modules.set(dir, module);
    return module;
  };
  const rootModule = add(start, await readRoot(start, readFolder));
  // a map hands out what is added while it is walked
  for (const module of modules.values()) {
    for (const { name, source } of module.calls) {
      const call = { dir: module.dir, name, source };
      const dir = calledFolder(module.dir, source);
      if (dir === undefined) {
        unread.push({ ...call, why: source === undefined ? 'not literal' : 'remote' });
      } else if (!modules.has(dir)) {
        const sources = await readFolder(checkDepth(dir));
        if (sources === undefined) unread.push({ ...call, why: 'missing' });
        else add(dir, sources);
      }
    }
  }
  if (faults.length > 0) throw joinFaults(faults);
  return { root: start, rootModule, modules, unread };
}

async function readRoot(dir: string, readFolder: ReadFolder): Promise<readonly ConfigSource[]> {
  const sources = (await readFolder(dir)) ?? [];
  if (!sources.some(({ path }) => configSyntax(path) !== undefined)) {
    throw new MigrationError(
      'CONFIG_INVALID',
      `${printable(dir)} holds no Terraform configuration`,
      {
        hint: 'pass the folder that terraform runs in',
      },
    );
  }
  return sources;
}

/** Every file that Terraform loads; what cannot be read is collected, to be named all at once. */
function parseAll(
  sources: readonly ConfigSource[],
  grammar: HclGrammar,
  faults: MigrationError[],
): ConfigFile[] {
  return sources.flatMap((source) => {
    if (configSyntax(source.path) === undefined) return [];
    try {
      return [parseConfig(source, grammar)];
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      faults.push(error);
      return [];
    }
  });
}

function checkDepth(dir: string): string {
  if (dir.split('/').length <= DEEPEST) return dir;
  throw new MigrationError(
    'CONFIG_INVALID',
    `modules lie more than ${DEEPEST} folders deep below each other`,
    { hint: 'look for a symbolic link that leads back to a folder above it' },
  );
}

function joinFaults(faults: readonly MigrationError[]): MigrationError {
  const [first] = faults;
  if (first !== undefined && faults.length === 1) return first;
  const messages = faults.map(({ message }) => message).join('; ');
  return new MigrationError('CONFIG_INVALID', messages, { cause: faults });
}
