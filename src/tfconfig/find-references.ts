import { posix } from 'node:path';
import { compareTexts, groupBy } from '../core/lists';
import {
  type ConfigBlock,
  type ConfigFile,
  type ConfigModule,
  type ConfigProject,
  type FileReference,
} from './config';
import { LineIndex } from './config-source';
import { findBlocks } from './find-blocks';

/** A reference to a block that will be removed: Terraform refuses the configuration without the block. */
export interface Reference {
  /**
   * What is removed, as the reference names it: `cloudflare_waf_rule.a`, `module.zones.rule_ids`;
   * `module.zones.*` if a reference reads the whole module and one of its outputs breaks.
   */
  readonly address: string;
  /** Where the reference is: `output.ids`, `local.ids`, `cloudflare_zone.z`, `moved`. */
  readonly from: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /**
   * The reference as it is written, or the address of a block: hostile text, but not the whole line, which could hold a
   * secret.
   */
  readonly text: string;
}

/** A reference with its file and its targets. */
export interface Use extends FileReference {
  readonly dir: string;
  readonly file: ConfigFile;
  readonly targets: readonly Target[];
}

/** What a reference names. */
export interface Target {
  /** The folder of a module, and an address in it. */
  readonly key: string;
  /** As the reference names it. */
  readonly address: string;
}

/**
 * What refers to blocks that will be removed, so that Terraform refuses the configuration without them. A reference
 * from a block that is removed too does not count.
 *
 * @param removed blocks of this project, by identity
 * @param uses every reference of the project, if already read
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
  return placeReferences(brokenUses(project, uses, removed));
}

/**
 * Every reference to a resource, a data source, a module, a local value or a variable.
 * @param types of resources that may be named without a block
 */
export function findUses(project: ConfigProject, types: readonly string[] = []): readonly Use[] {
  const modules = [...project.modules.values()];
  const declared = modules.flatMap(({ resources }) => resources.map(({ type }) => type));
  const roots = new Set([...types, ...declared, 'data', 'resource', 'module', 'var', 'local']);
  return modules.flatMap((module) =>
    module.files.flatMap((file) =>
      file.references(roots).map((one) => ({
        ...one,
        dir: module.dir,
        file,
        targets: targetsOf(project, module, one),
      })),
    ),
  );
}

/** The references to what no block declares: Terraform refuses the configuration. */
export function findUndeclared(
  project: ConfigProject,
  uses: readonly Use[],
  isOfInterest: (address: string) => boolean,
): readonly Reference[] {
  const declared = new Set(declaredBlocks(project).map(({ key }) => key));
  const found = uses
    .filter(({ block }) => !mayNameNothing(block))
    .flatMap(({ owner: from, file, offset, text, targets }) =>
      targets
        .filter(({ key, address }) => isOfInterest(address) && !declared.has(key))
        .map(({ address }) => ({ address, from, file, offset, text })),
    );
  return placeReferences(found);
}

function targetsOf(
  project: ConfigProject,
  { dir, calls }: ConfigModule,
  { names, block, isDependsOn, itemAttributes }: FileReference,
): Target[] {
  const [root = '', first = '', second] = names;
  if (root !== 'module') {
    const address = addressOf(names);
    return [{ key: keyOf(dir, address), address }];
  }
  if (block.type === 'import') {
    // an import can name a resource of another module
    const address = names.join('.');
    return findBlocks(project, address).map((one) => ({
      key: keyOf(posix.dirname(one.file.path), one.block.address),
      address,
    }));
  }
  const { folder, isRepeated } = calls.find(({ name }) => name === first) ?? {};
  if (folder === undefined || (second === undefined && isDependsOn)) return [];
  // a `for` over a module without count and for_each reads each of its outputs
  const ofItems = isRepeated === true ? itemAttributes : undefined;
  const outputs = second === undefined ? ofItems : [second];
  if (outputs !== undefined) {
    return outputs.map((name) => ({
      key: keyOf(folder, `output.${name}`),
      address: `module.${first}.${name}`,
    }));
  }
  // the module is read as a whole
  const files = project.modules.get(folder)?.files ?? [];
  return files
    .flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'output'))
    .map((output) => ({ key: keyOf(folder, output.address), address: `module.${first}.*` }));
}

const keyOf = (dir: string, address: string): string => `${dir} ${address}`;

/** A reference before its offset is converted to a line. */
interface FoundPlace extends Pick<Reference, 'address' | 'from' | 'text'> {
  readonly file: ConfigFile;
  readonly offset: number;
}

