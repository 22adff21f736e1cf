// Derives src/translate/catalogue/catalogue.json from the tables of src/translate/catalogue/tables.
// usage: node scripts/build-catalogue.mjs [--check]     --check: only compare, exit 1 when stale
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const target = at('src/translate/catalogue/catalogue.json');

/** RFC 4180: fields can be quoted, and a quote inside them is doubled. */
const parseCsv = (text) => {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
    else if (end === '') break;
  }
  return rows.filter((row) => row.length > 1);
};
const read = (name) =>
  parseCsv(readFileSync(at(`src/translate/catalogue/tables/${name}.csv`), 'utf8'));

// `unique` is omitted, because the loader computes it. Long ids are stored once, in `ids`.
const ids = [];
const short = { package_id: true, new_ruleset_id: true, ruleset_id: true };
const table = (name) => {
  const [header, ...rows] = read(name);
  const columns = header.filter((column) => column !== 'unique');
  return {
    columns: columns.join('\t'),
    rows: rows.map((row) =>
      columns
        .map((column) => {
          const value = row[header.indexOf(column)];
          if (/[\t\n]/.test(value)) throw new Error(`${name}: a tab in ${JSON.stringify(row)}`);
          if (!short[column] || value === '') return value;
          if (!ids.includes(value)) ids.push(value);
          return String(ids.indexOf(value));
        })
        .join('\t'),
    ),
  };
};

const catalogue = {
  attribution:
    'Compiled from the public WAF change log of Cloudflare, Inc. (2018-07 to 2026-08), documentation content under CC BY 4.0, https://creativecommons.org/licenses/by/4.0/, and from public configurations. Changed: arranged as tables, by rule id.',
  legacyRules: table('legacy-rules'),
  managedRules: table('managed-rules'),
  legacyGroups: table('legacy-groups'),
  ids,
};
const text = `${JSON.stringify(catalogue, null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (readFileSync(target, 'utf8') !== text) {
  console.error('catalogue.json is stale: run node scripts/build-catalogue.mjs');
  process.exit(1);
}
