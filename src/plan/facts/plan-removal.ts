import { posix } from 'node:path';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import {
  type ConfigBlock,
  type ConfigProject,
  namedBlock,
  placeOfBlock,
  type ResourceBlock,
} from '../../tfconfig/config';
import { configSyntax } from '../../tfconfig/config-source';
import { type FileEdit, planEdit, planNewFile } from '../../tfconfig/file-edit';
import {
  addressesOf,
  findBlocks,
  inUnreadModule,
  isSynthesised,
  originOf,
  unreadCalls,
} from '../../tfconfig/find-blocks';
import {
  findReferences,
  findRemovable,
  findUndeclared,
  findUses,
  type Use,
} from '../../tfconfig/find-references';
import { compareTexts, groupBy } from '../../core/lists';
import { renderHclBlocks, type StateBlocks, startsOf } from '../../tfconfig/state-blocks';
import { partsBefore, withoutKeys, parseAddress } from '../../core/resource-address';
import { isLegacyWafAddress, legacyWafTypes } from '../../tfstate/legacy-waf-types';
import { type Configuration } from '../../project/read-configuration';
import { type PlannedRemoval } from './facts';

/**
 * Plans the edits that remove legacy blocks from a configuration. A referenced block stays until the user changes the
 * reference.
 * @param addresses of the resources that are removed from state, with keys
 * @param inAddition blocks to remove besides those of these resources
 * @param kept keys of blocks ({@link blockKey}) that stay: any state still has their resources, or reads their output
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export function planRemoval(
  configuration: Configuration,
  addresses: readonly string[],
  inAddition: readonly ResourceBlock[],
  kept: ReadonlySet<string>,
): PlannedRemoval {
  const { project } = configuration;
  const selected = selectBlocks(configuration, addresses, inAddition, kept);
  const { toRemove, shared } = selected;
  const legacyTypes = legacyWafTypes.map(({ type }) => type);
  const uses = findUses(project, legacyTypes);
  const used = outputsWithUses(uses).map((one) => ({ ...one, key: blockKey(configuration, one) }));
  // a file that is linked, or that CDKTF generates, can be read by configurations outside of the plan
  const isOwn = !isSynthesised(project) && (configuration.linkedFiles?.size ?? 0) === 0;
  const mayLeave = used.filter(({ key }) => isOwn && !kept.has(key));
  const candidates = [...toRemove, ...mayLeave];
  const removable = findRemovable(project, uses, new Set(candidates.map(({ block }) => block)));
  const removed = candidates.filter(({ block }) => removable.has(block));
  const outputs = removed.map(({ block }) => block).filter(({ type }) => type === 'output');
  const leaving = new Set([...toRemove.map(({ block }) => block), ...outputs]);
  const missing = splitMissing(configuration, selected);
  const { edits, byHand } = isSynthesised(project)
    ? // the user removes all constructs in one change to the program, so no file is edited
      { edits: [], byHand: toRemove.flatMap((one) => originOf(project, one)) }
    : { edits: editsOf(configuration, removed), byHand: referredTo(selected, removable) };
  return {
    edits,
    removedAddresses: toRemove
      .filter(({ mode }) => mode === 'managed')
      .flatMap((one) => addressesOf(project, one)),
    manual: [...byHand, ...missing.inModules],
    places: isSynthesised(project) ? {} : placesOf(project, selected),
    blocks: toRemove,
    files: new Set(toRemove.map(({ file }) => realPathOf(configuration, file.path))),
    outputs: outputs.map(namedBlock),
    keptOutputs: used.flatMap(({ block, key }) => (removable.has(block) ? [] : key)),
    references: findReferences(project, leaving, uses),
    broken: findUndeclared(project, uses, isLegacyWafAddress),
    shared,
    ...missing,
  };
}

type Placed = Pick<ResourceBlock, 'file' | 'block'>;

type SelectedBlocks = ReturnType<typeof selectBlocks>;

/** The blocks to remove, once each, and the blocks of each address without keys. */
function selectBlocks(
  configuration: Configuration,
  addresses: readonly string[],
  inAddition: readonly ResourceBlock[],
  kept: ReadonlySet<string>,
) {
  const { project } = configuration;
  const isKept = (one: ResourceBlock): boolean => kept.has(blockKey(configuration, one));
  const byAddress = [...new Set(addresses.map(withoutKeys))].map((address) => ({
    address,
    blocks: findBlocks(project, address),
  }));
  const own = [...byAddress.flatMap(({ blocks }) => blocks), ...inAddition].filter(
    (one) => !isKept(one),
  );
  const added = inAddition.flatMap((one) =>
    addressesOf(project, one).map((address) => ({ address, blocks: [one] })),
  );
  return {
    toRemove: [...new Set(own)],
    byAddress: [...byAddress, ...added],
    shared: byAddress.flatMap(({ address, blocks }) => (blocks.some(isKept) ? address : [])),
  };
}

/** The outputs that refer to something, once each. */
function outputsWithUses(uses: readonly Use[]): readonly Placed[] {
  const outputs = uses.filter(({ block }) => block.type === 'output');
  return [...new Map(outputs.map(({ block, file }) => [block, { block, file }])).values()];
}

