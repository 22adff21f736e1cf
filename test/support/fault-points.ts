import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const apply = join(__dirname, '../../src/apply');
const texts = readdirSync(apply, { recursive: true, encoding: 'utf8' })
  // walks run compiled files
  .filter((file) => /\.[jt]s$/.test(file))
  .map((file) => readFileSync(join(apply, file), 'utf8'));

/** The names of every moment at which a killed run could leave something behind: after each write, and before the first of a step. */
export const faultPoints: readonly string[] = [
  ...new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/\bfault\(["']([\w-]+)["']\)/g)].map(([, name = '']) => name),
    ),
  ),
].sort();
