import { type ConfigBlock, type ConfigProject, type ResourceBlock } from '../tfconfig/config';
import { type FileEdit, planEdit } from '../tfconfig/plan-edit';
import { copiesOf, isSynthesised, originOf } from '../tfconfig/synthesised';
import { addressesOf, findBlocks, findBlocksOfTypes, modulePaths } from '../tfconfig/find-blocks';
import { findReferences, findRemovable, findUses } from '../tfconfig/find-references';
import { compareTexts, groupBy } from '../core/lists';
import { startsOf } from '../tfconfig/state-blocks';
import { removeBlocks } from '../tfconfig/remove-blocks';
import { partsBefore, withoutKeys, parseAddress } from '../core/resource-address';
import { legacyWafTypes } from '../tfstate/legacy-waf-types';
import * as finding from './findings';
import { type Configuration } from '../project/read-configuration';
import { type PlannedRemoval, type StateFacts } from './facts';

/** What to remove from a configuration. */
export interface LeavingBlocks {
  /** Addresses. Those without resources in the state have no keys. */
  readonly leaving: readonly string[];
  /** Keys of blocks ({@link blockKey}) that still have resources, in this state or another one. */
  readonly kept: ReadonlySet<string>;
  /** Whether to remove all blocks of legacy types, including those without resources in the state. */
  readonly all: boolean;
  /** Types to remove in addition to the legacy ones: filters and firewall rules. */
  readonly retired: readonly string[];
  /** Whether the plan has only this state. Another state could read the outputs of a shared module. */
  readonly isAlone: boolean;
}

/**
 * Plans the edits that remove legacy blocks from a configuration. A referenced block stays until the user changes the
 * reference.
 */
export function planRemoval(configuration: Configuration, blocks: LeavingBlocks): PlannedRemoval {
  const { project } = configuration;
  const { leaving, kept, all, retired, isAlone } = blocks;
  const isKept = (one: ResourceBlock): boolean => kept.has(blockKey(configuration, one));
  const addresses = [...new Set(leaving.map(withoutKeys))];
  const declared = addresses.map((address) => ({ address, blocks: findBlocks(project, address) }));
  const legacy = findBlocksOfTypes(project, legacyWafTypes);
  const shared = declared.filter(({ blocks }) => blocks.some(isKept));
  const going = new Map<ConfigBlock, ResourceBlock>();
  // `terraform import` reads every data source
  const others = all
    ? [
        ...legacy,
        ...findBlocksOfTypes(
          project,
          retired.map((type) => ({ mode: 'managed', type })),
        ),
      ]
    : legacy.filter(({ mode }) => mode === 'data');
  for (const one of [...declared.flatMap(({ blocks }) => blocks), ...others]) {
    if (!isKept(one)) going.set(one.block, one);
  }
  for (const one of otherNames(configuration, [...going.values()])) going.set(one.block, one);
  // the user removes all constructs in one change to the program, so no file is edited
  const byProgram = isSynthesised(project) ? [...going.values()] : undefined;
  const missing = declared
    .filter(({ blocks }) => blocks.length === 0)
    .map(({ address }) => address);
  const uses = going.size === 0 ? [] : findUses(project);
  const outputs = new Map(
    uses.flatMap(({ block, file }) => (block.type === 'output' ? [[block, { block, file }]] : [])),
  );
  // a linked file or another state of the plan may read these outputs
  const isOwn = ({ file: { path } }: Placed): boolean =>
    byProgram === undefined &&
    (configuration.linkedFiles?.size ?? 0) === 0 &&
    (isAlone || !isOutside(project.root, path));
  const ownOutputs = [...outputs.values()].filter(isOwn).map(({ block }) => block);
  const candidates = new Set([...going.keys(), ...ownOutputs]);
  const removable = findRemovable(project, uses, candidates);
  const removedOutputs = [...outputs.values()].filter(({ block }) => removable.has(block));
  const breaking = findReferences(
    project,
    new Set([...going.keys(), ...removedOutputs.map(({ block }) => block)]),
    uses,
  );
  const removed = [...going.values(), ...removedOutputs].filter(({ block }) =>
    removable.has(block),
  );
  const held = [...going.values()].filter(({ block }) => !removable.has(block));
  const isHeld = ({ block }: Placed): boolean => going.has(block) && !removable.has(block);
  const heldAddresses = new Set([
    ...declared.filter(({ blocks }) => blocks.some(isHeld)).map(({ address }) => address),
    ...others
      .filter(isHeld)
      .flatMap(({ file, block }) => addressesOf(project, file, block.address)),
  ]);
  const broken = [...outputs.values()].filter(({ block, file }) =>
    breaking.some((one) => one.file === file.path && one.from === block.address),
  );
  const unread = unreadPaths(project);
  const inModules = missing.filter((address) => unread.some((path) => address.startsWith(path)));
  const forgotten = new Set(startsOf(project, 'removed'));
  const ofRoot = new Set(project.rootModule.files.map(({ path }) => path));
  return {
    edits: byProgram === undefined ? editsOf(configuration, removed) : [],
    diff: byProgram === undefined ? leftToRemove(configuration, removed, [...held, ...broken]) : '',
    going: [...going.values()]
      .filter(({ mode }) => mode === 'managed')
      .flatMap(({ file, block }) => addressesOf(project, file, block.address)),
    manual: [
      ...(byProgram?.flatMap((one) => originOf(project, one)) ?? heldAddresses),
      ...inModules,
    ],
    findings: [
      ...(removedOutputs.length === 0 ? [] : [finding.outputsRemoved(placesOf(removedOutputs))]),
      ...breaking.map((one) =>
        finding.blockReferenced(`${one.file}:${one.line}`, {
          ...one,
          isOfRoot: ofRoot.has(one.file),
        }),
      ),
      ...shared.map(({ address }) => finding.blockShared(address)),
      ...inModules.map((address) => finding.moduleNotEdited(address)),
      ...copiesOf(project, byProgram ?? []).map((copy) => finding.moduleCopied(copy.file, copy)),
      // Terraform destroys neither data sources nor the resources of `removed` blocks
      ...missing
        .filter((address) => !inModules.includes(address) && parseAddress(address).mode !== 'data')
        .filter((address) => !partsBefore(address).some((part) => forgotten.has(part)))
        .map((address) => finding.blockAlreadyGone(address)),
    ],
  };
}

