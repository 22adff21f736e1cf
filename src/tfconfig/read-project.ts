import { posix } from 'node:path';
import { sha256 } from '../core/json';
import { compareTexts, groupBy } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { grouped, printable } from '../core/printable';
import {
  type ConfigBlock,
  type ConfigFile,
  type ConfigModule,
  type ConfigProject,
  isList,
  type ModuleCall,
  objectsOf,
  type ProviderRequirement,
  type ReachedModule,
  referenceOf,
  type ResourceBlock,
  type StateBlock,
  stringOf,
  type UnreadFile,
} from './config';
import { type ConfigSource, configSyntax, decodeConfig } from './config-source';
import { inModule, resourceKey } from './find-blocks';
import { parseHclText } from './hcl-file';
import { loadHclGrammar } from './hcl-grammar';
import { parseJsonText } from './json-file';

/** The files of one folder. */
export interface FolderFiles {
  readonly sources: readonly ConfigSource[];
  readonly unreadFiles: readonly UnreadFile[];
}

/** Reads the files of a folder; undefined if there is no such folder. */
export type ReadFolder = (dir: string) => Promise<FolderFiles | undefined>;

/**
 * Reads a configuration and its local modules. Files that cannot be parsed are in
 * `unreadFiles`: see {@link requireWhole}.
 *
 * @param root relative to the folder of the plan, parts joined by `/`
 * @returns undefined if the folder has no configuration
 * @throws MigrationError `CONFIG_INVALID` if it calls too many modules
 * @example
 * const project = await readProject('.', readFolder);
 */
export async function readProject(
  root: string,
  readFolder: ReadFolder,
): Promise<ConfigProject | undefined> {
  const start = posix.normalize(root);
  const modules = new Map<string, ConfigModule>();
  const unread = new Set<ModuleCall>();
  const unreadFiles: UnreadFile[] = [];
  /** Reads a module once; false if there is no such folder. */
  const readOnce = async (dir: string): Promise<boolean> => {
    if (modules.has(dir)) return true;
    const files = await readFolder(dir);
    if (files === undefined) return false;
    unreadFiles.push(...files.unreadFiles);
    modules.set(dir, readModule(dir, await parseAll(files.sources, unreadFiles)));
    return true;
  };
  await readOnce(start);
  const rootModule = modules.get(start);
  if (rootModule === undefined || rootModule.files.length + unreadFiles.length === 0)
    return undefined;
  // the loop also visits entries that it adds
  for (const module of modules.values()) {
    requireFewModules(modules.size, start);
    for (const call of module.calls) {
      const isRead = call.folder !== undefined && (await readOnce(call.folder));
      if (!isRead) unread.add(call);
    }
  }
  const paths = reachedModules(rootModule, modules);
  return { root: start, rootModule, modules, paths, unread, unreadFiles };
}

/** Calls that double at each level, or that follow links, would never end; Terraform could not plan them either. */
const MOST_MODULES = 10_000;

function requireFewModules(count: number, dir: string): void {
  if (count <= MOST_MODULES) return;
  const message = `the configuration in ${printable(dir)} calls more than ${grouped(MOST_MODULES)} modules`;
  const hint = 'check the module calls: Terraform reads each of them again for each call';
  throw new MigrationError('CONFIG_INVALID', message, { hint });
}

function reachedModules(
  rootModule: ConfigModule,
  modules: ReadonlyMap<string, ConfigModule>,
): Map<string, ReachedModule> {
  const paths = new Map<string, ReachedModule>([['', { module: rootModule, calls: [] }]]);
  // the loop also visits entries that it adds
  for (const [path, { module, calls }] of paths) {
    requireFewModules(paths.size, rootModule.dir);
    for (const call of module.calls) {
      const called = modules.get(call.folder ?? '');
      // Terraform refuses a module that calls itself
      const isLoop = called === rootModule || calls.some(({ folder }) => folder === call.folder);
      if (called === undefined || isLoop) continue;
      const below = inModule(path, `module.${call.name}`);
      paths.set(below, { module: called, calls: [...calls, call] });
    }
  }
  return paths;
}

/**
 * Checks that every file was parsed: otherwise nothing is certain about the others.
 * @throws MigrationError of the first fault, with the messages of all
 */
export function requireWhole<Project extends Pick<ConfigProject, 'unreadFiles'>>(
  project: Project,
): Project {
  const errors = project.unreadFiles.map(({ error }) => error);
  const [first] = errors;
  if (first === undefined) return project;
  if (errors.length === 1) throw first;
  const messages = errors.map(({ message }) => message).join('; ');
  throw new MigrationError(first.code, messages, { cause: errors, hint: first.hint });
}

