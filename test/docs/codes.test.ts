import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingTitles } from '../../src/core/finding';
import { errorCatalogue } from '../../src/core/error-catalogue';

const root = join(__dirname, '../..');

function textOf(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|json)$/.test(path) && !path.includes('node_modules'))
    .filter((path) => !path.endsWith('docs/codes.test.ts'))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
    .join('\n');
}

const tests = textOf('test');
const findings = [...textOf('src').matchAll(/\b(?:code: |finding\(\s*)'([A-Z_]+)'/g)].map(
  ([, code]) => code!,
);

it.each(Object.keys(errorCatalogue))('a test names the error %s', (code) => {
  expect(new RegExp(`\\b${code}\\b`).test(tests)).toBe(true);
});

it.each([...new Set(findings)])('a test names the finding %s', (code) => {
  expect(new RegExp(`\\b${code}\\b`).test(tests)).toBe(true);
});

it('every finding has a title; the planner has its titles', () => {
  const reported = textOf('src').matchAll(/\.report\(\s*'\w+',\s*'([A-Z_]+)'/g);
  const ofErrors = new Set([...Object.keys(errorCatalogue), 'BUG']);
  const codes = [...textOf('src').matchAll(/\bcode: '([A-Z_]+)'/g), ...reported]
    .map(([, code]) => code!)
    .filter((code) => !ofErrors.has(code));
  expect(Object.keys(findingTitles).sort()).toEqual([...new Set(codes)].sort());
});
