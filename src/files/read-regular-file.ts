import { readFileSync, statSync } from 'node:fs';
import { isJsonObject, type JsonObject, parseJson } from '../core/json';
import { attempt } from '../core/migration-error';

const MAX_MIB = 64;

/**
 * Reads a file that the tool finds in a folder. A link there can lead to a device or pipe, whose reading would never
 * end.
 * @param most in MiB
 * @throws if it is missing, not a regular file, or larger
 */
export function readRegularFile(path: string, most = MAX_MIB): Buffer {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > most * 1024 * 1024) throw new Error(`it is larger than ${most} MiB`);
  return readFileSync(path);
}

/** Its text; empty if it cannot be read. */
export function textOfFile(path: string): string {
  return attempt(() => readRegularFile(path).toString('utf8')) ?? '';
}

/** The object in a JSON file; undefined if there is none. */
export function readObject(path: string): JsonObject | undefined {
  const document = parseJson(textOfFile(path));
  return isJsonObject(document) ? document : undefined;
}
