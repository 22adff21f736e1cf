import { readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { stringOf } from '../blocks/config-value';
import { loadHclGrammar } from '../blocks/hcl-grammar';
import { parseConfig } from '../blocks/parse-config';
import { readBody } from '../blocks/read-body';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { configNames } from './config-names';
import { realPlace } from './real-place';

/**
 * Refuses a folder whose configuration is a copy that Terragrunt creates again at each run, or is elsewhere.
 * @param dir absolute
 * @throws MigrationError `CONFIG_EDIT_REFUSED` with the source to edit, where it can be read
 */
export async function refuseTerragrunt(dir: string): Promise<void> {
  const parts = (await realPlace(dir)).split(sep);
  const cache = parts.indexOf('.terragrunt-cache');
  const unit = cache === -1 ? dir : parts.slice(0, cache).join(sep);
  const bytes = await readFile(join(unit, 'terragrunt.hcl')).catch(() => undefined);
  const isUnit = bytes !== undefined && ((await configNames(dir)) ?? []).length === 0;
  if (cache === -1 && !isUnit) return;
  const source = bytes && (await sourceOf(bytes));
  // Terragrunt separates the module from the rest of the path by two slashes
  const place = source && /^\.{0,2}\//.test(source) ? resolve(unit, source) : source;
  throw new MigrationError(
    'CONFIG_EDIT_REFUSED',
    cache === -1
      ? `${printable(dir, 300)} is a Terragrunt unit: it holds no Terraform configuration`
      : `${printable(dir, 300)} is inside a Terragrunt cache: Terragrunt overwrites what is edited there`,
    {
      hint: `edit ${printable(place ?? `the source of ${unit}`, 300)}; for its state run \`terragrunt state pull > state.json\` in ${printable(unit, 300)}, then plan with --state state.json`,
    },
  );
}

/** `source` of the `terraform` block, where it is a literal. */
async function sourceOf(bytes: Uint8Array): Promise<string | undefined> {
  const grammar = await loadHclGrammar();
  try {
    const file = parseConfig({ path: 'terragrunt.hcl', bytes }, grammar);
    const block = file.blocks.find(({ type }) => type === 'terraform');
    return block && stringOf(readBody(file, block).get('source'));
  } catch (error) {
    if (error instanceof MigrationError) return undefined;
    throw error;
  }
}
