// Derives src/translate/catalogue/catalogue.json from the tables of src/translate/catalogue/tables.
// usage: node scripts/build-catalogue.mjs [--check]     --check: only compare, exit 1 when stale
import { parse } from 'csv-parse/sync';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const target = at('src/translate/catalogue/catalogue.json');

/** The rows of a table as objects; an empty field is undefined, so that it is absent in JSON. */
const read = (name) => {
  const text = readFileSync(at(`src/translate/catalogue/tables/${name}.csv`), 'utf8');
  return parse(text, { columns: true, cast: (field) => field || undefined });
};

/** From 2021, the change log has the ruleset in the column of the group, which is not a group. */
const NO_GROUP = 'managed ruleset';

/** As `groupKey` in src/translate/catalogue/catalogue.ts. */
const groupKey = (name) =>
  name
    .trim()
    .toLowerCase()
    .replace(/^cloudflare /, '');

const legacyRules = new Map();
for (const row of read('legacy-rules')) {
  const id = row.legacy_id;
  const groups = (row.group ?? '').split(' / ').map(groupKey);
  const rule = legacyRules.get(id.toLowerCase()) ?? {
    id,
    packageId: row.package_id,
    groups: [...new Set(groups)].filter((group) => group !== '' && group !== NO_GROUP),
    title: row.title ?? '',
    successors: [],
  };
  if (row.basis !== undefined) {
    rule.successors.push({
      basis: row.basis,
      rulesetId: row.new_ruleset_id,
      id: row.new_id,
      ending: row.new_id_suffix,
      title: row.title ?? '',
    });
  }
  legacyRules.set(id.toLowerCase(), rule);
}

const managedRules = read('managed-rules').map((row) => ({
  rulesetId: row.ruleset_id,
  id: row.id,
  ending: row.id_suffix ?? '',
  defaultAction: row.default_action ?? '',
  defaultEnabled: row.default_enabled && row.default_enabled === 'yes',
  title: row.title ?? '',
}));

// no setting uses a group without an id
const groups = read('legacy-groups')
  .filter((row) => row.group_id !== undefined)
  .map((row) => ({ packageId: row.package_id ?? '', id: row.group_id, name: row.group_name }));

const attribution =
  'Compiled from the public WAF change log of Cloudflare, Inc. (2018-07 to 2026-08), documentation content under CC BY 4.0, https://creativecommons.org/licenses/by/4.0/, and from public configurations. Changed: arranged as tables, by rule id.';
/** One entry on each line, so that a change shows as what it is. */
const list = (name, entries) =>
  `  "${name}": [\n${entries.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n')}\n  ]`;
const text = `{
  "attribution": ${JSON.stringify(attribution)},
${list('legacyRules', [...legacyRules.values()])},
${list('managedRules', managedRules)},
${list('groups', groups)}
}
`;

if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (readFileSync(target, 'utf8') !== text) {
  console.error('catalogue.json is stale: run node scripts/build-catalogue.mjs');
  process.exit(1);
}