/** The addresses of the blocks that are left for the user, because something refers to them. */
function referredTo(
  { byAddress, toRemove }: SelectedBlocks,
  removable: ReadonlySet<ConfigBlock>,
): string[] {
  const left = new Set(toRemove.filter(({ block }) => !removable.has(block)));
  const addresses = byAddress.flatMap(({ address, blocks }) =>
    blocks.some((one) => left.has(one)) ? address : [],
  );
  return [...new Set(addresses)];
}

/** The places of the selected blocks. A block in a module that was not read has the place of the call. */
function placesOf(project: ConfigProject, { byAddress }: SelectedBlocks) {
  const calls = unreadCalls(project);
  const placed = byAddress.flatMap(({ address, blocks }) => {
    const call = calls.find(({ prefix }) => address.startsWith(prefix));
    const block = blocks[0]?.block ?? call?.block;
    return block === undefined ? [] : [[address, placeOfBlock(block)] as const];
  });
  return Object.fromEntries(placed);
}

/** The addresses without a block: in modules that were not read, or of undeclared resources. */
function splitMissing(configuration: Configuration, { byAddress }: SelectedBlocks) {
  const missing = byAddress.flatMap(({ address, blocks }) => (blocks.length === 0 ? address : []));
  const inModules = missing.filter(inUnreadModule(configuration.project));
  // Terraform does not destroy data sources
  const managed = missing.filter((address) => parseAddress(address).mode !== 'data');
  return { inModules, undeclared: undeclaredAmong(managed, configuration) };
}

/** One edit for each file, under its first name. */
function editsOf(configuration: Configuration, removed: readonly Placed[]): FileEdit[] {
  const sorted = removed.toSorted((a, b) => compareTexts(a.file.path, b.file.path));
  const byPlace = groupBy(sorted, ({ file }) => realPathOf(configuration, file.path));
  return [...byPlace].flatMap(([place, same]) => {
    const [{ file }] = same;
    refuseOtherKind(file.path, place);
    const blocks = same.flatMap((one) => (one.file === file ? one.block : []));
    return planEdit(file, blocks) ?? [];
  });
}

/** Refuses what `apply` refuses: a link in a pull request could lead to any file. */
function refuseOtherKind(path: string, place: string): void {
  if (configSyntax(place) !== undefined) return;
  const message = `${printable(path, 200)} is a link to ${printable(place, 200)}, whose name does not end in .tf or .tf.json`;
  throw new MigrationError('CONFIG_EDIT_REFUSED', message, {
    hint: 'put the file in the place of the link, then plan again',
  });
}

/**
 * The resources of a state that the next apply would destroy, because no block declares, moves or forgets them, and they
 * are in no module that was not read. None if the configuration is unknown.
 * @returns their addresses without keys
 */
export function undeclaredAmong(
  addresses: readonly string[],
  configuration: Configuration | undefined,
): readonly string[] {
  if (configuration === undefined) return [];
  const { project } = configuration;
  const leaving = new Set(startsOf(project, 'moved', 'removed').map(withoutKeys));
  const isUnread = inUnreadModule(project);
  return [...new Set(addresses.map(withoutKeys))].filter(
    (address) =>
      findBlocks(project, address).length === 0 &&
      !isUnread(address) &&
      !partsBefore(address).some((part) => leaving.has(part)),
  );
}

export function isUndeclared(address: string, configuration: Configuration | undefined): boolean {
  return undeclaredAmong([address], configuration).length > 0;
}

export function realPathOf({ linkedFiles }: Configuration, path: string): string {
  return linkedFiles?.get(path) ?? path;
}

export function isOutside(root: string, file: string): boolean {
  return root === '.' ? file.startsWith('../') : !file.startsWith(`${root}/`);
}

/** Identifies a block by the real path of its file, so that every link gives the same key. */
export function blockKey(configuration: Configuration, { file, block }: Placed): string {
  return `${realPathOf(configuration, file.path)} ${block.range.start}`;
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

/**
 * The edit that writes the missing `import` and `removed` blocks to a new file.
 * @returns none if the configuration has all of them
 */
export function stateBlocksEdit(
  dir: string,
  { project }: Configuration,
  blocks: StateBlocks,
): FileEdit[] {
  const { files, stateBlocks } = project.rootModule;
  const whole = renderHclBlocks(blocks);
  const made = files.find(({ text }) => text === whole);
  // an earlier plan wrote this file, so `apply` finds the edit done
  if (made !== undefined) return [planNewFile(made.path, whole)];
  const forgotten = new Set(startsOf(project, 'removed'));
  const imported = new Set(stateBlocks.filter(({ kind }) => kind === 'import').map(({ to }) => to));
  const text = renderHclBlocks({
    imports: blocks.imports.filter(({ to }) => !imported.has(to)),
    removed: blocks.removed.filter((address) => !forgotten.has(withoutKeys(address))),
  });
  if (text === '') return [];
  for (let number = 1; ; number += 1) {
    const path = posix.join(dir, `cf-waf-migrate${number === 1 ? '' : `-${number}`}.tf`);
    if (!files.some((one) => one.path === path)) return [planNewFile(path, text)];
  }
}
