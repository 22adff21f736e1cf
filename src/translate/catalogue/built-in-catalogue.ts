import { type Catalogue } from './catalogue';
import data from './catalogue.json';

let loaded: Catalogue | undefined;

/**
 * The catalogue that the project ships (docs/catalogue.md): Cloudflare's change log, CC BY 4.0. Read on the
 * first call and cached.
 */
export function builtInCatalogue(): Catalogue {
  loaded ??= {
    attribution: data.attribution,
    legacyRules: new Map(data.legacyRules.map((rule) => [rule.id.toLowerCase(), rule])),
    managedRules: data.managedRules,
    groups: new Map(data.groups.map((group) => [group.id, group])),
  };
  return loaded;
}
