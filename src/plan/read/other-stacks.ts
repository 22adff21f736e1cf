import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../core/parse-json';
import { type OtherStack } from '../planned-state';
import { planFolder } from '../../files/plan-folder';

/** What every synthesis writes above the folders of its stacks (cdktf 0.21: `stacks/<name>`). */
const manifest = z.looseObject({
  stacks: z.record(z.string(), z.looseObject({ workingDirectory: z.string() })),
});

/**
 * The other stacks that were synthesised together with that of a folder, by their names; none where the
 * folder is not among them.
 * @param dir the folder of a state, absolute
 * @param cwd the folder of the plan
 */
export async function otherStacks(dir: string, cwd: string): Promise<readonly OtherStack[]> {
  const out = resolve(dir, '../..');
  const text = await readFile(join(out, 'manifest.json'), 'utf8').catch(() => '');
  const { data } = manifest.safeParse(parseJson(text));
  const stacks = Object.entries(data?.stacks ?? {}).map(([name, { workingDirectory }]) => ({
    name,
    place: resolve(out, workingDirectory),
  }));
  if (!stacks.some(({ place }) => place === resolve(dir))) return [];
  return stacks
    .filter(({ place }) => place !== resolve(dir))
    .map(({ name, place }) => ({ name, dir: planFolder(cwd, place) }));
}
