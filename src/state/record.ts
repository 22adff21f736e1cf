/** Whether it is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it is a list: `Array.isArray` without the `any`. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The resources of a parsed state; undefined when it has no such list. */
export function resourcesOf(document: unknown): readonly unknown[] | undefined {
  return isRecord(document) && isList(document['resources']) ? document['resources'] : undefined;
}
