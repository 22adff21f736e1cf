import { ensureDuckDb } from '../../scripts/ensure-tools.mjs';

/** Before the first test: installs DuckDB, and builds the command line from the sources. */
export default async function setUp({ collectCoverage }) {
  if (collectCoverage) process.env.TEST_COVERAGE = '1';
  await import('../../scripts/build.mjs');
  await ensureDuckDb();
}
