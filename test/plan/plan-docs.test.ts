import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orderTable } from '../../src/plan/order';
import { orders, stepKinds } from '../../src/plan/steps';

const root = join(__dirname, '../..');
const docs = readFileSync(join(root, 'docs/plan-format.md'), 'utf8');

it('docs/plan-format.md explains every finding of the planner, with its severity, and no other', () => {
  const source = readFileSync(join(root, 'src/plan/findings.ts'), 'utf8');
  const written = [...source.matchAll(/finding\(\s*'([A-Z_]+)',\s*'(\w+)'/g)];
  const listed = [...docs.matchAll(/^\| `([A-Z_]+)`\s+\| (\w+)\s+\|/gm)];
  const rows = (matches: RegExpMatchArray[]) =>
    matches.map(([, code, severity]) => `${code} ${severity}`).sort();
  expect(written.length).toBeGreaterThan(15);
  expect(rows(listed)).toEqual(rows(written));
});

it('docs/plan-format.md explains every kind of step', () => {
  for (const kind of Object.keys(stepKinds)) expect(docs).toContain(`| \`${kind}\``);
});

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

it('docs/plan-format.md prints the table that chooses the order, and the steps of each order', () => {
  expect(rowsBelow(/^\| when +\| order +\| because/m)).toEqual(
    orderTable.map(({ when, order, because }) => [when, order, because]),
  );
  expect(rowsBelow(/^\| order +\| steps/m).map(([order]) => order)).toEqual(Object.keys(orders));
});
