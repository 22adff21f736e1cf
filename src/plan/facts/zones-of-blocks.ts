import { posix } from 'node:path';
import { isIdentifier } from '../../core/identifier';
import { groupBy } from '../../core/lists';
import { withoutKeys } from '../../core/resource-address';
import { namedValues, type NamedValues, readArgument } from '../../project/declared-rulesets';
import { type Configuration } from '../../project/read-configuration';
import {
  type ConfigBlock,
  type ConfigValue,
  Expression,
  isObject,
  stringOf,
} from '../../tfconfig/config';
import { addressesOf, findBlocksOfTypes } from '../../tfconfig/find-blocks';
import { legacyWafTypes } from '../../tfstate/legacy-waf-types';
import { type LegacyResource } from '../../tfstate/parse-state';
import { type StateFacts, type ZonesOfBlocks } from './facts';
import { isLocal } from './read-variables';

/**
 * The zones that each legacy block names, itself or in a for_each that is written out.
 * @param legacyResources whose zones count for a block that names none
 * @param values what references in the root module give
 */
export function zonesOfBlocks(
  configuration: Configuration | undefined,
  legacyResources: readonly LegacyResource[] = [],
  values: NamedValues = new Map(),
): ZonesOfBlocks {
  if (configuration === undefined) return new Map();
  const { project } = configuration;
  const inState = groupBy(legacyResources, ({ address }) => withoutKeys(address));
  const inRoot = new Set(project.rootModule.files);
  return new Map(
    findBlocksOfTypes(project, legacyWafTypes).map(({ file, block }) => {
      const module = project.modules.get(posix.dirname(file.path));
      const named = namedZones(block, (name) =>
        isLocal(name) && module ? namedValues(module).get(name) : undefined,
      );
      if (named.length > 0) return [block, new Set(named)];
      const addresses = inState.size === 0 ? [] : addressesOf(project, file, block.address);
      const instances = addresses.flatMap((address) => inState.get(address) ?? []);
      const zones = instances.flatMap(({ zoneId }) => zoneId ?? []);
      if (zones.length > 0 || !inRoot.has(file)) return [block, new Set(zones)];
      // a variable may have another value than its default, so the state counts first
      const { text = '' } = readArgument(block.body.get('zone_id'), values);
      const likely = isIdentifier(text) ? [text] : namedZones(block, (name) => values.get(name));
      return [block, new Set(likely)];
    }),
  );
}

type ValueOf = (reference: string) => ConfigValue | undefined;

/** All zones of the managed legacy blocks. */
export function zonesInBlocks(zones: ZonesOfBlocks): Set<string> {
  return new Set([...zones].flatMap(([{ type }, own]) => (type === 'resource' ? [...own] : [])));
}

/** All zones that the managed legacy blocks of a state's configuration name. */
export function zonesInConfiguration({
  configuration,
  values,
}: Pick<StateFacts, 'configuration' | 'values'>): Set<string> {
  return zonesInBlocks(zonesOfBlocks(configuration, [], values));
}

/** None if only Terraform can tell. */
function namedZones({ body }: ConfigBlock, valueOf: ValueOf): string[] {
  const zone = body.get('zone_id');
  const values =
    zone instanceof Expression
      ? valuesOfEach(zone.text.trim(), body.get('for_each'), valueOf)
      : [zone];
  const ids = values.map((one) => stringOf(one)?.toLowerCase() ?? '');
  return ids.every(isIdentifier) ? ids : [];
}

/** The values of `each.key` or `each.value` in the instances of a block; none if only Terraform can tell. */
function valuesOfEach(
  name: string,
  forEach: ConfigValue | undefined,
  valueOf: ValueOf,
): readonly ConfigValue[] {
  const each = forEach instanceof Expression ? valueOf(forEach.text.trim()) : forEach;
  if (!isObject(each)) return [];
  if (name === 'each.key') return [...each.keys()];
  return name === 'each.value' ? [...each.values()] : [];
}
