import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../model/json';
import { type AdaptedField } from './dialect';
import { type SchemaNode } from './schema';

/**
 * What provider 3 and 4 write otherwise than the service: a map of lists as a map of comma-separated
 * strings. A score of 0 and an empty set they cannot tell from none: neither of them sends it, and 4 reads
 * none, so that to declare it is a difference in every plan (measured with the score).
 */
export function adaptForBlocks(
  name: string,
  value: JsonValue,
  node: SchemaNode | undefined,
): AdaptedField | undefined {
  if (name === 'score_threshold' && value === 0) return undefined;
  if (isJsonArray(value) && value.length === 0 && typeof node === 'string') {
    return { name, value: null };
  }
  return {
    name,
    value: node === 'map of string' && isJsonObject(value) ? joinLists(value) : value,
  };
}

/**
 * Joined without spaces. A list that would not be read back as it is (empty, a comma in an item) is left,
 * and does not fit the schema.
 */
function joinLists(lists: JsonObject): JsonObject {
  const joined = Object.entries(lists).map(([key, list]): [string, JsonValue] => [
    key,
    isJsonArray(list) && list.length > 0 && list.every(isJoinable) ? list.join(',') : list,
  ]);
  return Object.fromEntries(joined);
}

function isJoinable(item: JsonValue): item is string {
  return typeof item === 'string' && item !== '' && !item.includes(',');
}
