import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = join(__dirname, '../../golden');

/** A folder of test/golden: what the API answered, and the zone's name. */
export interface GoldenCase {
  name: string;
  zone: string;
  input: unknown;
}

/** Every case that there is; what else is golden has no input. */
export function goldenCases(): GoldenCase[] {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'input.json')));
  return names.map((name) => {
    const { zone, answer } = JSON.parse(readFileSync(join(folder, name, 'input.json'), 'utf8'));
    return { name, zone, input: answer };
  });
}

/** Compares a text with a golden file, or writes it when UPDATE_GOLDEN is set. */
export function expectGolden(name: string, file: string, text: string): void {
  const path = join(folder, name, file);
  if (process.env['UPDATE_GOLDEN'] !== undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(text);
}

/** The files of a case that no test has written: left over from another name. */
export function goldenFiles(name: string): string[] {
  return readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'input.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, name).length + 1))
    .sort();
}
