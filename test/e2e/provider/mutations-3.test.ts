import { expected, judge } from './table/row';
import { rows } from './table/rows';

describe('provider 3, after the import of the canonical ruleset', () => {
  const applicable = rows.flatMap((row) => {
    const outcome = expected(row, 3);
    return outcome === null ? [] : [[row.name, outcome, row] as const];
  });

  it.each(applicable)('%s: %s', async (_name, outcome, row) => {
    const verdict = await judge(row, { major: 3 });
    expect(verdict).toMatchObject({ outcome });
    const says = row.says?.[3];
    if (says !== undefined) expect(verdict.text).toMatch(says);
  });
});
