import { groupBy } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import {
  calledFolder,
  type ConfigBlock,
  type ConfigFile,
  type ConfigModule,
  type ConfigProject,
  isList,
  type ModuleCall,
  objectsOf,
  type ProviderRequirement,
  referenceOf,
  type ResourceBlock,
  type StateBlock,
  stringOf,
  type UnreadCall,
} from './config';
import { type ConfigSource, configSyntax, decodeConfig } from './config-source';
import { parseHclFile } from './hcl-file';
import { loadHclGrammar } from './hcl-grammar';
import { parseJsonFile } from './json-file';

/** Reads the files of a folder; undefined when there is no such folder. */
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
 * const project = await readProject('.', readFolder);
 */
export async function readProject(root: string, readFolder: ReadFolder): Promise<ConfigProject> {
  const start = calledFolder('.', `./${root}`) ?? '.';
  const modules = new Map<string, ConfigModule>();
  const unread: UnreadCall[] = [];
  const faults: MigrationError[] = [];
  const add = async (dir: string, sources: readonly ConfigSource[]): Promise<ConfigModule> => {
    const module = readModule(dir, await parseAll(sources, faults));
    modules.set(dir, module);
    return module;
  };
  const rootModule = await add(start, await readRoot(start, readFolder));
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
        else await add(dir, sources);
      }
    }
  }
  const [fault, another] = faults;
  if (fault === undefined) return { root: start, rootModule, modules, unread };
  if (another === undefined) throw fault;
  const messages = faults.map(({ message }) => message).join('; ');
  throw new MigrationError('CONFIG_INVALID', messages, { cause: faults });
}

async function readRoot(dir: string, readFolder: ReadFolder): Promise<readonly ConfigSource[]> {
  const sources = (await readFolder(dir)) ?? [];
  if (sources.some(({ path }) => configSyntax(path) !== undefined)) return sources;
  const message = `${printable(dir)} holds no Terraform configuration`;
  const hint = 'pass the folder that terraform runs in';
  throw new MigrationError('CONFIG_INVALID', message, { hint });
}

/** Every file that Terraform loads; what cannot be read is collected, to be named all at once. */
async function parseAll(
  sources: readonly ConfigSource[],
  faults: MigrationError[],
): Promise<ConfigFile[]> {
  const files: ConfigFile[] = [];
  for (const source of sources.filter(({ path }) => configSyntax(path) !== undefined)) {
    try {
      files.push(await parseConfig(source));
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      faults.push(error);
    }
  }
  return files;
}

function checkDepth(dir: string): string {
  if (dir.split('/').length <= DEEPEST) return dir;
  throw new MigrationError(
    'CONFIG_INVALID',
    `modules lie more than ${DEEPEST} folders deep below each other`,
    { hint: 'look for a symbolic link that leads back to a folder above it' },
  );
}

/**
 * Takes a configuration file apart without loss: every block with its exact range.
 *
 * @param source a file for which `configSyntax` gives a language; any other is read as HCL
 * @throws MigrationError `CONFIG_INVALID` with file, line and column, when it cannot be read:
 * what is not understood is not edited
 * @example
 * const file = await parseConfig({ path: 'main.tf', bytes });
 * file.blocks.map(({ address, range }) => `${address} at line ${range.startLine}`);
 */
export async function parseConfig(source: ConfigSource): Promise<ConfigFile> {
  // also for JSON: the templates in its strings are HCL
  const grammar = await loadHclGrammar();
  const { path } = source;
  const parse = configSyntax(path) === 'json' ? parseJsonFile : parseHclFile;
  return parse(path, decodeConfig(source), grammar);
}

const known = new Set(['resource', 'data', 'module', 'provider', 'import', 'moved', 'removed']);

/** Sorts the blocks of one folder by what they are; files in the order of their names. */
export function readModule(dir: string, files: readonly ConfigFile[]): ConfigModule {
  const ordered = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const all = ordered.flatMap(({ blocks }) => blocks);
  const byType = groupBy(all, ({ type }) => type);
  const ofType = (type: string): readonly ConfigBlock[] => byType.get(type) ?? [];
  return {
    dir,
    files: ordered,
    resources: ordered.flatMap((file) => file.blocks.flatMap((block) => readResource(file, block))),
    calls: mergeCalls(ordered),
    providers: ofType('provider').map((block) => ({
      name: block.labels[0] ?? '',
      alias: stringOf(block.body.get('alias')),
      block,
    })),
    requirements: ofType('terraform').flatMap(readRequirements),
    stateBlocks: (['import', 'moved', 'removed'] as const).flatMap((kind) =>
      ofType(kind).map((block) => readStateBlock(kind, block)),
    ),
    others: all.filter(({ type }) => !known.has(type)),
  };
}

function readResource(file: ConfigFile, block: ConfigBlock): ResourceBlock[] {
  const [type, name] = block.labels;
  if (type === undefined || name === undefined) return [];
  if (block.type !== 'resource' && block.type !== 'data') return [];
  return [{ mode: block.type === 'data' ? 'data' : 'managed', type, name, block, file }];
}

/** One call a name; what an override file says about it comes last and wins. */
function mergeCalls(files: readonly ConfigFile[]): ModuleCall[] {
  const calls = new Map<string, ModuleCall>();
  const inOrder = [
    ...files.filter(({ override }) => !override),
    ...files.filter(({ override }) => override),
  ].flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'module'));
  for (const block of inOrder) {
    const { labels, body } = block;
    const [name] = labels;
    if (name === undefined) continue;
    const before = calls.get(name);
    const source = body.get('source');
    calls.set(name, {
      name,
      source: source === undefined ? before?.source : stringOf(source),
      isRepeated: before?.isRepeated === true || body.has('count') || body.has('for_each'),
      blocks: [...(before?.blocks ?? []), block],
    });
  }
  return [...calls.values()];
}

/** Both forms: an object with source and version, and the version alone (Terraform 0.12). */
function readRequirements(block: ConfigBlock): ProviderRequirement[] {
  return objectsOf(block.body.get('required_providers')).flatMap((providers) =>
    [...providers].map(([name, value]) => {
      const [entry] = objectsOf(value);
      const aliases = entry?.get('configuration_aliases');
      return {
        name,
        source: stringOf(entry?.get('source')),
        version: stringOf(entry === undefined ? value : entry.get('version')),
        aliases: isList(aliases) ? aliases.flatMap((one) => referenceOf(one) ?? []) : [],
        block,
      };
    }),
  );
}

function readStateBlock(kind: StateBlock['kind'], block: ConfigBlock): StateBlock {
  const { body } = block;
  const [from, to, id] = ['from', 'to', 'id'].map((name) => referenceOf(body.get(name)));
  const keeps = objectsOf(body.get('lifecycle')).some((one) => one.get('destroy') === false);
  return { kind, from, to, id, keeps, block };
}
