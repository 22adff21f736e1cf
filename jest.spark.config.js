const base = require('./jest.config.js');

/** The one test that needs Java and pyspark: `npm run spark` sees to the latter. */
module.exports = {
  ...base.projects[0],
  displayName: 'spark',
  testMatch: ['<rootDir>/test/spark/**/*.spark.ts'],
  testPathIgnorePatterns: [],
  testTimeout: 900_000,
};
