import { readJsonFile } from '../../files/read-json-file';
import { builtInCatalogue } from './built-in-catalogue';
import { type Catalogue } from './catalogue';
import { extendCatalogue, parseUserCatalogue } from './user-catalogue';

/**
 * The catalogue of legacy and new rules, with what the user's own file adds (docs/catalogue.md).
 * @param path of `--catalogue`; undefined: the built-in one alone
 * @throws MigrationError `FILE_UNREADABLE`, `CATALOGUE_INVALID`
 */
export async function loadCatalogue(path: string | undefined): Promise<Catalogue> {
  const builtIn = builtInCatalogue();
  if (path === undefined) return builtIn;
  return extendCatalogue(builtIn, parseUserCatalogue(await readJsonFile(path)));
}
