import { isJsonArray, isJsonObject } from '../model/json';

/** The resources of a parsed state; undefined when it has no such list. */
export function resourcesOf(document: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(document)) return undefined;
  return isJsonArray(document['resources']) ? document['resources'] : undefined;
}
