// Takes away, one at a time, what the generator must not lose (test/support/mutants.json); each has
// to turn a test red. No file is edited: the tests' transform does it (test/support/transform.js).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const mutants = JSON.parse(
  readFileSync(new URL('../test/support/mutants.json', import.meta.url), 'utf8'),
);
const jest = [
  'node_modules/jest/bin/jest.js',
  '--selectProjects=unit',
  '--testPathPatterns=test/generate/(golden|traps|emit-rules|normalise-ruleset)',
  '--bail',
];

let survivors = 0;
for (const { name, file, find } of mutants) {
  if (!readFileSync(`${root}/${file}`, 'utf8').includes(find)) {
    console.log(`${name}: no longer applies to ${file}`);
    survivors += 1;
    continue;
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, jest, {
    cwd: root,
    env: { ...process.env, MUTANT: name },
    encoding: 'utf8',
  });
  const red = /^\s*● (?!.*suite failed to run)(.+)$/m.exec(`${stdout}${stderr}`)?.[1];
  const killed = status !== 0 && red !== undefined;
  console.log(killed ? `${name}: killed by "${red}"` : `${name}: SURVIVED`);
  if (!killed) survivors += 1;
}
console.log(`${mutants.length - survivors} killed, ${survivors} survived`);
process.exit(survivors === 0 ? 0 : 1);
