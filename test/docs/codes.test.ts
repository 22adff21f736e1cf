import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

it.each(Object.keys(errorCatalogue))('some test is about the error %s', (code) => {
  expect(new RegExp(`\\b${code}\\b`).test(tests)).toBe(true);
});

it.each([...new Set(findings)])('some test is about the finding %s', (code) => {
  expect(new RegExp(`\\b${code}\\b`).test(tests)).toBe(true);
});
