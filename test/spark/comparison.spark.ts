import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { comparisonQuery, type Intended } from '../../src/review/query/comparison-query';
import { dialects } from '../../src/review/query/dialect';
import { EVENT_COLUMNS, type Rank } from '../../src/review/query/events';
import { events } from '../review/support/arbitrary-events';
import { compareEvents } from '../review/support/duckdb';
import { lines as linesOf } from '../review/support/event-files';
import { jsonOf } from '../support/cli-lab';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';

const python = process.env['SPARK_PYTHON'];
/** The columns that `review --sql` reads. */
const present = EVENT_COLUMNS.filter(
  (column) => column !== 'SampleInterval' && column !== 'ClientCountry',
);
const meant: Intended = {
  fallback: 3,
  rules: new Map<string, Rank>([
    ['a'.repeat(32), 2],
    ["'; DROP TABLE events; --", 1],
    ['back\\slash', 0],
  ]),
};

test('Spark has the rows that DuckDB has, and the review goes on from them', async () => {
  if (python === undefined) {
    throw new Error('a Python with pyspark, and Java, are needed: run `npm run spark`');
  }
  const folder = temporaryFolder();
  const seed = Number(process.env['SPARK_SEED'] ?? Date.now() % 1_000_000);
  console.log(`SPARK_SEED=${seed}`);
  const all = fc.sample(events, { numRuns: 200, seed }).flatMap((group, index) =>
    group.map((one) => ({
      ...one,
      SampleInterval: undefined,
      ClientCountry: undefined,
      RayID: typeof one['RayID'] === 'string' ? `${index} ${one['RayID']}` : null,
    })),
  );
  writeFileSync(join(folder, 'events.ndjson'), linesOf(all));
  const query = comparisonQuery(dialects.spark, {
    table: '`firewall_events`',
    present,
    intended: meant,
  });
  writeFileSync(join(folder, 'query.sql'), query);

  const run = spawnSync(python, [join(__dirname, 'run_query.py'), folder], { encoding: 'utf8' });
  expect([run.status, run.status === 0 ? '' : run.stderr.slice(-4000)]).toEqual([0, '']);

  const ours = await compareEvents(all, meant, folder);
  const lines = readFileSync(join(folder, 'result.ndjson'), 'utf8').trim().split('\n');
  const theirs: unknown[] = lines.map((line) => JSON.parse(line));
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  expect(all.length).toBeGreaterThan(800);
  expect(sorted(theirs)).toEqual(sorted(ours));

  const review = jsonOf(
    await runCli(['review', '--json', '--result', 'result.ndjson'], { cwd: folder }),
  );
  const requests = ours.filter(({ section }) => section === 'request');
  expect(review.requests).toBe(requests.reduce((sum, row) => sum + row.requests, 0));
});
