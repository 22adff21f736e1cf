import { tried } from './tried';

/** The value of a text in JSON; undefined when it is none, as when a write was cut. */
export function parseJson(text: string): unknown {
  return tried((): unknown => JSON.parse(text));
}
