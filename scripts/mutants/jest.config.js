const { projects } = require('../../jest.config');

const unit = projects.find(({ displayName }) => displayName === 'unit');
const [[pattern, [, options]]] = Object.entries(unit.transform);

/** The unit tests of the generator, with a mutant of it. */
module.exports = {
  ...unit,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/generate/**/*.test.ts'],
  testTimeout: 120_000,
  transform: { [pattern]: ['<rootDir>/scripts/mutants/transform.js', options] },
};
