import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/json';
import { type ConfigBlock } from './config-file';

/**
 * A parsed configuration less some of its blocks, found by type and labels and never by place: what
 * an edit has to lead to. The configuration is Terraform JSON, or what `@cdktf/hcl2json` makes of
 * HCL: both nest type, labels and body, each an object or an array of objects.
 *
 * @param blocks all blocks of the file, in its order
 */
export function withoutBlocks(
  config: JsonValue,
  blocks: readonly ConfigBlock[],
  gone: ReadonlySet<ConfigBlock>,
): JsonValue {
  const siblings = new Map<string, boolean[]>();
  const paths = new Map<string, readonly string[]>();
  for (const block of blocks) {
    const path = [block.type, ...block.labels];
    const key = JSON.stringify(path);
    const isGone = gone.has(block);
    siblings.set(key, [...(siblings.get(key) ?? []), isGone]);
    if (isGone) paths.set(key, path);
  }
  let left: JsonValue = config;
  for (const [key, path] of paths) {
    const turns = (siblings.get(key) ?? []).values();
    left = prune(left, path, () => turns.next().value ?? false) ?? (isJsonArray(config) ? [] : {});
  }
  return left;
}

/** Undefined when nothing is left of a value of which something was taken. */
function prune(
  value: JsonValue,
  path: readonly string[],
  isGone: () => boolean,
): JsonValue | undefined {
  if (isJsonArray(value)) {
    const kept = value
      .map((item) => prune(item, path, isGone))
      .filter((item) => item !== undefined);
    return kept.length === 0 && value.length > 0 ? undefined : kept;
  }
  if (!isJsonObject(value)) return value;
  const [name, ...rest] = path;
  if (name === undefined) return isGone() ? undefined : value;
  return pruneMember(value, name, rest, isGone);
}

function pruneMember(
  object: JsonObject,
  name: string,
  rest: readonly string[],
  isGone: () => boolean,
): JsonObject | undefined {
  if (!Object.hasOwn(object, name)) return object;
  const child = prune(object[name] ?? null, rest, isGone);
  const entries = Object.entries(object).flatMap(([key, value]): [string, JsonValue][] =>
    key !== name ? [[key, value]] : child === undefined ? [] : [[key, child]],
  );
  // from entries: an assignment to a name such as __proto__ would be lost
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
