import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, objectOf, parseJson } from '../core/json';

/**
 * Packages that the package.json of a folder asks for, with their version ranges; a broken one says nothing.
 * Of two ranges the one that the project itself runs with counts.
 */
export async function packagesOf(dir: string): Promise<Map<string, string>> {
  const manifest = (await readObject(join(dir, 'package.json'))) ?? {};
  const kinds = ['peerDependencies', 'devDependencies', 'dependencies'];
  return new Map(
    kinds.flatMap((kind) =>
      Object.entries(objectOf(manifest[kind])).flatMap(([name, range]): [string, string][] =>
        typeof range === 'string' ? [[name, range]] : [],
      ),
    ),
  );
}

/** An object in a JSON file; undefined where there is none. */
export async function readObject(
  path: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const document = parseJson(await readFile(path, 'utf8').catch(() => ''));
  return isJsonObject(document) ? document : undefined;
}
