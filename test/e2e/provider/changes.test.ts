import { type Verdict } from '../../support/lab';
import { type Major } from '../../support/provider/schema/load-schema';
import { overrideRows } from './table/override-rows';
import { expected, judge, judgeTogether } from './table/row';
import { rulesetRows } from './table/ruleset-rows';
import { skipRows } from './table/skip-rows';
import { trapRows } from './table/trap-rows';

/** The whole table: the plan of each major for each change of the canonical pair. */
const rows = [...rulesetRows, ...skipRows, ...overrideRows, ...trapRows];

describe.each<Major>([3, 4, 5])(
  'provider %s, after the import of the canonical ruleset',
  (major) => {
    const applicable = rows.filter((row) => expected(row, major) !== null);
    const planned = applicable.filter((row) => expected(row, major) !== 'error');
    const verdicts = new Map<string, Verdict>();
    beforeAll(async () => {
      const together = await judgeTogether(planned, major);
      for (const [at, { name }] of planned.entries()) verdicts.set(name, together[at]!);
    });

    it.each(applicable.map((row) => [row.name, expected(row, major), row] as const))(
      '%s: %s',
      async (name, outcome, row) => {
        const verdict = verdicts.get(name) ?? (await judge(row, major));
        expect(verdict).toMatchObject({ outcome });
        const says = row.says?.[major];
        if (says !== undefined) expect(verdict.text).toMatch(says);
      },
    );
  },
);
