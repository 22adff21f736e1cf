// What runs the tests for Stryker: jest's own describe, it and expect, in one process that lives on. The
// modules are compiled once and loaded anew for each mutant, which takes milliseconds; jest as a whole
// takes a second or two to begin. The tests of these folders need no more of it.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { transformSync } from 'esbuild';
import { expect } from 'expect';
import { configureGlobal } from 'fast-check';
import * as circus from 'jest-circus';

const TEST_TIMEOUT = 60_000;
/** Of a law: what breaks it mostly does so at once, and what does not would take all of its runs. */
const LAW_MILLISECONDS = 200;
configureGlobal({ seed: 1, interruptAfterTimeLimit: LAW_MILLISECONDS });

const compiled = new Map();
function compile(file) {
  const known = compiled.get(file);
  if (known !== undefined) return known;
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    target: 'node20',
    supported: { 'dynamic-import': false },
  });
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const made = compileFunction(code, names, { filename: file });
  compiled.set(file, made);
  return made;
}

/** Loads the project's own files, each once; packages and JSON are loaded once for all mutants. */
function makeLoader() {
  const loaded = new Map();
  return function load(file) {
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const native = createRequire(file);
    const own = (name) => {
      const path = join(dirname(file), name);
      return [path, `${path}.ts`, `${path}.js`].find(
        (one) => /\.[jt]s$/.test(one) && existsSync(one),
      );
    };
    const require = (name) => {
      const found = name.startsWith('.') ? own(name) : undefined;
      return found === undefined ? native(name) : load(found);
    };
    require.resolve = native.resolve;
    compile(file)(module.exports, require, module, file, dirname(file));
    return module.exports;
  };
}

const pathOf = (test) => (test.parent === undefined ? [] : [...pathOf(test.parent), test.name]);
/** Begins with the file, so that a mutant loads the files of its tests alone. */
const idOf = (test) => pathOf(test).join(' ');
const fileOf = (id) => id.split(' ')[0];

const describeTest = (id, timeSpentMs) => ({
  id,
  name: id,
  fileName: resolve(fileOf(id)),
  timeSpentMs,
});
const passedTest = (id, duration) => ({
  ...describeTest(id, duration ?? 0),
  status: TestStatus.Success,
});
const failedTest = (id, error) => ({
  ...describeTest(id, 0),
  status: TestStatus.Failed,
  failureMessage: String(error),
});

/** What the test framework tells of the run that is on; it has one list of listeners for good. */
let listener;
circus.addEventHandler((event) => listener?.(event));
Object.assign(globalThis, circus, { expect });

class InProcessTestRunner {
  context = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun() {
    const result = await this.run(process.env.MUTATION_TESTS.split(' '), () => true, false);
    return { ...result, mutantCoverage: this.context.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }) {
    const chosen = testFilter && new Set(testFilter);
    const files = chosen ? new Set(testFilter.map(fileOf)) : process.env.MUTATION_TESTS.split(' ');
    Object.assign(this.context, {
      activeMutant: activeMutant.id,
      hitLimit,
      hitCount: hitLimit === undefined ? undefined : 0,
    });
    const result = await this.run([...files], (id) => chosen?.has(id) ?? true, !disableBail);
    return toMutantRunResult(
      determineHitLimitReached(this.context.hitCount, hitLimit) ?? result,
      disableBail,
    );
  }

  async run(files, isChosen, bail) {
    const tests = [];
    circus.resetState();
    circus.getState().testTimeout = TEST_TIMEOUT;
    const failed = () => tests.some(({ status }) => status === TestStatus.Failed);
    listener = ({ name, test }) => {
      if (name === 'test_start' && (!isChosen(idOf(test)) || (bail && failed())))
        test.mode = 'skip';
      if (name === 'test_started') this.context.currentTestId = idOf(test);
      if (name === 'test_done') {
        this.context.currentTestId = undefined;
        const [error] = test.errors;
        const id = idOf(test);
        tests.push(error === undefined ? passedTest(id, test.duration) : failedTest(id, error));
      }
    };
    const load = makeLoader();
    for (const file of files) circus.describe(file, () => void load(resolve(file)));
    const { unhandledErrors } = await circus.run();
    // a file that cannot even be loaded is noticed as well as one that a test finds wrong
    for (const error of unhandledErrors) tests.push(failedTest(files[0], error));
    return { status: DryRunStatus.Complete, tests };
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessTestRunner),
];
