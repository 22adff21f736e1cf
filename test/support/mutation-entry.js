/* global describe */
// As one test file, so that what they import is loaded once for each mutant (scripts/mutation.mjs).
for (const file of process.env.MUTATION_TESTS.split(' ')) {
  describe(file, () => {
    require(`../../${file}`);
  });
}