async function parseAll(
  sources: readonly ConfigSource[],
  unreadFiles: UnreadFile[],
): Promise<ConfigFile[]> {
  const files: ConfigFile[] = [];
  for (const source of sources.filter(({ path }) => configSyntax(path) !== undefined)) {
    try {
      files.push(refuseMerged(await parseConfig(source)));
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      unreadFiles.push({ file: source.path, error });
    }
  }
  return files;
}

/** A file whose blocks Terraform merges into those of other files. */
const OVERRIDE = /(?:^|[/_])override\.tf(?:\.json)?$/u;

/** Refuses an override file of what is edited, because Terraform merges its blocks into those of other files. */
function refuseMerged(file: ConfigFile): ConfigFile {
  const merged = file.blocks.find(
    ({ type, labels: [label = ''] }) =>
      type === 'module' || /^cloudflare_(?:waf_|ruleset$)/.test(label),
  );
  if (merged === undefined || !OVERRIDE.test(file.path)) return file;
  const message = `${printable(file.path)} overrides ${printable(merged.address)}`;
  throw new MigrationError('CONFIG_EDIT_REFUSED', `${message}, which is not supported`, {
    hint: 'move its arguments to the block that it overrides, then plan again',
  });
}

/**
 * Parses a configuration file: every block with its exact range.
 *
 * @param source a file for which `configSyntax` gives a language; any other is read as HCL
 * @throws MigrationError `CONFIG_INVALID` with file, line and column, if it cannot be parsed
 * @example
 * const file = await parseConfig({ path: 'main.tf', bytes });
 * file.blocks.map(({ address, range }) => `${address} at line ${range.startLine}`);
 */
export async function parseConfig(source: ConfigSource): Promise<ConfigFile> {
  // also for JSON: the templates in its strings are HCL
  const grammar = await loadHclGrammar();
  const { path } = source;
  const syntax = configSyntax(path) ?? 'hcl';
  const text = decodeConfig(source);
  const parse = syntax === 'json' ? parseJsonText : parseHclText;
  return { path, syntax, text, sha256: sha256(text), ...parse(path, text, grammar) };
}

/** Groups the blocks of one folder by kind; files are sorted by name. */
export function readModule(dir: string, files: readonly ConfigFile[]): ConfigModule {
  const ordered = files.toSorted((one, other) => compareTexts(one.path, other.path));
  const byType = groupBy(
    ordered.flatMap(({ blocks }) => blocks),
    ({ type }) => type,
  );
  const ofType = (type: string): readonly ConfigBlock[] => byType.get(type) ?? [];
  const resources = ordered.flatMap((file) =>
    file.blocks.flatMap((block) => readResource(file, block)),
  );
  return {
    dir,
    files: ordered,
    resources,
    declarations: groupBy(resources, resourceKey),
    calls: ofType('module').flatMap((block) => readCall(dir, block)),
    providers: ofType('provider').map(({ labels: [name = ''], body }) => ({
      name,
      alias: stringOf(body.get('alias')),
    })),
    requirements: ofType('terraform').flatMap(readRequirements),
    stateBlocks: (['import', 'moved', 'removed'] as const).flatMap((kind) =>
      ofType(kind).map((block) => readStateBlock(kind, block)),
    ),
  };
}

function readResource(file: ConfigFile, block: ConfigBlock): ResourceBlock[] {
  const [type, name] = block.labels;
  if (type === undefined || name === undefined) return [];
  if (block.type !== 'resource' && block.type !== 'data') return [];
  return [{ mode: block.type === 'data' ? 'data' : 'managed', type, name, block, file }];
}

function readCall(dir: string, block: ConfigBlock): ModuleCall[] {
  const { labels, body } = block;
  const [name] = labels;
  if (name === undefined) return [];
  const source = stringOf(body.get('source'));
  const isRepeated = body.has('count') || body.has('for_each');
  return [{ name, folder: calledFolder(dir, source), isRepeated, block }];
}

/** Returns the folder of a local module, or undefined for any other module. */
export function calledFolder(dir: string, source: string | undefined): string | undefined {
  if (source === undefined || !/^\.\.?(?:[/\\]|$)/.test(source)) return undefined;
  return posix.join(dir, source.replaceAll('\\', '/')).replace(/\/$/, '');
}

/** Both forms: an object with source and version, and only the version (Terraform 0.12). */
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
  const lifecycles = objectsOf(body.get('lifecycle'));
  const isDestroyFalse = lifecycles.length === 1 && lifecycles[0]?.get('destroy') === false;
  return { kind, from, to, id, isDestroyFalse, block };
}
