import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  objectsOf,
  parseJson,
  textOf,
} from '../core/json';
import { printAddress } from '../core/resource-address';

/**
 * Compares two states, for any versions of Terraform and the provider: addresses, ids, taints, and the attributes that both
 * have. It ignores what an import rewrites elsewhere in the state: empty values, derived values, outputs, data sources, and
 * the provider host. If the schema versions differ, it compares only the id.
 * @returns `missing`: addresses of managed resources that are only in the first one; `changed`: other ones that differ
 */
export function compareStates(before: Buffer, now: Buffer) {
  const [was, is] = [instancesOf(before), instancesOf(now)];
  const isSame = (address: string, instances: readonly JsonObject[]): boolean => {
    const earlier = was.get(address) ?? [];
    return (
      earlier.length === instances.length &&
      earlier.every((one, at) => isSameInstance(one, instances[at]))
    );
  };
  return {
    missing: [...was.keys()].filter((address) => !is.has(address)),
    changed: [...is].flatMap(([address, instances]) => (isSame(address, instances) ? [] : address)),
  };
}

/** Whether two states have the same outputs and resources, in the same order. */
export function hasSameContent(one: Buffer, other: Buffer): boolean {
  const contentOf = (bytes: Buffer): string => {
    const { outputs = {}, resources = [] } = parseStateJson(bytes);
    return JSON.stringify([outputs, resources]);
  };
  return contentOf(one) === contentOf(other);
}

/** An empty backend has an empty state. */
const parseStateJson = (bytes: Buffer): JsonObject =>
  objectOf(parseJson(bytes.toString('utf8') || '{}'));

/** Maps each address to its managed instances, deposed objects included. */
function instancesOf(bytes: Buffer): Map<string, JsonObject[]> {
  const instances = new Map<string, JsonObject[]>();
  for (const resource of objectsOf(parseStateJson(bytes)['resources'])) {
    if (resource['mode'] === 'data') continue;
    const [module, type] = [textOf(resource['module']), textOf(resource['type'])];
    const provider = textOf(resource['provider']).replace(/\["[^"/]*\//, '["');
    for (const instance of objectsOf(resource['instances'])) {
      const key = instance['index_key'];
      const index = typeof key === 'string' || typeof key === 'number' ? key : undefined;
      const address = printAddress(module, 'managed', type, textOf(resource['name']), index);
      instances.set(address, [...(instances.get(address) ?? []), { ...instance, provider }]);
    }
  }
  return instances;
}

function isSameInstance(one: JsonObject, other: JsonObject = {}): boolean {
  const [was, is] = [objectOf(one['attributes']), objectOf(other['attributes'])];
  const isSameSchema = one['schema_version'] === other['schema_version'];
  return (
    ['provider', 'status', 'deposed'].every((key) => one[key] === other[key]) &&
    (isSameSchema ? agrees(was, is) : was['id'] === is['id'])
  );
}

/** Compares two values; in objects, only the keys that both have. */
function agrees(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
  if (isJsonArray(one) && isJsonArray(other)) {
    return one.length === other.length && one.every((item, at) => agrees(item, other[at]));
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    return Object.keys(one).every(
      (key) => !Object.hasOwn(other, key) || agrees(one[key], other[key]),
    );
  }
  return one === other;
}

/** Whether a value is null, an empty string, or contains only such values. */
function isEmpty(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.every(isEmpty);
  if (isJsonObject(value)) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === '';
}
