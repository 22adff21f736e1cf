import { resolve } from 'node:path';
import { readSavedManagedIds } from '../report/managed-rule-ids';
import { builtInCatalogue } from '../translate/catalogue/built-in-catalogue';
import { type CliContext } from './context';
import { type OptionsOf } from './flags';
import { type LEGACY_SETTINGS } from './options';

/**
 * What the translation of legacy settings needs beside them.
 * @throws MigrationError `FILE_UNREADABLE`, `MANAGED_RULESET_INVALID`
 */
export async function translateOptions(
  { managedRuleset }: OptionsOf<typeof LEGACY_SETTINGS>,
  { cwd }: CliContext,
) {
  return {
    catalogue: builtInCatalogue(),
    managedIds:
      managedRuleset === undefined
        ? undefined
        : await readSavedManagedIds(resolve(cwd, managedRuleset)),
  };
}
