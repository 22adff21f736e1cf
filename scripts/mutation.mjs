// Mutation testing of the pure folders (Stryker): changes one thing of a file at a time and expects
// that a unit test turns red. docs/mutation-testing.md has the score and why which mutants may live.
// What was run is kept in reports/mutation.jsonl. A file is run again when it changed; when only its
// tests did, no more than the lines of the mutants that lived: tests are sharpened, not blunted.
// usage: npm run mutation [-- folder|file…], or -- --score for what was run so far
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import {
  addToReport,
  complaints,
  describeMutant,
  digest,
  readReport,
  scoreTable,
} from './mutation-score.mjs';
import { filesBelow, isTest, testsOf } from './mutation-tests.mjs';

const FOLDERS = ['plan', 'state', 'blocks', 'translate', 'generate'].map((name) => `src/${name}`);

async function runStryker(tests, mutate) {
  const tempDirName = fs.mkdtempSync(join(tmpdir(), 'mutation-'));
  process.env.MUTATION_TESTS = tests.join(' ');
  const stryker = new Stryker({
    testRunner: 'jest',
    plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/jest-runner'))],
    jest: { configFile: 'jest.mutation.config.js', enableFindRelatedTests: false },
    mutate,
    ignorePatterns: ['/dist', '/cdktf.out', '/demo-output', '/docs/api', '/reports', '.git'],
    concurrency: 1,
    timeoutMS: 20_000,
    reporters: [],
    logLevel: 'error',
    tempDirName,
  });
  try {
    return await stryker.runMutationTest();
  } finally {
    fs.rmSync(tempDirName, { recursive: true, force: true });
  }
}

/** What took too long is tried once more, but for loops: Stryker counts their rounds. */
async function runTwice(file, tests, ranges) {
  const results = await runStryker(tests, ranges);
  const late = results.filter(
    ({ status, statusReason = '' }) =>
      status === 'Timeout' && !statusReason.startsWith('Hit limit'),
  );
  if (late.length === 0) return results;
  const key = ({ location, replacement }) => JSON.stringify([location, replacement]);
  const places = late.map(({ location: { start, end } }) => `${file}:${start.line}-${end.line}`);
  const again = new Map((await runStryker(tests, places)).map((one) => [key(one), one]));
  return results.map((one) => (late.includes(one) ? (again.get(key(one)) ?? one) : one));
}

async function run(file) {
  const tests = testsOf(file);
  const support = filesBelow(`test/${file.split('/')[1]}`).filter((path) => !isTest(path));
  const held = digest([file, ...tests, ...support]);
  const [source, before] = [digest([file]), readReport().get(file)];
  const again = before !== undefined;
  if (before?.held === held || (again && before.living.length === 0)) return;
  const text = fs.readFileSync(file, 'utf8');
  const ranges = again ? before.living.map(({ at, until }) => `${file}:${at}-${until}`) : [file];
  const results = await runTwice(file, tests, ranges);
  const of = (...statuses) =>
    results
      .filter(({ status }) => statuses.includes(status))
      .map((mutant) => describeMutant(mutant, text));
  const living = of('Survived', 'NoCoverage');
  const total = again ? before.total : living.length + of('Killed', 'Timeout').length;
  addToReport({ file, source, held, total, timeouts: of('Timeout'), living });
}

const asked = process.argv.slice(2).filter((argument) => argument !== '--score');
for (const file of (asked.length > 0 ? asked : FOLDERS).flatMap(filesBelow)) {
  if (!process.argv.includes('--score')) await run(file);
  const entry = readReport().get(file);
  if (entry === undefined) continue;
  const open = complaints(entry);
  if (open.length > 0) process.exitCode = 1;
  console.log([`${file}: ${entry.total} mutants, ${entry.living.length} live`, ...open].join('\n'));
}
console.log(scoreTable(FOLDERS, filesBelow));
