import { compareTexts, groupBy } from '../core/lists';
import {
  type ConfigBlock,
  type ConfigFile,
  type ConfigModule,
  type ConfigProject,
  type FileReference,
} from './config';
import { LineIndex } from './config-source';
import { findBlocks, moduleGraph } from './find-blocks';

/** A reference to a block that will be removed: Terraform refuses the configuration without the block. */
export interface Reference {
  /**
   * What is removed, as the reference names it: `cloudflare_waf_rule.a`, `module.zones.rule_ids`;
   * `module.zones.*` where a module is read as a whole, of which an output breaks.
   */
  readonly address: string;
  /** Where the reference is: `output.ids`, `local.ids`, `cloudflare_zone.z`, `moved`. */
  readonly from: string;
  readonly file: string;
  /** Counted from 1, as the column (in UTF-16 units). */
  readonly line: number;
  readonly column: number;
  /**
   * The reference as it is written, or the address of a block: hostile text, but not the whole line, which could hold a
   * secret.
   */
  readonly text: string;
}

/** A reference, and the file that it is in. */
export interface Use extends FileReference {
  /** The folder of the module. */
  readonly dir: string;
  readonly file: ConfigFile;
}

/**
 * What refers to blocks that will be removed, so that Terraform refuses the configuration without them. A reference
 * from a block that is removed too does not count.
 *
 * @param removed blocks of this project, by identity
 * @param uses every reference of the project, where it was read before
 * @returns in the order of file and line; empty when the blocks can simply be removed
 * @example
 * const legacy = findBlocksOfTypes(project, legacyWafTypes);
 * const references = findReferences(project, new Set(legacy.map(({ block }) => block)));
 */
export function findReferences(
  project: ConfigProject,
  removed: ReadonlySet<ConfigBlock>,
  uses: readonly Use[] = removed.size === 0 ? [] : findUses(project),
): readonly Reference[] {
  const modules = [...project.modules.values()];
  return placeReferences([
    ...modules.flatMap((module) => orphanedOverrides(module, removed)),
    ...brokenUses(project, uses, removed),
  ]);
}

/** Every reference to a resource, a data source, a module, a local value or a variable. */
export function findUses(project: ConfigProject): readonly Use[] {
  const modules = [...project.modules.values()];
  const types = modules.flatMap(({ resources }) => resources.map(({ type }) => type));
  const roots = new Set([...types, 'data', 'resource', 'module', 'var', 'local']);
  return modules.flatMap(({ dir, files }) =>
    files.flatMap((file) => file.references(roots).map((one) => ({ ...one, dir, file }))),
  );
}

/** A reference before its place is known in lines. */
interface FoundPlace extends Pick<Reference, 'address' | 'from' | 'text'> {
  readonly file: ConfigFile;
  readonly offset: number;
}

/** Terraform refuses an override of something that does not exist. */
function orphanedOverrides(
  { files }: ConfigModule,
  removed: ReadonlySet<ConfigBlock>,
): FoundPlace[] {
  const gone = new Set(
    files
      .filter(({ override }) => !override)
      .flatMap(({ blocks }) => blocks.filter((block) => removed.has(block)))
      .map(({ address }) => address),
  );
  return files
    .filter(({ override }) => override)
    .flatMap((file) =>
      file.blocks
        .filter((block) => gone.has(block.address) && !removed.has(block))
        .map(({ address, range }) => ({
          ...{ address, from: address, text: address, file, offset: range.start },
        })),
    );
}

/**
 * The references that name nothing once the blocks are removed: to the blocks themselves, and onwards
 * to the local values and the outputs that are made of them.
 */
function brokenUses(
  project: ConfigProject,
  uses: readonly Use[],
  removed: ReadonlySet<ConfigBlock>,
): FoundPlace[] {
  const { callersOf } = moduleGraph(project);
  const kept = uses.filter(({ block }) => !removed.has(block) && !mayNameNothing(block));
  const waiting = groupBy(
    kept.flatMap((use) => namesOf(use).map((name) => ({ key: `${use.dir} ${name}`, use }))),
    ({ key }) => key,
  );
  /** Names that hold in one module each, with its folder. */
  const broken = new Set<string>();
  // what is made of a name that breaks later is looked at once more
  const due = [...kept];
  const breakName = (dir: string, name: string): void => {
    const key = `${dir} ${name}`;
    if (broken.has(key)) return;
    broken.add(key);
    for (const { use } of waiting.get(key) ?? []) due.push(use);
  };
  /** An output that cannot be computed any more breaks what the callers of its module make of it. */
  const breakOutput = (folder: string, output: string): void => {
    for (const { dir, name } of callersOf(folder)) {
      breakName(dir, `module.${name}.${output.slice('output.'.length)}`);
      breakName(dir, `module.${name}.*`);
    }
  };
  for (const { dir, files } of project.modules.values()) {
    for (const { blocks } of files.filter(({ override }) => !override)) {
      for (const { address, type } of blocks.filter((block) => removed.has(block))) {
        broken.add(`${dir} ${address}`);
        if (type === 'output') breakOutput(dir, address);
      }
    }
  }
  const found = new Map<Use, FoundPlace>();
  // a loop over an array also visits what is added meanwhile
  for (const use of due) {
    if (found.has(use)) continue;
    const { dir, owner, block, file, offset, text, names } = use;
    const address =
      namesOf(use).find((name) => broken.has(`${dir} ${name}`)) ??
      // an import names resources of other modules
      (block.type === 'import' &&
      findBlocks(project, names.join('.'), dir).some((one) => removed.has(one.block))
        ? names.join('.')
        : undefined);
    if (address === undefined) continue;
    found.set(use, { address, from: owner, file, offset, text });
    // how the caller uses the broken output of a whole module is not known
    if (address.endsWith('.*')) continue;
    if (block.type === 'locals') breakName(dir, owner);
    if (block.type === 'output') breakOutput(dir, owner);
  }
  return [...found.values()];
}

