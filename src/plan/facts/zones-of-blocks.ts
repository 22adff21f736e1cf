import { posix } from 'node:path';
import { isIdentifier } from '../../core/identifier';
import { namedValues } from '../../project/declared-rulesets';
import {
  type ConfigModule,
  type ConfigProject,
  type ConfigValue,
  Expression,
  isObject,
  type ResourceBlock,
  stringOf,
} from '../../tfconfig/config';
import { findBlocksOfTypes } from '../../tfconfig/find-blocks';
import { legacyWafTypes } from '../../tfstate/legacy-waf-types';
import { type StateFacts } from './facts';

type Placed = Pick<ResourceBlock, 'file' | 'block'>;

/** The zones of the managed legacy blocks that name one. */
export function zonesOfBlocks(configuration: StateFacts['configuration']): string[] {
  if (configuration === undefined) return [];
  return findBlocksOfTypes(configuration.project, legacyWafTypes)
    .filter(({ mode }) => mode === 'managed')
    .flatMap((one) => zonesOfBlock(configuration.project, one));
}

/**
 * The zones that a legacy block names, itself or in a for_each that is written out; none if only Terraform can tell.
 */
export function zonesOfBlock(project: ConfigProject, { file, block }: Placed): string[] {
  const zone = block.body.get('zone_id');
  const module = project.modules.get(posix.dirname(file.path));
  const values =
    zone instanceof Expression
      ? valuesOfEach(zone.text.trim(), block.body.get('for_each'), module)
      : [zone];
  const ids = values.map((one) => stringOf(one)?.toLowerCase() ?? '');
  return ids.every(isIdentifier) ? ids : [];
}

/** The values of `each.key` or `each.value` in the instances of a block; none if only Terraform can tell. */
function valuesOfEach(
  name: string,
  forEach: ConfigValue | undefined,
  module: ConfigModule | undefined,
): readonly ConfigValue[] {
  const reference = forEach instanceof Expression ? forEach.text.trim() : '';
  // a variable may have another value than its default
  const isLocal = reference.startsWith('local.') && module !== undefined;
  const each = isLocal ? namedValues(module).get(reference) : forEach;
  if (!isObject(each)) return [];
  if (name === 'each.key') return [...each.keys()];
  return name === 'each.value' ? [...each.values()] : [];
}

/** Whether a block names zones, and all are among some. */
export function isOfZones(
  project: ConfigProject,
  block: Placed,
  zones: ReadonlySet<string>,
): boolean {
  const own = zonesOfBlock(project, block);
  return own.length > 0 && own.every((zone) => zones.has(zone));
}
