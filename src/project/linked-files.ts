import { join, relative } from 'node:path';
import { posixPath } from '../core/posix-quote';
import { type ConfigProject } from '../tfconfig/config-module';
import { realPlace } from '../files/real-place';

/**
 * Where the files of a configuration, and its folder, really are, of those that a link leads to: by the
 * name that they have in the plan, and relative to the folder of the plan, too. Two folders with a link
 * to one file have that file in common.
 * @param folder of the plan
 */
export async function linkedFiles(
  project: ConfigProject,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const files = [...project.modules.values()].flatMap((module) => module.files);
  const places = await placesOf([project.root, ...files.map(({ path }) => path)], folder);
  return new Map([...places].filter(([path, place]) => path !== place));
}

/** Where files and folders really are, by their names: both relative to the folder of the plan. */
export async function placesOf(
  paths: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const base = await realPlace(folder);
  const places = paths.map(async (path): Promise<readonly [string, string]> => {
    const place = await realPlace(join(folder, path));
    return [path, posixPath(relative(base, place)) || '.'];
  });
  return new Map(await Promise.all(places));
}
