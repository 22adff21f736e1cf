import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { lines, sample } from './support/event-files';

// as where the optional peer is not installed, or not made for the machine
jest.mock(
  '@duckdb/node-api',
  () => {
    throw Object.assign(new Error("Cannot find module '@duckdb/node-api'"), {
      code: 'MODULE_NOT_FOUND',
    });
  },
  { virtual: true },
);

test('without the engine, review fails with a hint, and the rest works', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'a'), lines(sample));
  const { code, stderr } = await runCli(['review', '--events', 'a'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: `review` needs DuckDB, and the package @duckdb\/node-api cannot be loaded \(REVIEW_ENGINE_MISSING\)/,
  );
  expect(stderr).toMatch(/^ *npm install --global @duckdb\/node-api$/m);
  expect(stderr).not.toContain('    at ');
  expect((await runCli(['review', '--help'])).code).toBe(0);
  expect((await runCli(['review', '--sql', 'spark'])).stdout).toMatch(/^WITH events/);
});
