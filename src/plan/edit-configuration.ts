import {
  type ConfigBlock,
  type ConfigObject,
  type ConfigProject,
  referenceOf,
  type ResourceBlock,
} from '../tfconfig/config';
import { type FileEdit, planEdit } from '../tfconfig/plan-edit';
import { copiesOf, isSynthesised, originOf } from '../tfconfig/synthesised';
import {
  addressesOf,
  findBlocks,
  findBlocksOfTypes,
  mergedBody,
  modulePaths,
} from '../tfconfig/find-blocks';
import { findReferences, findRemovable, findUses } from '../tfconfig/find-references';
import { compareTexts, groupBy } from '../core/lists';
import { startsOf } from '../tfconfig/state-blocks';
import { removeBlocks } from '../tfconfig/remove-blocks';
import { partsBefore, withoutKeys, parseAddress } from '../core/resource-address';
import { type LegacyResource } from '../tfstate/legacy-resources';
import { findLegacyWafType, legacyWafTypes } from '../tfstate/legacy-waf-types';
import * as finding from './findings';
import { type Configuration } from '../project/read-configuration';
import { type PlannedRemoval, type StateFacts } from './facts';

/** What leaves a configuration. */
export interface LeavingBlocks {
  /** Addresses; those of which the state holds nothing without keys. */
  readonly leaving: readonly string[];
  /** Keys of blocks ({@link blockKey}) of which something stays, in this state or another one. */
  readonly kept: ReadonlySet<string>;
  /** Whether all blocks of legacy types are removed, also of resources that the state does not have. */
  readonly all: boolean;
  /** Types that are removed besides the legacy ones: filters and firewall rules. */
  readonly retired: readonly string[];
  /** Whether the plan has no other state, which could read the outputs of a module that both call. */
  readonly isAlone: boolean;
}

/**
 * Plans how the blocks of what leaves a state leave its configuration. A block that a reference names stays
 * until the user has changed that.
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
  // a program makes the change in one go: nothing of it is edited beside
  const byProgram = isSynthesised(project) ? [...going.values()] : undefined;
  const missing = declared
    .filter(({ blocks }) => blocks.length === 0)
    .map(({ address }) => address);
  const uses = going.size === 0 ? [] : findUses(project);
  const outputs = new Map(
    uses.flatMap(({ block, file }) => (block.type === 'output' ? [[block, { block, file }]] : [])),
  );
  // what a link or another state of the plan has too may be read there
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
      // of a data source nothing is to destroy, and what a `removed` block names is not destroyed
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

/** One edit a file, by the first of its names. */
function editsOf(configuration: Configuration, removed: readonly Placed[]): FileEdit[] {
  return byFile(configuration, removed).flatMap(({ file, blocks }) => planEdit(file, blocks) ?? []);
}

/** The difference that removes further blocks from the files as the edits leave them. */
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

/** The blocks of each file, by the first of its names. */
function byFile(configuration: Configuration, placed: readonly Placed[]) {
  const sorted = placed.toSorted((a, b) => compareTexts(a.file.path, b.file.path));
  const byPlace = groupBy(sorted, ({ file }) => placeOf(configuration, file.path));
  return [...byPlace.values()].map((same) => {
    const [{ file }] = same;
    return { file, blocks: same.flatMap((one) => (one.file === file ? one.block : [])) };
  });
}

/** How the addresses begin that lie in modules whose files are not among those that were read. */
function unreadPaths(project: ConfigProject): readonly string[] {
  return [...project.modules.values()].flatMap((module) => {
    const names = project.unread.filter(({ dir }) => dir === module.dir).map(({ name }) => name);
    return modulePaths(project, module).flatMap((path) =>
      names.map((name) => `${path === '' ? '' : `${path}.`}module.${name}.`),
    );
  });
}

/** Whether a configuration declares a resource, or calls a module on its way whose files were not read. */
export function mayDeclare({ project }: Pick<Configuration, 'project'>, address: string): boolean {
  const block = withoutKeys(address);
  return (
    findBlocks(project, block).length > 0 ||
    unreadPaths(project).some((path) => block.startsWith(path))
  );
}

