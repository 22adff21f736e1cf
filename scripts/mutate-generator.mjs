// Takes away one thing of the generator at a time (test/support/mutants.json) and expects that a
// test of test/generate turns red. Fails when one survives, or no longer applies to the source. No
// file is edited: the tests' transform does it (test/support/transform.js).
// usage: npm run mutants [-- name…]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const mutants = require('../test/support/mutants.json');
const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
/** The quick tests, tried first; the others follow only where these did not notice. */
const QUICK =
  'test/generate/(emit-rules|findings|golden|normalise-ruleset|parse-ruleset|stack|traps)\\.test';

/** The names of the tests that fail, or an error when they could not be run. */
function failing(name, pattern) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const args = ['--selectProjects=unit', `--testPathPatterns=${pattern}`];
  const { stderr } = spawnSync(
    process.execPath,
    [require.resolve('jest/bin/jest'), ...args, '--json', '--outputFile', report],
    { env: { ...process.env, MUTANT: name }, encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  try {
    const { testResults, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
    if (numTotalTests === 0) throw new Error('no test was run');
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    return all.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  } catch (error) {
    throw new Error(`jest could not be run with the mutant ${name}\n${stderr}`, { cause: error });
  }
}

const asked = process.argv.slice(2);
const chosen = mutants.filter(({ name }) => asked.length === 0 || asked.includes(name));
const problems = asked
  .filter((name) => !mutants.some((mutant) => mutant.name === name))
  .map((name) => `${name}: there is no such mutant`);

for (const { name, file, find } of chosen) {
  const places = readFileSync(file, 'utf8').split(find).length - 1;
  if (places !== 1) problems.push(`${name}: ${file} has ${places} places to take away, not one`);
}
if (problems.length === 0) {
  const [red] = failing('', QUICK);
  if (red !== undefined) problems.push(`without any mutant, a test is red: ${red}`);
}
if (problems.length === 0) {
  for (const { name } of chosen) {
    const started = Date.now();
    const noticed = failing(name, QUICK)[0] ?? failing(name, 'test/generate/')[0];
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    if (noticed === undefined) problems.push(`${name}: survives`);
    console.log(
      `${noticed === undefined ? 'SURVIVES' : 'killed  '} ${name} (${seconds} s) ${noticed ?? ''}`,
    );
  }
}
rmSync(folder, { recursive: true });
for (const problem of problems) console.error(problem);
console.log(`${chosen.length} mutants, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
