const [unit] = require('./jest.config.js').projects;

/** The unit tests that one mutated file is held to, as one: see scripts/mutation.mjs. */
module.exports = {
  ...unit,
  displayName: 'mutation',
  testMatch: ['<rootDir>/test/support/mutation-entry.js'],
};
