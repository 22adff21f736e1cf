import { type Fault } from '../../support/provider/faults';
import { type Major } from '../../support/provider/schema/load-schema';
import { importRows, judgeImport } from './table/import-rows';
import { expected, judge } from './table/row';
import { rows } from './table/rows';

/** The first row of the table of changes that a provider with this fault disagrees with. */
async function firstDisagreement(major: Major, fault: Fault): Promise<string | null> {
  for (const row of rows) {
    const outcome = expected(row, major);
    if (outcome === null) continue;
    if ((await judge(row, { major, fault })).outcome !== outcome) return row.name;
  }
  return null;
}

/** The same for the table of import ids. */
async function firstImportDisagreement(major: Major, fault: Fault): Promise<string | null> {
  for (const row of importRows) {
    const { error } = await judgeImport(row, { major, fault });
    if ((error === null) !== (row.says[major] === null)) return row.id;
  }
  return null;
}

const caught: [Fault, Major, string][] = [
  ['echo-config', 3, 'rule description omitted where the service has text'],
  ['echo-config', 4, 'ref changed'],
  ['echo-config', 5, 'ref changed'],
  ['ignore-ref', 4, 'ref changed'],
  ['ignore-ref', 5, 'ref changed'],
  ['enabled-defaults-true-in-3', 3, 'enabled omitted where the service has true'],
  ['tolerate-unknown-top-level', 5, 'an unknown key at top level'],
  ['lists-as-sets', 5, 'rulesets in another order'],
];

describe('the table of changes turns red', () => {
  it.each(caught)('with %s in provider %s, at: %s', async (fault, major, row) => {
    expect(await firstDisagreement(major, fault)).toBe(row);
  });
});

describe('the table of import ids turns red', () => {
  const Z = '0123456789abcdef0123456789abcdef';
  const R = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
  it.each<[Major, string]>([
    [3, `${Z}/${R}`],
    [4, `zones/${Z}/${R}`],
    [5, `zone/${Z}/${R}`],
  ])('with any-import-id in provider %s, at: %s', async (major, id) => {
    expect(await firstImportDisagreement(major, 'any-import-id')).toBe(id);
  });
});