type Placed = Pick<ResourceBlock, 'file' | 'block'>;

const placesOf = (placed: readonly Placed[]): string =>
  placed
    .map(({ file, block }) => `${block.address} (${file.path}:${block.range.startLine})`)
    .join(', ');

/** One edit for each file, under its first name. */
function editsOf(configuration: Configuration, removed: readonly Placed[]): FileEdit[] {
  return byFile(configuration, removed).flatMap(({ file, blocks }) => planEdit(file, blocks) ?? []);
}

/** The diff that removes the remaining blocks after the edits. */
function leftToRemove(
  configuration: Configuration,
  removed: readonly Placed[],
  further: readonly Placed[],
): string {
  const gone = new Set(removed.map(({ block }) => block));
  return byFile(configuration, further)
    .map(({ file, blocks }) => {
      const own = file.blocks.filter((block) => gone.has(block));
      const edited = file.withText(removeBlocks(file, own));
      const staying = file.blocks.filter((block) => !gone.has(block));
      const left = edited.blocks.filter((_, at) => staying[at] && blocks.includes(staying[at]));
      return planEdit(edited, left)?.diff ?? '';
    })
    .join('');
}

/** The blocks of each file, under the first name of the file. */
function byFile(configuration: Configuration, placed: readonly Placed[]) {
  const sorted = placed.toSorted((a, b) => compareTexts(a.file.path, b.file.path));
  const byPlace = groupBy(sorted, ({ file }) => placeOf(configuration, file.path));
  return [...byPlace.values()].map((same) => {
    const [{ file }] = same;
    return { file, blocks: same.flatMap((one) => (one.file === file ? one.block : [])) };
  });
}

/** The address prefixes of modules whose files were not read. */
function unreadPaths(project: ConfigProject): readonly string[] {
  return [...project.modules.values()].flatMap((module) => {
    const names = project.unread.filter(({ dir }) => dir === module.dir).map(({ name }) => name);
    return modulePaths(project, module).flatMap((path) =>
      names.map((name) => `${path === '' ? '' : `${path}.`}module.${name}.`),
    );
  });
}

/** Whether a configuration declares a resource, or the address goes through a module whose files were not read. */
export function mayDeclare({ project }: Pick<Configuration, 'project'>, address: string): boolean {
  const block = withoutKeys(address);
  return (
    findBlocks(project, block).length > 0 ||
    unreadPaths(project).some((path) => block.startsWith(path))
  );
}

/** The real path of a file, with links resolved. */
export function placeOf({ linkedFiles }: Pick<Configuration, 'linkedFiles'>, path: string): string {
  return linkedFiles?.get(path) ?? path;
}

/** Whether a file is outside the folder of a state. */
export function isOutside(root: string, file: string): boolean {
  return root === '.' ? file.startsWith('../') : !file.startsWith(`${root}/`);
}

/** Identifies a block by the real path of its file, so that every link gives the same key. */
export function blockKey(configuration: Configuration, { file, block }: ResourceBlock): string {
  return `${placeOf(configuration, file.path)} ${block.range.start}`;
}

/** The keys of the blocks of resources. A module that is called twice, even by two states, has one key for both. */
export function blockKeys(
  configuration: Configuration,
  addresses: readonly string[],
): readonly string[] {
  const blocks = new Set(addresses.map(withoutKeys));
  return [...blocks].flatMap((address) =>
    findBlocks(configuration.project, address).map((one) => blockKey(configuration, one)),
  );
}

/** The same blocks in other modules, which reach the file through links. */
function otherNames(
  configuration: Configuration,
  blocks: readonly ResourceBlock[],
): readonly ResourceBlock[] {
  const { project, linkedFiles = new Map() } = configuration;
  if (linkedFiles.size === 0) return [];
  const own = new Set(blocks);
  const keys = new Set(blocks.map((one) => blockKey(configuration, one)));
  return [...project.modules.values()].flatMap(({ resources }) =>
    resources.filter((one) => !own.has(one) && keys.has(blockKey(configuration, one))),
  );
}

/** The legacy blocks without resources in the state, because these were removed by hand or the count is 0. */
export function unheldBlocks({
  configuration,
  legacyResources,
}: Pick<StateFacts, 'configuration' | 'legacyResources'>): string[] {
  if (configuration === undefined) return [];
  const { project } = configuration;
  const addresses = new Set(legacyResources.map(({ address }) => withoutKeys(address)));
  const held = new Set(
    [...addresses].flatMap((address) => findBlocks(project, address).map(({ block }) => block)),
  );
  return findBlocksOfTypes(project, legacyWafTypes)
    .filter(({ mode, block }) => mode === 'managed' && !held.has(block))
    .flatMap(({ file, block }) => addressesOf(project, file, block.address));
}
