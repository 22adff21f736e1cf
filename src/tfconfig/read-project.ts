import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import {
  type ConfigBlock,
  type ConfigFile,
  calledFolder,
  type ConfigModule,
  type ConfigProject,
  type ModuleCall,
  type ProviderBlock,
  type ProviderRequirement,
  type ResourceBlock,
  type StateBlock,
  type UnreadCall,
  isList,
  objectsOf,
  referenceOf,
  stringOf,
} from './config';
import { type ConfigSource, configSyntax } from './config-source';
import { groupBy } from '../core/group-by';
import { type HclGrammar } from './hcl-grammar';
import { parseConfig } from './parse-config';
import { readBody } from './read-body';

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

const known = new Set(['resource', 'data', 'module', 'provider', 'import', 'moved', 'removed']);

/** Sorts the blocks of one folder by what they are; files in the order of their names. */
export function readModule(dir: string, files: readonly ConfigFile[]): ConfigModule {
  const ordered = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const all = ordered.flatMap((file) => file.blocks.map((block) => ({ file, block })));
  const byType = groupBy(all, ({ block }) => block.type);
  const pick = <Found>(type: string, read: (file: ConfigFile, block: ConfigBlock) => Found[]) =>
    (byType.get(type) ?? []).flatMap(({ file, block }) => read(file, block));
  return {
    dir,
    files: ordered,
    resources: all.flatMap(({ file, block }) => readResource(file, block)),
    calls: mergeCalls(byType.get('module') ?? []),
    providers: pick('provider', readProvider),
    requirements: pick('terraform', readRequirements),
    stateBlocks: (['import', 'moved', 'removed'] as const).flatMap((kind) =>
      pick(kind, (file, block) => [readStateBlock(kind, file, block)]),
    ),
    others: all.flatMap(({ block }) => (known.has(block.type) ? [] : [block])),
  };
}

function readResource(file: ConfigFile, block: ConfigBlock): ResourceBlock[] {
  const [type, name] = block.labels;
  if (type === undefined || name === undefined) return [];
  if (block.type !== 'resource' && block.type !== 'data') return [];
  return [{ mode: block.type === 'data' ? 'data' : 'managed', type, name, block, file }];
}

interface Placed {
  readonly file: ConfigFile;
  readonly block: ConfigBlock;
}

/** One call a name; what an override file says about it comes last and wins. */
function mergeCalls(all: readonly Placed[]): ModuleCall[] {
  const calls = new Map<string, ModuleCall>();
  const inOrder = [
    ...all.filter(({ file }) => !file.override),
    ...all.filter(({ file }) => file.override),
  ];
  for (const { file, block } of inOrder) {
    const [name] = block.labels;
    if (name === undefined) continue;
    const before = calls.get(name);
    const body = readBody(file, block);
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

function readProvider(file: ConfigFile, block: ConfigBlock): ProviderBlock[] {
  const [name = ''] = block.labels;
  return [{ name, alias: stringOf(readBody(file, block).get('alias')), block }];
}

/** Both forms: an object with source and version, and the version alone (Terraform 0.12). */
function readRequirements(file: ConfigFile, block: ConfigBlock): ProviderRequirement[] {
  return objectsOf(readBody(file, block).get('required_providers')).flatMap((providers) =>
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

function readStateBlock(
  kind: StateBlock['kind'],
  file: ConfigFile,
  block: ConfigBlock,
): StateBlock {
  const body = readBody(file, block);
  const [from, to, id] = ['from', 'to', 'id'].map((name) => referenceOf(body.get(name)));
  const keeps = objectsOf(body.get('lifecycle')).some((one) => one.get('destroy') === false);
  return { kind, from, to, id, keeps, block };
}
