import { createHash } from 'node:crypto';
import { attempt } from './migration-error';

/** A parsed JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; the order of its keys is preserved. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON array; keeps the type of its items, which `Array.isArray` loses. */
export function isJsonArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function textsOf(value: unknown): string[] {
  return isJsonArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/**
 * Where a document has another shape than expected, at most three places.
 * @param error of zod, which names no values
 * @param root the name of the document
 */
export function describeIssues(
  error: { readonly issues: readonly { path: readonly PropertyKey[]; message: string }[] },
  root?: string,
): string {
  const place = (path: readonly PropertyKey[]): string =>
    [...(root === undefined ? [] : [root]), ...path.map(String)].join('.') || 'document';
  return error.issues
    .slice(0, 3)
    .map(
      ({ path, message }) =>
        `${place(path)}: ${message.replace(/^[IU]/, (letter) => letter.toLowerCase())}`,
    )
    .join('; ');
}

/** Parses JSON; returns undefined if the text is not JSON, for example an incomplete file. */
export function parseJson(text: string): unknown {
  return attempt((): unknown => JSON.parse(text));
}

/** JSON with sorted keys: the same text for values that differ only in the order of keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
