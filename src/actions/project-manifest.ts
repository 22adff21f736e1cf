import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../model/json';

/** Packages that the package.json of a folder asks for, with their version ranges. */
export async function packagesOf(dir: string): Promise<Map<string, string>> {
  const manifest = (await readObject(join(dir, 'package.json'))) ?? {};
  const kinds = ['dependencies', 'devDependencies', 'peerDependencies'];
  return new Map(
    kinds.flatMap((kind) =>
      Object.entries(manifest[kind] ?? {}).map(([name, range]) => [name, String(range)] as const),
    ),
  );
}

/** An object in a JSON file; undefined where there is none. */
export async function readObject(
  path: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const document: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isJsonObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}
