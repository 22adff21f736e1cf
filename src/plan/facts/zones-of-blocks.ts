import { posix } from 'node:path';
import { isIdentifier } from '../../core/identifier';
import { groupBy } from '../../core/lists';
import { withoutKeys } from '../../core/resource-address';
import {
  namedValues,
  type NamedValues,
  readArgument,
  referenceIn,
} from '../../project/declared-rulesets';
import { type Configuration } from '../../project/read-configuration';
import {
  type ConfigModule,
  type ConfigObject,
  type ConfigProject,
  type ConfigValue,
  Expression,
  isList,
  isObject,
  objectsOf,
  type ReachedModule,
  type ResourceBlock,
  stringOf,
} from '../../tfconfig/config';
import { addressesOf, findBlocksOfTypes } from '../../tfconfig/find-blocks';
import { legacyWafTypes } from '../../tfstate/legacy-waf-types';
import { type LegacyResource } from '../../tfstate/parse-state';
import { type StateFacts, type ZonesOfBlocks } from './facts';
import { isLocal } from './read-variables';

/**
 * The zones that each legacy block names: itself, in a for_each that the files give, or in the calls of its module.
 * @param legacyResources whose zones count for a block that names none, and for those with the same expression
 * @param values what references in the root module give
 */
export function zonesOfBlocks(
  configuration: Configuration | undefined,
  legacyResources: readonly LegacyResource[] = [],
  values: NamedValues = new Map(),
): ZonesOfBlocks {
  if (configuration === undefined) return new Map();
  const zonesOf = zoneReader(configuration.project, legacyResources, values);
  const found = findBlocksOfTypes(configuration.project, legacyWafTypes).map((one) => ({
    block: one.block,
    // with a count or for_each, it may be meant to have no resource
    expression: isRepeated(one.block.body) ? undefined : zoneExpressionOf(one),
    zones: new Set(zonesOf(one)),
  }));
  const shared = new Map(
    [...groupBy(found, ({ expression }) => expression)].map(([expression, same]) => {
      const zones = expression === undefined ? [] : same.flatMap((one) => [...one.zones]);
      return [expression, new Set(zones)] as const;
    }),
  );
  return new Map(
    found.map(({ block, expression, zones }) => {
      return [block, zones.size > 0 ? zones : (shared.get(expression) ?? zones)];
    }),
  );
}

/** Reads the zones of a block without other blocks: what the files fix, else what the state has or the values give. */
function zoneReader(
  project: ConfigProject,
  legacyResources: readonly LegacyResource[],
  values: NamedValues,
): (one: ResourceBlock) => readonly string[] {
  const inState = groupBy(legacyResources, ({ address }) => withoutKeys(address));
  const inRoot = new Set(project.rootModule.files);
  const reached = groupBy([...project.paths.values()], ({ module }) => module.dir);
  const locals = new Map([...project.modules].map(([dir, one]) => [dir, localsOf(one)]));
  const localsOfRoot = localsOf(project.rootModule);
  return (one) => {
    const { body } = one.block;
    const dir = posix.dirname(one.file.path);
    // no call reaches the root module
    const named = (ofModule: NamedValues | undefined, ofRoot: NamedValues): string[] => [
      ...namedZones(body, 'zone_id', ofModule),
      ...zonesOfCalls(body, reached.get(dir) ?? [], ofRoot),
    ];
    const fixed = named(locals.get(dir), localsOfRoot);
    if (fixed.length > 0) return fixed;
    const addresses = inState.size === 0 ? [] : addressesOf(project, one);
    const instances = addresses.flatMap((address) => inState.get(address) ?? []);
    const held = instances.flatMap(({ zoneId }) => zoneId ?? []);
    const likely = named(inRoot.has(one.file) ? values : locals.get(dir), values);
    // the state may be of an environment in which the variables have other values
    return held.every((id) => likely.includes(id)) ? likely : held;
  };
}

/** The module and the expression of a block's zone, which identify the zone: the expression has one value there. */
export function zoneExpressionOf({ file, block }: ResourceBlock): string | undefined {
  const zone = block.body.get('zone_id');
  return zone instanceof Expression ? `${posix.dirname(file.path)} ${zone.text.trim()}` : undefined;
}