/** A file of a configuration by its own place, and not by that of a link to it. */
export function placeOf({ linkedFiles }: Pick<Configuration, 'linkedFiles'>, path: string): string {
  return linkedFiles?.get(path) ?? path;
}

/** Whether a file lies outside of the folder of a state. */
export function isOutside(root: string, file: string): boolean {
  return root === '.' ? file.startsWith('../') : !file.startsWith(`${root}/`);
}

/** A block by its real place: the same under each name that a link gives its file. */
export function blockKey(configuration: Configuration, { file, block }: ResourceBlock): string {
  return `${placeOf(configuration, file.path)} ${block.range.start}`;
}

/** The blocks of resources: a module that is called twice has one for both, also for two states. */
export function blockKeys(
  configuration: Configuration,
  addresses: readonly string[],
): readonly string[] {
  const blocks = new Set(addresses.map(withoutKeys));
  return [...blocks].flatMap((address) =>
    findBlocks(configuration.project, address).map((one) => blockKey(configuration, one)),
  );
}

/** The same blocks, as the other modules have them whose names for the file lead to it. */
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

/**
 * Blocks without resources in the state, as addresses without keys: these were removed by hand, or the count is 0. The zone of a block is known by
 * its literal id, or by a block of its module with the same expression and resources in the state. An expression does
 * not count for a block that another workspace or environment may have resources of.
 */
export function absentBlocks(
  { configuration, legacyResources, otherWorkspaces }: StateFacts,
  zones: ReadonlySet<string>,
): { readonly ofZones: readonly string[]; readonly others: readonly string[] } {
  if (configuration === undefined) return { ofZones: [], others: [] };
  const { project } = configuration;
  const blocksOf = (address: string): readonly ConfigBlock[] =>
    findBlocks(project, address).map(({ block }) => block);
  const held = new Map<ConfigBlock, readonly LegacyResource[]>();
  for (const [address, own] of groupBy(legacyResources, (one) => withoutKeys(one.address))) {
    for (const block of blocksOf(address)) held.set(block, [...(held.get(block) ?? []), ...own]);
  }
  const ofOthers = otherWorkspaces.flatMap((one) => one.legacyResources.map(withoutKeys));
  const heldElsewhere = new Set([...new Set(ofOthers)].flatMap(blocksOf));
  const asked: ReadonlySet<string | undefined> = zones;
  const found = [...project.modules.values()].flatMap((module) => {
    const old = module.resources.filter(isLegacyResource);
    if (old.every(({ block }) => held.has(block))) return [];
    const [path = ''] = modulePaths(project, module);
    const read = old.map((one) => ({ ...one, body: mergedBody(module, one) }));
    return [...groupBy(read, ({ body }) => zoneIdOf(body))].flatMap(([id, alike]) => {
      const zonesHeld = alike
        .flatMap(({ block }) => held.get(block) ?? [])
        .map(({ zoneId }) => zoneId);
      const isKnown =
        id !== undefined && zonesHeld.length > 0 && zonesHeld.every((zone) => asked.has(zone));
      return alike
        .filter(({ block }) => !held.has(block))
        .map(({ block, body }) => ({
          address: path === '' ? block.address : `${path}.${block.address}`,
          isOfZones:
            !heldElsewhere.has(block) && (asked.has(id) || (isKnown && !mayHaveInstances(body))),
        }));
    });
  });
  const addresses = (isOfZones: boolean): string[] => [
    ...new Set(found.filter((one) => one.isOfZones === isOfZones).map(({ address }) => address)),
  ];
  return { ofZones: addresses(true), others: addresses(false) };
}

/** No data source: their blocks are removed in any case. */
const isLegacyResource = ({ mode, type }: ResourceBlock): boolean =>
  mode === 'managed' && findLegacyWafType(mode, type) !== undefined;

/** As it is written; undefined where it differs from instance to instance, or from workspace to workspace. */
function zoneIdOf(body: ConfigObject): string | undefined {
  const id = referenceOf(body.get('zone_id'));
  return id === undefined || /\b(?:each|count|self|terraform)\s*\./.test(id) ? undefined : id;
}

/** Whether it can have instances elsewhere where it has none here: by its workspace, or by a variable. */
function mayHaveInstances(body: ConfigObject): boolean {
  return body.has('for_each') || (body.has('count') && body.get('count') !== 0);
}
