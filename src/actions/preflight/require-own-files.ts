import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Plan } from '../../plan/plan';
import { folderOfFile } from '../../plan/folder-of-file';
import { readConfiguration } from '../read-configuration';

/**
 * Checks that files which are to be edited are of the configuration: in the folder of a state, or in that of a module
 * that it calls. Modules lie anywhere beside it, so that only its files tell where.
 * @param files of a plan, which is that of the states
 * @throws MigrationError `PLAN_INVALID`, `CONFIG_INVALID`
 */
export async function requireOwnFiles(
  files: readonly string[],
  { states }: Pick<Plan, 'states'>,
  folder: string,
): Promise<void> {
  const known = new Set(states.map(({ dir }) => dir));
  const others = files.filter((file) => !known.has(folderOfFile(file)));
  if (others.length === 0) return;
  // most plans edit no module: what reads one takes a while to load
  for (const { dir } of states) {
    const configuration = await readConfiguration(dir, folder);
    for (const module of configuration?.project.modules.keys() ?? []) known.add(module);
  }
  const foreign = others.find((file) => !known.has(folderOfFile(file)));
  if (foreign === undefined) return;
  throw new MigrationError(
    'PLAN_INVALID',
    `the plan edits ${printable(foreign, 200)}, which is of no module of its configurations`,
  );
}
