import {
  type Basis,
  type Catalogue,
  groupKey,
  type LegacyGroup,
  type LegacyRule,
  type ManagedRule,
  type Successor,
} from './catalogue';
import data from './catalogue.json';

type Row = (column: string) => string;

/** From 2021, the change log has the ruleset in the column of the group, which is not a group. */
const NO_GROUP = 'managed ruleset';

let loaded: Catalogue | undefined;

/**
 * The catalogue that the project ships (docs/catalogue.md): Cloudflare's change log, CC BY 4.0. Read on the
 * first call and cached.
 */
export function builtInCatalogue(): Catalogue {
  loaded ??= {
    attribution: data.attribution,
    legacyRules: readLegacyRules(),
    managedRules: rowsOf(data.managedRules).map(readManagedRule),
    groups: new Map(
      rowsOf(data.legacyGroups)
        .map(readGroup)
        .flatMap((group) => (group.id === undefined ? [] : [[group.id, group] as const])),
    ),
  };
  return loaded;
}

function rowsOf(table: { readonly columns: string; readonly rows: readonly string[] }): Row[] {
  const columns = table.columns.split('\t');
  return table.rows.map((line): Row => {
    const values = line.split('\t');
    return (column) => values[columns.indexOf(column)] ?? '';
  });
}

/** The file lists each long id once, and a row refers to it by number. */
function longId(number: string): string | undefined {
  return number === '' ? undefined : data.ids[Number(number)];
}

function readLegacyRules(): Map<string, LegacyRule> {
  const rules = new Map<string, LegacyRule>();
  for (const row of rowsOf(data.legacyRules)) {
    const rule = readLegacyRule(row);
    const key = rule.id.toLowerCase();
    const known = rules.get(key);
    rules.set(
      key,
      known === undefined
        ? rule
        : { ...known, successors: [...known.successors, ...rule.successors] },
    );
  }
  return rules;
}

function readLegacyRule(row: Row): LegacyRule {
  const groups = row('group').split(' / ').map(groupKey);
  return {
    id: row('legacy_id'),
    packageId: longId(row('package_id')),
    groups: [...new Set(groups)].filter((group) => group !== '' && group !== NO_GROUP),
    title: row('title'),
    successors: readSuccessor(row),
  };
}

function readSuccessor(row: Row): Successor[] {
  const basis = bases.find((one) => one === row('basis'));
  if (basis === undefined) return [];
  const rulesetId = longId(row('new_ruleset_id'));
  const id = row('new_id') === '' ? undefined : row('new_id');
  return [{ basis, rulesetId, id, ending: row('new_id_suffix'), title: row('title') }];
}
const bases: readonly Basis[] = ['stated-full', 'stated-suffix', 'suffix-resolved'];

function readManagedRule(row: Row): ManagedRule {
  const enabled = row('default_enabled');
  return {
    rulesetId: longId(row('ruleset_id')),
    id: row('id') === '' ? undefined : row('id'),
    ending: row('id_suffix'),
    defaultAction: row('default_action'),
    defaultEnabled: enabled === '' ? undefined : enabled === 'yes',
    title: row('title'),
  };
}

function readGroup(row: Row): LegacyGroup {
  const name = row('group_name');
  return {
    packageId: longId(row('package_id')) ?? '',
    id: row('group_id') === '' ? undefined : row('group_id'),
    name: name === '' ? undefined : name,
  };
}
