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
  const { project } = configuration;
  const inState = groupBy(legacyResources, ({ address }) => withoutKeys(address));
  const inRoot = new Set(project.rootModule.files);
  const reached = groupBy([...project.paths.values()], ({ module }) => module.dir);
  const locals = new Map([...project.modules].map(([dir, one]) => [dir, localsOf(one)]));
  const localsOfRoot = localsOf(project.rootModule);
  const found = findBlocksOfTypes(project, legacyWafTypes).map((one) => {
    const { file, block } = one;
    const { address, body } = block;
    const dir = posix.dirname(file.path);
    const passed = (known: NamedValues): string[] =>
      inRoot.has(file) ? [] : zonesOfCalls(body, reached.get(dir) ?? [], known);
    const fixed = [...namedZones(body, 'zone_id', locals.get(dir)), ...passed(localsOfRoot)];
    // with a count or for_each, it may be meant to have no resource
    const isEmpty = body.has('count') || body.has('for_each');
    const named = (isEmpty ? undefined : zoneExpressionOf(one)) ?? `${dir} ${address}`;
    if (fixed.length > 0) return { block, named, zones: new Set(fixed) };
    const addresses = inState.size === 0 ? [] : addressesOf(project, one);
    const instances = addresses.flatMap((one) => inState.get(one) ?? []);
    const zones = instances.flatMap(({ zoneId }) => zoneId ?? []);
    const likely = inRoot.has(file) ? namedZones(body, 'zone_id', values) : passed(values);
    // the state may be of an environment in which the variables have other values
    return {
      block,
      named,
      zones: new Set(zones.every((one) => likely.includes(one)) ? likely : zones),
    };
  });
  const shared = new Map(
    [...groupBy(found, ({ named }) => named)].map(
      ([named, all]) => [named, new Set(all.flatMap(({ zones }) => [...zones]))] as const,
    ),
  );
  return new Map(
    found.map(({ block, named, zones }) => [
      block,
      zones.size > 0 ? zones : (shared.get(named) ?? zones),
    ]),
  );
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
  if (kind !== 'var' || body.has('count') || body.has('for_each')) return [];
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
