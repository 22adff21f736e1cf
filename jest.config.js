const { availableParallelism } = require('node:os');

const transform = {
  '^.+\\.tsx?$': [
    '<rootDir>/test/support/transform.js',
    { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
  ],
};
const project = (displayName, testMatch) => ({
  displayName,
  testMatch,
  transform,
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/fast-check-seed.js'],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/cdktf.out/',
    '<rootDir>/test/cdktf-cli/',
  ],
});

/** Two projects: `unit` needs Node alone; `e2e` needs the terraform binary and says so when it is missing. */
module.exports = {
  // a worker less than there are cores, but two on two: most tests wait for a process
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // what the tests before have left makes every process that a test starts cost more
  workerIdleMemoryLimit: '350MB',
  randomize: true,
  testTimeout: 60_000,
  globalSetup: '<rootDir>/test/support/build-cli.ts',
  projects: [
    {
      ...project('unit', ['<rootDir>/test/**/*.test.ts']),
      testPathIgnorePatterns: ['<rootDir>/test/e2e/', '<rootDir>/test/walks/'],
    },
    {
      ...project('e2e', ['<rootDir>/test/{e2e,walks}/**/*.test.ts']),
      globalSetup: '<rootDir>/test/support/install-packages.ts',
    },
    // needs Java and pyspark: `npm run spark` installs pyspark and sets the variable
    ...(process.env.SPARK_PYTHON ? [project('spark', ['<rootDir>/test/spark/**/*.spark.ts'])] : []),
  ],
};
