import { type ConfigBlock } from '../blocks/config-file';
import { type ConfigModule, type ResourceBlock } from '../blocks/config-module';
import { referenceOf } from '../blocks/config-value';
import { findBlocks, modulePaths } from '../blocks/find-blocks';
import { groupBy } from '../blocks/group-by';
import { mergedBody } from '../blocks/merged-body';
import { withoutKeys } from '../blocks/resource-address';
import { type OldResource } from '../state/pick-old-resources';
import { findOldWafType } from '../state/old-waf-types';
import { type PlannedState } from './planned-state';

/** Old resources that the files declare and a state does not hold, as addresses without keys. */
export interface AbsentBlocks {
  /** Those that are of the asked zones for sure. */
  readonly ofZones: readonly string[];
  readonly others: readonly string[];
}

export const noneAbsent: AbsentBlocks = { ofZones: [], others: [] };

/**
 * What has left a state by hand, or has a count of 0. Which zone it is of is told by its literal id, or
 * by the blocks of its module with the same expression, of which the state holds something.
 */
export function absentBlocks(
  { configuration, oldResources }: PlannedState,
  zones: ReadonlySet<string>,
): AbsentBlocks {
  if (configuration === undefined) return noneAbsent;
  const { project } = configuration;
  const held = new Map<ConfigBlock, readonly OldResource[]>();
  for (const [address, own] of groupBy(oldResources, (one) => withoutKeys(one.address))) {
    for (const { block } of findBlocks(project, address)) {
      held.set(block, [...(held.get(block) ?? []), ...own]);
    }
  }
  const isAsked = (zone: string | undefined): boolean => zone !== undefined && zones.has(zone);
  const found = [...project.modules.values()].flatMap((module) => {
    const old = module.resources.filter(isOldResource);
    if (old.every(({ block }) => held.has(block))) return [];
    const [path = ''] = modulePaths(project, module, 1);
    return [...groupBy(old, (one) => zoneIdOf(module, one))].flatMap(([id, alike]) => {
      const zonesHeld = alike
        .flatMap(({ block }) => held.get(block) ?? [])
        .map(({ zoneId }) => zoneId);
      const isTold = id !== undefined && zonesHeld.length > 0 && zonesHeld.every(isAsked);
      return alike
        .filter(({ block }) => !held.has(block))
        .map(({ block }) => ({
          address: path === '' ? block.address : `${path}.${block.address}`,
          isOfZones: isAsked(id) || isTold,
        }));
    });
  });
  const addresses = (isOfZones: boolean): string[] => [
    ...new Set(found.filter((one) => one.isOfZones === isOfZones).map(({ address }) => address)),
  ];
  return { ofZones: addresses(true), others: addresses(false) };
}

const isOldResource = ({ mode, type }: ResourceBlock): boolean =>
  mode === 'managed' && findOldWafType(mode, type) !== undefined;

/** As it is written; undefined where it differs from instance to instance. */
function zoneIdOf(module: ConfigModule, resource: ResourceBlock): string | undefined {
  const id = referenceOf(mergedBody(module, resource).get('zone_id'));
  return id === undefined || /\b(?:each|count|self)\./.test(id) ? undefined : id;
}
