import { ensureDuckDb } from '../../scripts/ensure-tools.mjs';

/** Before the first test: installs DuckDB, and builds the command line from the sources. */
export default async function setUp() {
  await import('../../scripts/build.mjs');
  await ensureDuckDb();
}
