import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
} from '../../model/json';

/** An instance as a state has it, and the address of its provider. */
export interface Instance {
  readonly provider: string;
  readonly content: JsonObject;
}

/** What Terraform keeps beside the attributes for itself: it writes it anew, and loses nothing of it. */
const derived: ReadonlySet<string> = new Set([
  'attributes',
  'create_before_destroy',
  'dependencies',
  'identity',
  'identity_schema_version',
  'private',
  'schema_version',
  'sensitive_attributes',
]);

/** Whether nobody has written an instance since. */
export function isSameText(one: Instance, other: Instance): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Whether an instance is the same but for what Terraform writes anew without a change: what it derives, the
 * order of names, and attributes that only one version of the provider knows.
 *
 * @param isUpgraded whether another schema may be that of a later major: then the id alone tells
 */
export function isSameRewritten(one: Instance, other: Instance, isUpgraded: boolean): boolean {
  const [before, now] = [one.content, other.content];
  const [was, is] = [objectOf(before['attributes']), objectOf(now['attributes'])];
  const hasSchema = before['schema_version'] === now['schema_version'];
  const common =
    hasSchema || !isUpgraded ? Object.keys(was).filter((key) => Object.hasOwn(is, key)) : ['id'];
  return (
    one.provider === other.provider &&
    agrees(withoutDerived(before), withoutDerived(now)) &&
    common.every((key) => agrees(was[key], is[key]))
  );
}

/** Whether two values are the same, whatever of them is null on one side, and left out on the other. */
function agrees(one: JsonValue | undefined = null, other: JsonValue | undefined = null): boolean {
  if (isJsonArray(one) && isJsonArray(other)) {
    return one.length === other.length && one.every((item, at) => agrees(item, other[at]));
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].every((key) => agrees(one[key], other[key]));
  }
  return one === other;
}

function withoutDerived(content: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(content).filter(([key]) => !derived.has(key)));
}
