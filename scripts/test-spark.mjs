// Runs the comparison on a real Spark in local mode against DuckDB: test/spark. Needs Java 17 or later
// and Python 3.10 or later with venv; pyspark (450 MB) is installed into a temporary folder, which is kept
// for the next run.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PYSPARK = '4.3.0';
const folder = join(tmpdir(), `cf-waf-migrate-spark-${PYSPARK}-${userInfo().uid}`);
const python = join(folder, 'bin', 'python');

function run(command, args, environment = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  if (error?.code === 'ENOENT') {
    console.error(`${command} is missing, and the Spark test needs it`);
    process.exit(1);
  }
  if (status !== 0) process.exit(status ?? 1);
}

run('java', ['-version']);
if (!existsSync(join(folder, 'installed'))) {
  run('python3', ['-m', 'venv', '--clear', folder]);
  run(python, ['-m', 'pip', 'install', '--quiet', `pyspark==${PYSPARK}`]);
  run(python, ['-c', `open(${JSON.stringify(join(folder, 'installed'))}, 'w').close()`]);
}
const { jest } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [unit] = jest.projects;
const config = {
  ...unit,
  displayName: 'spark',
  rootDir: fileURLToPath(new URL('..', import.meta.url)),
  testMatch: ['<rootDir>/test/spark/**/*.spark.ts'],
  testTimeout: 900_000,
};
run('npx', ['jest', '--config', JSON.stringify(config)], {
  SPARK_SUBMIT: join(folder, 'bin', 'spark-submit'),
  PYSPARK_PYTHON: python,
});
