import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listMessages, renderMessages } from '../../scripts/messages';
import { findOffences } from '../../scripts/words';
import { errorCatalogue } from '../../src/core/error-catalogue';
import { runProcess } from '../support/run-process';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

it('README, docs and messages use no forbidden word: see `npm run words`', () => {
  expect(findOffences()).toEqual([]);
});

it('docs/messages.md lists the texts of the source: run `npm run messages`', () => {
  expect(read('docs/messages.md')).toBe(renderMessages(listMessages()));
});

it('the troubleshooting page has each error code, and no other', () => {
  const rows = [...read('docs/troubleshooting.md').matchAll(/^\| `([A-Z_]+)`/gm)];
  expect(rows.map(([, code]) => code).toSorted()).toEqual(Object.keys(errorCatalogue).toSorted());
});

it('the README shows docs/demo.svg, which shows what the demo prints', async () => {
  expect(read('README.md')).toContain('](docs/demo.svg)');
  const check = ['scripts/draw-demo.mjs', '--check'];
  const ran = await runProcess(process.execPath, check, { cwd: root });
  expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
});

it('each trap of docs/providers.md has a test named after it, and each such test its row', () => {
  const rows = [...read('docs/providers.md').matchAll(/^\| (\d+\.\d+) +\|/gm)];
  const numbers = rows.map(([, number]) => number!);
  expect(numbers.length).toBeGreaterThan(25);
  expect(new Set(numbers).size).toBe(numbers.length);
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.test.ts') && !path.includes('node_modules'),
  );
  // the numbers in titles: `it('trap 0.6: …'`
  const named = tests.flatMap((path) => [
    ...read(join('test', path)).matchAll(/['`]trap (\d+\.\d+): /g),
  ]);
  const tested = new Set(named.map(([, number]) => number!));
  expect([...tested].toSorted()).toEqual(numbers.toSorted());
});
