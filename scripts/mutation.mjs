// Mutation testing of the pure folders (Stryker): changes one thing of a file at a time and expects
// that a unit test turns red. docs/mutation-testing.md has the score and why which mutants may live.
// What was run is kept in reports/mutation.jsonl. A file is run again when it changed; when only its
// tests did, no more than the lines of the mutants that lived: tests are sharpened, not blunted.
// usage: npm run mutation [-- folder|file…], or -- --score for what was run so far
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
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
import { filesBelow, isTest, ownTests, testsOf } from './mutation-tests.mjs';

/** What was run is kept after each group of so many files. */
const MOST_FILES = 12;
const FOLDERS = ['plan', 'state', 'blocks', 'translate', 'generate'].map((name) => `src/${name}`);

async function runStryker(tests, mutate, timeoutMS) {
  const tempDirName = fs.mkdtempSync(join(tmpdir(), 'mutation-'));
  process.env.MUTATION_TESTS = tests.join(' ');
  const stryker = new Stryker({
    testRunner: 'in-process',
    plugins: [fileURLToPath(new URL('./mutation-runner.mjs', import.meta.url))],
    mutate,
    ignorePatterns: ['/dist', '/cdktf.out', '/demo-output', '/docs/api', '/reports', '.git'],
    concurrency: 1,
    timeoutMS,
    reporters: ['progress-append-only'],
    disableTypeChecks: false,
    logLevel: 'error',
    tempDirName,
  });
  try {
    return await stryker.runMutationTest();
  } finally {
    fs.rmSync(tempDirName, { recursive: true, force: true });
  }
}

/** Runs some of what was run once more, in another way: by the lines of it. */
async function runAgain(results, isWanted, tests, timeoutMS) {
  const wanted = results.filter(isWanted);
  if (wanted.length === 0) return results;
  const key = ({ fileName, location, replacement }) =>
    JSON.stringify([fileName, location, replacement]);
  const places = wanted.map(
    ({ fileName, location: { start, end } }) =>
      `${relative('.', fileName)}:${start.line}-${end.line}`,
  );
  const ran = await runStryker(tests, [...new Set(places)], timeoutMS);
  const again = new Map(ran.map((one) => [key(one), one]));
  return results.map((one) => (wanted.includes(one) ? (again.get(key(one)) ?? one) : one));
}

/** What took too long, but for loops: Stryker counts their rounds. */
const isLate = ({ status, statusReason = '' }) =>
  status === 'Timeout' && !statusReason.startsWith('Hit limit');

const isLiving = ({ status }) => status === 'Survived' || status === 'NoCoverage';

/** What was late is tried once more, with more time. */
const runPatiently = async (tests, ranges) =>
  runAgain(await runStryker(tests, ranges, 3_000), isLate, tests, 6_000);

/**
 * First with the tests of one file alone, where it has some: what runs for ever is given up the sooner, the
 * quicker its tests are. What lives through them is tried with all.
 */
async function runGroup(files, tests, ranges) {
  const own = files.length === 1 ? ownTests(files[0], tests) : [];
  if (own.length === 0) return runPatiently(tests, ranges);
  return runAgain(await runPatiently(own, ranges), isLiving, tests, 6_000);
}

/** What is to be run of a file: all of it, or the lines of the mutants that lived; nothing, if nothing changed. */
function toRun(file, report) {
  const tests = testsOf(file);
  const support = filesBelow(`test/${file.split('/')[1]}`).filter((path) => !isTest(path));
  const held = digest([file, ...tests, ...support]);
  const before = report.get(file);
  if (before?.held === held || before?.living.length === 0) return [];
  const ranges = before?.living.map(({ at, until }) => `${file}:${at}-${until}`) ?? [file];
  return [{ file, tests, held, before, ranges }];
}

/** Runs files that are held to the same tests, as one: to begin takes ten seconds. */
async function run(group) {
  const results = await runGroup(
    group.map(({ file }) => file),
    group[0].tests,
    group.flatMap(({ ranges }) => ranges),
  );
  for (const { file, held, before } of group) {
    const text = fs.readFileSync(file, 'utf8');
    const own = results.filter(({ fileName }) => relative('.', fileName) === file);
    const of = (isWanted) => own.filter(isWanted).map((mutant) => describeMutant(mutant, text));
    const living = of(isLiving);
    const timeouts = of(({ status }) => status === 'Timeout');
    const killed = own.filter(({ status }) => status === 'Killed').length;
    const total = before?.total ?? living.length + timeouts.length + killed;
    addToReport({ file, source: digest([file]), held, total, timeouts, living });
  }
}

function inGroups(tasks) {
  const groups = [];
  for (const task of tasks) {
    const last = groups.at(-1);
    const fits = last?.length < MOST_FILES && String(last[0].tests) === String(task.tests);
    if (fits) last.push(task);
    else groups.push([task]);
  }
  return groups;
}

const asked = process.argv.slice(2).filter((argument) => argument !== '--score');
const files = (asked.length > 0 ? asked : FOLDERS).flatMap(filesBelow);
if (!process.argv.includes('--score')) {
  const before = readReport();
  for (const group of inGroups(files.flatMap((file) => toRun(file, before)))) await run(group);
}
const report = readReport();
for (const file of files) {
  const entry = report.get(file);
  if (entry === undefined) continue;
  const open = complaints(entry);
  if (open.length > 0) process.exitCode = 1;
  console.log([`${file}: ${entry.total} mutants, ${entry.living.length} live`, ...open].join('\n'));
}
console.log(scoreTable(FOLDERS, filesBelow));
