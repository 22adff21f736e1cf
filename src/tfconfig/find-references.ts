import { compareTexts } from '../core/lists';
import { type ConfigBlock, type ConfigFile, type ConfigModule, type ConfigProject } from './config';
import { findBlocks, addressOf, moduleGraph, ModuleNames } from './find-blocks';
import { groupBy } from '../core/group-by';
import { type HclGrammar } from './hcl-grammar';
import { LineIndex } from './line-index';
import { findUses, type Use } from './uses';

/**
 * Who refers to blocks that are to go, so that Terraform refuses the configuration without them. A reference
 * from a block that goes itself is none. Found by walking the expressions of the syntax tree.
 *
 * @param going blocks of this project, by identity
 * @returns in the order of file and line; empty when the blocks can simply be taken out
 * @example
 * const { old } = findOldBlocks(project, { old: oldWafTypes, retired: [] });
 * const references = findReferences(project, new Set(old.map(({ block }) => block)), grammar);
 */
export function findReferences(
  project: ConfigProject,
  going: ReadonlySet<ConfigBlock>,
  grammar: HclGrammar,
): readonly Reference[] {
  return referencesAmong(project, findUsesOf(project, going, grammar), going);
}

/** Every reference that can concern blocks which go; of what an output refers to, all. */
export function findUsesOf(
  project: ConfigProject,
  going: ReadonlySet<ConfigBlock>,
  grammar: HclGrammar,
): readonly Use[] {
  const modules = [...project.modules.values()];
  return going.size === 0 ? [] : findUses(project, grammar, rootsOf(modules));
}

/** {@link findReferences} where every reference is found already. */
export function referencesAmong(
  project: ConfigProject,
  uses: readonly Use[],
  going: ReadonlySet<ConfigBlock>,
): readonly Reference[] {
  if (going.size === 0) return [];
  const modules = [...project.modules.values()];
  return placeReferences([
    ...modules.flatMap((module) => orphanedOverrides(module, going)),
    ...brokenUses(project, uses, going),
  ]);
}

/** Every name with which a reference to a block can begin. */
function rootsOf(modules: readonly ConfigModule[]): ReadonlySet<string> {
  const types = modules.flatMap(({ resources }) => resources.map(({ type }) => type));
  return new Set([...types, 'data', 'resource', 'module', 'var', 'local']);
}

/** Terraform refuses an override of something that is not there. */
function orphanedOverrides({ files }: ConfigModule, going: ReadonlySet<ConfigBlock>): FoundPlace[] {
  const gone = new Set(
    files
      .filter(({ override }) => !override)
      .flatMap(({ blocks }) => blocks.filter((block) => going.has(block)))
      .map(({ address }) => address),
  );
  return files
    .filter(({ override }) => override)
    .flatMap((file) =>
      file.blocks
        .filter((block) => gone.has(block.address) && !going.has(block))
        .map(({ address, range }): FoundPlace => {
          const text = address;
          return { address, from: address, file, offset: range.start, text };
        }),
    );
}

/**
 * The references that name nothing once the blocks are gone: to the blocks themselves, and onwards
 * to the local values and the outputs that are made of them.
 */
