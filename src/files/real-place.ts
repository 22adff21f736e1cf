import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Where a path leads, every link followed; also of what is not there yet, as the folder that plans are written to. */
export async function realPlace(path: string): Promise<string> {
  const above = dirname(path);
  if (above === path) return path;
  return realpath(path).catch(async () => join(await realPlace(above), basename(path)));
}
