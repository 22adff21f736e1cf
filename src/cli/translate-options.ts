import { resolve } from 'node:path';
import { readSavedManagedIds } from '../report/managed-rule-ids';
import { loadCatalogue } from '../translate/catalogue/user-catalogue';
import { type CliContext } from './context';
import { type OptionsOf } from './flags';
import { type LEGACY_SETTINGS } from './options';

/**
 * What the translation of legacy settings needs beside them.
 * @throws MigrationError `FILE_UNREADABLE`, `CATALOGUE_INVALID`, `MANAGED_RULESET_INVALID`
 */
export async function translateOptions(
  { catalogue, managedRuleset }: OptionsOf<typeof LEGACY_SETTINGS>,
  { cwd }: CliContext,
) {
  return {
    catalogue: await loadCatalogue(catalogue === undefined ? undefined : resolve(cwd, catalogue)),
    ...(managedRuleset === undefined
      ? {}
      : { managedIds: await readSavedManagedIds(resolve(cwd, managedRuleset)) }),
  };
}