/** Terraform accepts such a block when its addresses do not exist. */
function mayNameNothing({ type }: ConfigBlock): boolean {
  return type === 'moved' || type === 'removed';
}

/** The names in its module that a reference needs. */
function namesOf({ names, orders }: Use): readonly string[] {
  const address = addressOf(names);
  if (names[0] !== 'module') return [address];
  const output = names.length === 2 && !orders ? `${address}.*` : names.slice(0, 3).join('.');
  return [address, output];
}

/**
 * What the names of a reference stand for, as an address inside of the module: `variable.x` for
 * `var.x`, `a.b` for `resource.a.b`.
 */
function addressOf([root = '', first = '', second = '']: readonly string[]): string {
  if (root === 'data') return `data.${first}.${second}`;
  if (root === 'resource') return `${first}.${second}`;
  return `${root === 'var' ? 'variable' : root}.${first}`;
}

/** Longer texts are cut: a template in JSON can be a whole script. */
const LONGEST = 200;

/** The places as lines, in the order of file and line, each once. */
function placeReferences(found: readonly FoundPlace[]): Reference[] {
  const indexes = new Map<ConfigFile, LineIndex>();
  const references = found.map(({ file, offset, text, ...what }): Reference => {
    const lines = indexes.get(file) ?? new LineIndex(file.text);
    indexes.set(file, lines);
    const { line, column } = lines.position(offset);
    return { ...what, file: file.path, line, column, text: text.slice(0, LONGEST) };
  });
  const keyed = new Map(references.map((one) => [JSON.stringify(one), one]));
  return [...keyed.values()].sort(
    (one, other) =>
      compareTexts(one.file, other.file) ||
      one.line - other.line ||
      one.column - other.column ||
      compareTexts(one.address, other.address),
  );
}

/**
 * The most blocks that can be removed together without breaking a reference: those that no other block refers to. An
 * output is removed only if it refers to nothing else.
 *
 * @param uses of {@link findUses}
 * @param candidates blocks of this project, by identity
 */
export function findRemovable(
  project: ConfigProject,
  uses: readonly Use[],
  candidates: ReadonlySet<ConfigBlock>,
): ReadonlySet<ConfigBlock> {
  const { callsOf } = moduleGraph(project);
  const removable = new Set(candidates);
  const blocks = groupBy(
    [...project.modules.values()].flatMap(({ dir, files }) =>
      files.flatMap((file) => file.blocks.map((block) => ({ dir, block }))),
    ),
    ({ dir, block }) => `${dir} ${block.address}`,
  );
  const at = (dir: string, address: string): readonly ConfigBlock[] =>
    (blocks.get(`${dir} ${address}`) ?? []).map(({ block }) => block);
  const targetsOf = ({ dir, names, block, orders }: Use): readonly ConfigBlock[] => {
    if (block.type === 'import') {
      return findBlocks(project, names.join('.'), dir).map((one) => one.block);
    }
    const [root, name = '', output] = names;
    if (root !== 'module') return at(dir, addressOf(names));
    const folder = callsOf(dir).get(name)?.folder;
    if (folder === undefined || orders) return [];
    if (output !== undefined) return at(folder, `output.${output}`);
    // the module is read as a whole
    const files = project.modules.get(folder)?.files ?? [];
    return files.flatMap((file) => file.blocks.filter(({ type }) => type === 'output'));
  };
  const references = uses.map((use) => ({ ...use, targets: targetsOf(use) }));
  for (;;) {
    const held = references.flatMap(({ block, dir, targets: all }) => {
      const targets = all.filter((one) => removable.has(one));
      if (!removable.has(block)) return mayNameNothing(block) ? [] : targets;
      return block.type === 'output' && targets.length === 0 ? at(dir, block.address) : [];
    });
    const orphans = [...blocks.values()].flatMap((same) =>
      same.some(({ block }) => !removable.has(block)) ? same.map(({ block }) => block) : [],
    );
    const before = removable.size;
    for (const block of [...held, ...orphans]) removable.delete(block);
    if (removable.size === before) return removable;
  }
}
