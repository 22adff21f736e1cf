import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConfigProject } from '../blocks/config-project';

/**
 * The files of a configuration that OpenTofu alone loads, in order: they are not read, so what they
 * declare is not known.
 * @param folder of the plan, which they are named relative to
 */
export async function tofuFiles(project: ConfigProject, folder: string): Promise<string[]> {
  const found = await Promise.all(
    [...project.modules.keys()].map(async (dir) => {
      const names = await readdir(join(folder, dir)).catch(() => []);
      return names
        .filter((name) => /^[^.].*\.tofu(?:\.json)?$/su.test(name))
        .map((name) => (dir === '.' ? name : `${dir}/${name}`));
    }),
  );
  return found.flat().sort();
}
