import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { comparisonQuery, type Intended } from '../../src/review/query/comparison-query';
import { type Rank, resultRowSchema } from '../../src/review/query/events';
import { events } from '../review/support/arbitrary-events';
import { compareEvents } from '../review/support/duckdb';
import { lines as linesOf } from '../review/support/event-files';
import { jsonOf } from '../support/cli-lab';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';

const submit = process.env['SPARK_SUBMIT'];
/** The example of docs/review.md. */
const script = join(__dirname, '../../docs/examples/review-on-spark.py');
/** Local mode, in another time zone than that of the events. */
const local = [
  ...['--master', 'local[2]'],
  ...['--conf', 'spark.ui.enabled=false'],
  ...['--conf', 'spark.sql.shuffle.partitions=1'],
  ...['--conf', 'spark.driver.bindAddress=127.0.0.1'],
  ...['--conf', 'spark.driver.host=127.0.0.1'],
  ...['--conf', 'spark.sql.session.timeZone=America/New_York'],
];
const meant: Intended = {
  fallback: 3,
  rules: new Map<string, Rank>([
    ['a'.repeat(32), 2],
    ['b'.repeat(32), 0],
    ['c'.repeat(32), 1],
  ]),
};

test('Spark has the rows that DuckDB has, and the review goes on from them', async () => {
  if (submit === undefined) {
    throw new Error('spark-submit and Java are needed: run `npm run spark`');
  }
  const folder = temporaryFolder();
  const seed = Number(process.env['SPARK_SEED'] ?? Date.now() % 1_000_000);
  console.log(`SPARK_SEED=${seed}`);
  const all = fc.sample(events, { numRuns: 200, seed }).flatMap((group, index) =>
    group.map((one) => ({
      ...one,
      SampleInterval: undefined,
      RayID: typeof one['RayID'] === 'string' ? `${index} ${one['RayID']}` : null,
    })),
  );
  writeFileSync(join(folder, 'events.ndjson'), linesOf(all));
  const query = comparisonQuery('spark', {
    table: '`firewall_events`',
    sampled: 'FALSE',
    intended: meant,
  });
  writeFileSync(join(folder, 'query.sql'), query);

  const run = spawnSync(submit, [...local, script, 'events.ndjson', 'query.sql', 'result'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  expect([run.status, run.status === 0 ? '' : run.stderr.slice(-4000)]).toEqual([0, '']);

  const ours = await compareEvents(all, meant, folder);
  const result = readdirSync(join(folder, 'result')).find((name) => name.startsWith('part-'));
  const lines = readFileSync(join(folder, 'result', result ?? ''), 'utf8')
    .trim()
    .split('\n');
  const theirs = lines.map((line) => resultRowSchema.parse(JSON.parse(line)));
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  expect(all.length).toBeGreaterThan(800);
  expect(sorted(theirs)).toEqual(sorted(ours));

  const review = jsonOf(
    await runCli(['review', '--json', '--result', join('result', result ?? '')], { cwd: folder }),
  );
  const requests = ours.filter(({ section }) => section === 'request');
  expect(review.requests).toBe(requests.reduce((sum, row) => sum + row.requests, 0));
});
