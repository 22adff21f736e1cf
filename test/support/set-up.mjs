/** Before the first test: builds the command line from the sources. */
export default async function setUp() {
  await import('../../scripts/build.mjs');
}
