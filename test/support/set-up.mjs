import { ensureTools } from '../../scripts/ensure-tools.mjs';

/** Before the first test: builds the command line from the sources, and puts the tools into PATH. */
export default async function setUp() {
  await import('../../scripts/build.mjs');
  await ensureTools();
}
