import { type CatalogueMatch, lookup } from '../catalogue/lookup';
import { loadCatalogue } from './load-catalogue';

export { type CatalogueMatch } from '../catalogue/lookup';

/**
 * What the catalogue knows of an id, in both directions.
 * @param path of the user's own file
 * @throws MigrationError `FILE_UNREADABLE`, `CATALOGUE_INVALID`
 */
export async function lookupCatalogue(
  id: string,
  path: string | undefined,
): Promise<{ readonly matches: readonly CatalogueMatch[]; readonly attribution: string }> {
  const catalogue = await loadCatalogue(path);
  return { matches: lookup(catalogue, id), attribution: catalogue.attribution };
}
