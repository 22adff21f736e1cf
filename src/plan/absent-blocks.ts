import { isSynthesised } from '../tfconfig/synthesised';
import { findLegacyWafType, isLegacyWafAddress } from '../tfstate/legacy-waf-types';
import { type LegacyResource } from '../tfstate/legacy-resources';
import { withoutKeys, partsBehind } from '../core/resource-address';
import { groupBy } from '../core/lists';
import {
  type ConfigBlock,
  type ResourceBlock,
  type StateBlock,
  type ConfigObject,
  referenceOf,
} from '../tfconfig/config';
import { findBlocks, mergedBody, modulePaths } from '../tfconfig/find-blocks';
import { type DoneBlocks, type StateFacts } from './facts';
import { planEdit } from '../tfconfig/plan-edit';

/** Legacy resources that the files declare and a state does not have, as addresses without keys. */
export interface AbsentBlocks {
  /** Those that are of the asked zones for sure. */
  readonly ofZones: readonly string[];
  readonly others: readonly string[];
}

export const noneAbsent: AbsentBlocks = { ofZones: [], others: [] };

/**
 * Blocks without resources in the state: these were removed by hand, or the count is 0. The zone of a block is known by
 * its literal id, or by a block of its module with the same expression and resources in the state. An expression does
 * not count for a block that another workspace or environment may have resources of.
 */
export function absentBlocks(
  { configuration, legacyResources, otherWorkspaces }: StateFacts,
  zones: ReadonlySet<string>,
): AbsentBlocks {
  if (configuration === undefined) return noneAbsent;
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

/**
 * The blocks whose ruleset is in the state, or whose legacy resources are not. A `removed` block stays while another
 * workspace holds what it names.
 */
export function findDoneBlocks(state: StateFacts): DoneBlocks {
  const { configuration, legacyResources, otherWorkspaces, rulesets } = state;
  if (configuration === undefined || legacyResources.length > 0)
    return { edits: [], overrides: [] };
  const owned = new Set(rulesets.map(({ address }) => address));
  const addresses = otherWorkspaces.flatMap((one) => one.legacyResources.map(withoutKeys));
  // of a block in a module it is the end of the address
  const held = new Set([...new Set(addresses)].flatMap(partsBehind));
  const isDone = ({ kind, from = '', to = '' }: StateBlock): boolean =>
    kind === 'import'
      ? owned.has(to)
      : kind === 'removed' && isLegacyWafAddress(withoutKeys(from)) && !held.has(withoutKeys(from));
  const modules = [...configuration.project.modules.values()].map(({ files, stateBlocks }) => ({
    files,
    done: stateBlocks.filter(isDone),
  }));
  if (isSynthesised(configuration.project)) {
    const done = modules.flatMap((module) => module.done);
    return {
      edits: [],
      overrides: done.map(({ kind, from, to }) => `${kind} ${to ?? from ?? ''}`),
    };
  }
  const edits = modules.flatMap(({ files, done }) => {
    const gone = new Set(done.map(({ block }) => block));
    return files.flatMap((file) => {
      const own = file.blocks.filter((block) => gone.has(block));
      return own.length === 0 ? [] : (planEdit(file, own) ?? []);
    });
  });
  return { edits, overrides: [] };
}
