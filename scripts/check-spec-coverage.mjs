// Checks that each number of docs/spec-coverage.json appears in a test name, as [S12], or has a
// reason why the statement does not apply. Usage: npm run spec
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const statements = JSON.parse(readFileSync(join(root, 'docs/spec-coverage.json'), 'utf8'));

const tested = new Set();
for (const entry of readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })) {
  if (!entry.name.endsWith('.test.ts') || entry.parentPath.includes('node_modules')) continue;
  const lines = readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n');
  for (const line of lines.filter((text) => !/^\s*(\/\/|\*)|\.(skip|todo)\(/.test(text))) {
    for (const [, list] of line.matchAll(/\[(S\d+(?:, ?S\d+)*)\]/g)) {
      for (const number of list.split(/, ?/)) tested.add(number);
    }
  }
}

const problems = statements.flatMap(({ id, doesNotApply }, index) => [
  ...(id === `S${index + 1}` ? [] : [`${id} is at the place of S${index + 1}`]),
  ...(tested.has(id) || doesNotApply ? [] : [`${id} has neither a test nor a reason`]),
  ...(tested.has(id) && doesNotApply ? [`${id} does not apply, but a test names it`] : []),
]);
const known = new Set(statements.map(({ id }) => id));
for (const number of tested) if (!known.has(number)) problems.push(`${number} is unknown`);

for (const problem of problems) console.error(problem);
console.log(`${statements.length} statements, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
