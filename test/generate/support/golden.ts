import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = join(__dirname, '../../golden');

/** Compares a text with a golden file, or writes it with UPDATE_GOLDEN=1. */
export function expectGolden(name: string, file: string, text: string): void {
  const path = join(folder, name, file);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(text);
}

/** The files of a folder that no test writes. */
export function otherGoldenFiles(name: string, written: readonly string[]): string[] {
  return readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, name).length + 1))
    .filter((file) => !written.includes(file));
}
