/** A JSON value. The emulator keeps the order of keys: an answer must read as it was seeded. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object that may be changed in place by the store. */
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** Whether a value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