/**
 * The references that break when the blocks are removed: to the blocks themselves, and to local values
 * and outputs that use them.
 */
function brokenUses(
  project: ConfigProject,
  uses: readonly Use[],
  removed: ReadonlySet<ConfigBlock>,
): FoundPlace[] {
  const broken = new Set(
    declaredBlocks(project).flatMap(({ key, block }) => (removed.has(block) ? key : [])),
  );
  const found: FoundPlace[] = [];
  let open = uses.filter(({ block }) => !removed.has(block) && !mayNameNothing(block));
  let count: number;
  do {
    count = open.length;
    open = open.filter(({ dir, owner, block, file, offset, text, targets }) => {
      const address = targets.find(({ key }) => broken.has(key))?.address;
      if (address === undefined) return true;
      found.push({ address, from: owner, file, offset, text });
      // it is unknown which output of a whole module a value uses
      const isMade = block.type === 'locals' || block.type === 'output';
      if (isMade && !address.endsWith('.*')) broken.add(keyOf(dir, owner));
      return false;
    });
  } while (open.length < count);
  return found;
}

/** All blocks of a project with the keys by which references name them. */
function declaredBlocks(project: ConfigProject) {
  return [...project.modules.values()].flatMap(({ dir, files }) =>
    files.flatMap((file) =>
      file.blocks.map((block) => ({ key: keyOf(dir, block.address), block })),
    ),
  );
}

/** Terraform accepts such a block when its addresses do not exist. */
function mayNameNothing({ type }: ConfigBlock): boolean {
  return type === 'moved' || type === 'removed';
}

/**
 * The address inside the module that the names of a reference stand for: `variable.x` for
 * `var.x`, `a.b` for `resource.a.b`.
 */
function addressOf([root = '', first = '', second = '']: readonly string[]): string {
  if (root === 'data') return `data.${first}.${second}`;
  if (root === 'resource') return `${first}.${second}`;
  return `${root === 'var' ? 'variable' : root}.${first}`;
}

/** Longer texts are cut: a template in JSON can be a whole script. */
const LONGEST = 200;

/** Converts places to references, in the order of the files, without duplicates. */
function placeReferences(found: readonly FoundPlace[]): Reference[] {
  const indexes = new Map<ConfigFile, LineIndex>();
  const ordered = found.toSorted(
    (one, other) =>
      compareTexts(one.file.path, other.file.path) ||
      one.offset - other.offset ||
      compareTexts(one.address, other.address),
  );
  const references = ordered.map(({ file, offset, text, ...what }): Reference => {
    const lines = indexes.get(file) ?? new LineIndex(file.text);
    indexes.set(file, lines);
    return { ...what, file: file.path, line: lines.line(offset), text: text.slice(0, LONGEST) };
  });
  return [...new Map(references.map((one) => [JSON.stringify(one), one])).values()];
}

/**
 * The most blocks that can be removed together without breaking a reference: those that no other block refers to. An
 * output is removed only if it refers to nothing else, and not to a module as a whole.
 *
 * @param uses of {@link findUses}
 * @param candidates blocks of this project, by identity
 */
export function findRemovable(
  project: ConfigProject,
  uses: readonly Use[],
  candidates: ReadonlySet<ConfigBlock>,
): ReadonlySet<ConfigBlock> {
  const declared = groupBy(declaredBlocks(project), ({ key }) => key);
  const removable = new Set(
    [...declared].flatMap(([key, same]) =>
      same.every(({ block }) => candidates.has(block)) ? key : [],
    ),
  );
  let held: readonly string[];
  do {
    held = uses.flatMap((one) => heldBy(one, removable));
    for (const key of held) removable.delete(key);
  } while (held.length > 0);
  const blocks = [...removable].flatMap((key) => declared.get(key) ?? []);
  return new Set(blocks.map(({ block }) => block));
}

/** The keys of removable blocks that a reference keeps: what it names, or the output that it is in. */
function heldBy({ dir, block, targets }: Use, removable: ReadonlySet<string>): readonly string[] {
  const own = keyOf(dir, block.address);
  if (!removable.has(own)) {
    if (mayNameNothing(block)) return [];
    return targets.map(({ key }) => key).filter((key) => removable.has(key));
  }
  if (block.type !== 'output') return [];
  // which outputs it reads of a whole module is unknown
  const isCertain = targets.every(
    ({ key, address }) => removable.has(key) && !address.endsWith('.*'),
  );
  return isCertain && targets.length > 0 ? [] : [own];
}
