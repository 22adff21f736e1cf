import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/providers.md'), 'utf8');

/** The numbers in titles: `it('trap 0.6: …'`. */
function named(): string[] {
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.test.ts') && !path.includes('node_modules'),
  );
  return tests.flatMap((path) => {
    const text = readFileSync(join(root, 'test', path), 'utf8');
    return [...text.matchAll(/['`]trap (\d+\.\d+): /g)].map(([, number]) => number!);
  });
}

it('each trap of docs/providers.md has a test named after it, and each such test its row', () => {
  const rows = [...page.matchAll(/^\| (\d+\.\d+) +\|/gm)].map(([, number]) => number!);
  expect(rows.length).toBeGreaterThan(25);
  expect(new Set(rows).size).toBe(rows.length);
  expect([...new Set(named())].toSorted()).toEqual(rows.toSorted());
});
