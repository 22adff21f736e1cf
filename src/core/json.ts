import { attempt } from './migration-error';

/** A JSON value, as parsed. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; the order of its keys is kept. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether a value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON array; keeps the type of its items, which `Array.isArray` loses. */
export function isJsonArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A value that is an object; else one without keys. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects in a list; none if the value is not a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

/** A value that is a text; else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The texts in a list; none if the value is not a list. */
export function textsOf(value: unknown): string[] {
  return isJsonArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The value of a JSON text; undefined if it is not JSON, for example an incomplete file. */
export function parseJson(text: string): unknown {
  return attempt((): unknown => JSON.parse(text));
}
