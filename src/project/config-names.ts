import { readdir } from 'node:fs/promises';
import { configSyntax } from '../tfconfig/config-source';

/**
 * The names of the files in a folder that Terraform loads, in order. A folder or a pipe whose name ends
 * in `.tf` is none; a link counts, wherever it leads.
 * @returns undefined when the folder is not there
 */
export async function configNames(folder: string): Promise<string[] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  return entries
    ?.filter(
      (entry) =>
        configSyntax(entry.name) !== undefined && (entry.isFile() || entry.isSymbolicLink()),
    )
    .map(({ name }) => name)
    .sort();
}
