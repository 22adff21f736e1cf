import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingTitles } from '../../src/core/finding';
import { findingTable } from '../../src/plan/findings/finding-table';
import { orderTable } from '../../src/plan/steps/choose-order';
import { orders } from '../../src/plan/steps/orders';
import { stepKinds } from '../../src/plan/steps/step-kinds';

const root = join(__dirname, '../..');
const docs = readFileSync(join(root, 'docs/plan-format.md'), 'utf8');

/** The rows of a table by its columns, without the padding. */
const rowsBelow = (header: RegExp): string[][] => {
  const lines = docs.slice(docs.search(header)).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(2, end);
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
};

it('docs/plan-format.md lists every finding of a plan with its severity and title', () => {
  // those of a live zone are not of the planner
  const ofZone = ['ZONE_NOT_MIGRATED', 'ZONE_UNPROTECTED', 'NEW_RULES_LOG'].map((code) => ({
    code,
    severity: 'decision',
    title: findingTitles[code],
  }));
  expect(rowsBelow(/^\| code +\| severity +\| title/m)).toEqual(
    [...findingTable, ...ofZone].map(({ code, severity, title }) => [
      `\`${code}\``,
      severity,
      title,
    ]),
  );
});

it('docs/plan-format.md explains every kind of step, and who does it', () => {
  const rows = rowsBelow(/^\| kind +\| by/m).map(([kind, by]) => [kind, by]);
  const kinds = Object.entries(stepKinds).map(([kind, { by }]) => [`\`${kind}\``, by]);
  expect(rows).toEqual(kinds);
});

it('docs/plan-format.md prints the table that chooses the order, and the steps of each order', () => {
  expect(rowsBelow(/^\| when +\| order +\| because/m)).toEqual(
    orderTable.map(({ when, order, because }) => [when, order, because]),
  );
  expect(rowsBelow(/^\| order +\| steps/m).map(([order]) => order)).toEqual(Object.keys(orders));
});