/** The local values of a module: only its files give them. */
const localsOf = (module: ConfigModule): NamedValues =>
  new Map([...namedValues(module)].filter(([name]) => isLocal(name)));

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

/** The zones of all instances of a block or call; none if only Terraform can tell. */
function namedZones(
  body: ConfigObject,
  argument: string,
  values: NamedValues = new Map(),
): string[] {
  const zone = body.get(argument);
  const { text } = readArgument(zone, values);
  const reference = zone instanceof Expression ? zone.text.trim() : '';
  const list = countedList(body, argument);
  const each =
    list === undefined
      ? valuesOfEach(reference, body.get('for_each'), values)
      : valuesOfList(list, values);
  const ids = (text === undefined ? each : [text]).map((one) => stringOf(one)?.toLowerCase() ?? '');
  return ids.every(isIdentifier) ? ids : [];
}

/** What all calls from the root module pass as the zone of a block; none if only Terraform can tell. */
function zonesOfCalls(
  body: ConfigObject,
  reached: readonly ReachedModule[],
  values: NamedValues,
): string[] {
  const [kind, name = ''] = referenceIn(body.get('zone_id'))?.split('.') ?? [];
  // a count or for_each can leave out the zone of a call
  if (kind !== 'var' || isRepeated(body)) return [];
  const zones = reached.map(({ calls: [call, further] }) => {
    if (call === undefined || further !== undefined) return [];
    const { body: own } = call.block;
    const each = own.get('for_each');
    // a condition can make it empty
    const mayBeOff =
      (isObject(each) && each.size === 0) ||
      (each instanceof Expression && /\?|^toset\(\[\s*\]\)$/.test(each.text.trim()));
    return mayBeOff || (own.has('count') && countedList(own, name) === undefined)
      ? []
      : namedZones(own, name, values);
  });
  return zones.some((own) => own.length === 0) ? [] : zones.flat();
}

const isRepeated = (body: ConfigObject): boolean => body.has('count') || body.has('for_each');

/** The list whose items an argument is, in as many instances; undefined if it is not of a count. */
function countedList(body: ConfigObject, argument: string): string | undefined {
  const [zone, count] = [body.get(argument), body.get('count')];
  if (!(zone instanceof Expression && count instanceof Expression)) return undefined;
  const [, list] = /^length\((.+)\)$/s.exec(count.text.trim()) ?? [];
  return zone.text.trim() === `${list ?? ''}[count.index]` ? list : undefined;
}

function valuesOfList(list: string, values: NamedValues): readonly ConfigValue[] {
  const items = valueOf(list, values);
  return isList(items) ? items : [];
}

/** The values of a reference to `each` in the instances of a block; none if only Terraform can tell. */
function valuesOfEach(
  reference: string,
  forEach: ConfigValue | undefined,
  values: NamedValues,
): readonly ConfigValue[] {
  const [, each, attribute] = EACH.exec(reference) ?? [];
  if (each === undefined) return [];
  const instances = forEach instanceof Expression ? valueOf(forEach.text.trim(), values) : forEach;
  // in a set, each key is its value
  if (isList(instances)) return instances;
  if (!isObject(instances)) return [];
  if (each === 'key') return [...instances.keys()];
  const ofEach = [...instances.values()];
  if (attribute === undefined) return ofEach;
  return ofEach.map((one) => objectsOf(one)[0]?.get(attribute) ?? null);
}

function valueOf(expression: string, values: NamedValues): ConfigValue | undefined {
  const [, set = expression] = TO_SET.exec(expression) ?? [];
  if (!LIST_OF_TEXTS.test(set)) return values.get(set);
  return [...set.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
}

const EACH = /^each\.(key|value)(?:\.([\w-]+))?$/;
const TO_SET = /^toset\((.*)\)$/s;
const LIST_OF_TEXTS = /^\[\s*(?:"[^"$\\]*"[\s,]*)*\]$/;