function brokenUses(
  project: ConfigProject,
  uses: readonly Use[],
  going: ReadonlySet<ConfigBlock>,
): FoundPlace[] {
  const broken = new ModuleNames();
  const { callersOf } = moduleGraph(project);
  // Terraform accepts that a `moved` or `removed` block names nothing
  const staying = uses.filter(
    ({ block }) => !going.has(block) && !['moved', 'removed'].includes(block.type),
  );
  const waiting = groupBy(
    staying.flatMap((use) => namesOf(use).map((name) => ({ key: `${use.dir} ${name}`, use }))),
    ({ key }) => key,
  );
  // what is made of a name that breaks later is looked at once more
  const due = [...staying];
  const breakName = (dir: string, name: string): void => {
    if (broken.add(dir, name))
      for (const { use } of waiting.get(`${dir} ${name}`) ?? []) due.push(use);
  };
  /** An output that cannot be computed any more breaks what the callers of its module make of it. */
  const breakOutput = (folder: string, output: string): void => {
    for (const { dir, name } of callersOf(folder)) {
      breakName(dir, `module.${name}.${output.slice('output.'.length)}`);
      breakName(dir, `module.${name}.*`);
    }
  };
  for (const { dir, files } of project.modules.values()) {
    for (const file of files.filter(({ override }) => !override)) {
      for (const block of file.blocks) {
        if (!going.has(block)) continue;
        broken.add(dir, block.address);
        if (block.type === 'output') breakOutput(dir, block.address);
      }
    }
  }
  const found = new Map<Use, FoundPlace>();
  // a list hands out what is added while it is walked
  for (const use of due) {
    const address = found.has(use) ? undefined : brokenAddress(project, broken, going, use);
    if (address === undefined) continue;
    const { dir, owner, block, file, offset, text } = use;
    found.set(use, { address, from: owner, file, offset, text });
    // of a module that is read as a whole, what is done with the broken output is not guessed
    if (address.endsWith('.*')) continue;
    if (block.type === 'locals') breakName(dir, owner);
    if (block.type === 'output') breakOutput(dir, owner);
  }
  return [...found.values()];
}

/** What a reference names that will not be there; undefined when all of it stays. */
function brokenAddress(
  project: ConfigProject,
  broken: ModuleNames,
  going: ReadonlySet<ConfigBlock>,
  use: Use,
): string | undefined {
  const { dir, names, block } = use;
  const name = namesOf(use).find((one) => broken.has(dir, one));
  if (name !== undefined) return name;
  // an import names resources of other modules
  if (block.type !== 'import') return undefined;
  const target = names.join('.');
  return findBlocks(project, target, dir).some((one) => going.has(one.block)) ? target : undefined;
}

/** The names in its module that have to be there for a reference. */
function namesOf({ names, orders }: Use): readonly string[] {
  const address = addressOf(names);
  if (names[0] !== 'module') return [address];
  // a module that is read as a whole: what is done with the output stands elsewhere
  const output = names.length === 2 && !orders ? `${address}.*` : names.slice(0, 3).join('.');
  return [address, output];
}

/** Longer texts are cut: a template in JSON can be a whole script. */
const LONGEST = 200;

/** A reference before its place is told in lines. */
export interface FoundPlace extends Pick<Reference, 'address' | 'from' | 'text'> {
  readonly file: ConfigFile;
  readonly offset: number;
}

/** The places as lines, in the order of file and line, each once. */
export function placeReferences(found: readonly FoundPlace[]): Reference[] {
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

/** Something that refers to a block that is to go: Terraform refuses the configuration without it. */
export interface Reference {
  /**
   * What goes, as the place calls it: `cloudflare_waf_rule.a`, `module.zones.rule_ids`;
   * `module.zones.*` where a module is read as a whole, of which an output breaks.
   */
  readonly address: string;
  /** Who refers to it: `output.ids`, `local.ids`, `cloudflare_zone.z`, `moved`. */
  readonly from: string;
  readonly file: string;
  /** Counted from 1, as the column (in UTF-16 units). */
  readonly line: number;
  readonly column: number;
  /**
   * The reference as it is written, or the head of a block: hostile text, but not the whole line,
   * on which a secret could stand.
   */
  readonly text: string;
}

/**
 * The most blocks that can be removed together without breaking a reference: those that no other block refers
 * to. An output is removed only where it refers to such blocks alone.
 *
 * @param uses every reference to a resource, a data source, a module, a local value or a variable
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
    if (block.type === 'import') return findBlocks(project, names.join('.'), dir).map(blockOf);
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
      if (!removable.has(block)) return isStale(block) ? [] : targets;
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

function blockOf({ block }: { readonly block: ConfigBlock }): ConfigBlock {
  return block;
}

/** Terraform accepts that it names nothing. */
function isStale({ type }: ConfigBlock): boolean {
  return type === 'moved' || type === 'removed';
}
