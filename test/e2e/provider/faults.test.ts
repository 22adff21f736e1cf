import { type Fault } from '../../support/provider/faults';
import { type Major } from '../../support/provider/schema/load-schema';
import { importRows, judgeImport } from './table/import-rows';
import { expected, judge } from './table/row';
import { rows } from './table/rows';

interface Options {
  major: Major;
  fault?: Fault;
}

/** Whether a provider with a fault, or a sound one, does in a row what was measured. */
async function agrees(name: string, options: Options): Promise<boolean> {
  const row = rows.find((one) => one.name === name)!;
  return (await judge(row, options)).outcome === expected(row, options.major);
}

/** The same for a row of the table of import ids. */
async function agreesOnImport(id: string, options: Options): Promise<boolean> {
  const row = importRows.find((one) => one.id === id)!;
  const { error } = await judgeImport(row, options);
  return (error === null) === (row.says[options.major] === null);
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
    expect([await agrees(row, { major }), await agrees(row, { major, fault })]).toEqual([
      true,
      false,
    ]);
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
    expect([
      await agreesOnImport(id, { major }),
      await agreesOnImport(id, { major, fault: 'any-import-id' }),
    ]).toEqual([true, false]);
  });
});
