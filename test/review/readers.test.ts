import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openDuckDb } from '../../src/review/query/duckdb';
import { jsonOf } from '../support/cli-over';
import { runCli } from '../support/run-cli';
import { spawnCli } from '../support/spawn-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { graphql, lines, sample } from './support/event-files';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function save(name: string, content: string | Buffer): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const review = (names: string[], stdin?: string, more: string[] = []) =>
  runCli(['review', '--json', ...more, '--events', ...names], {
    cwd: folder,
    ...(stdin === undefined ? {} : { stdin: Buffer.from(stdin) }),
  });

/** What the sample gives, however it is read. */
const whole = {
  requests: 5,
  classes: { 'both-log': 1, 'both-act': 1, 'only-old': 1, 'only-new': 1, 'stopped-before': 1 },
};

async function expectWhole(names: string[], stdin?: string): Promise<void> {
  const run = await review(names, stdin);
  expect(run.stderr).toBe('');
  expect(jsonOf(run)).toMatchObject(whole);
  expect(run.code).toBe(2);
}

/** Written by the engine itself. */
async function write(name: string, query: string, how: string): Promise<void> {
  const engine = await openDuckDb({ folder });
  save('given.ndjson', lines(sample));
  const given = `read_json('${join(folder, 'given.ndjson')}')`;
  await engine.run(`COPY (${query.replace('given', given)}) TO '${join(folder, name)}' (${how})`);
  engine.close();
}

describe('events are read', () => {
  test('from lines, with Windows line ends, or without the last end', async () => {
    save('a.log', lines(sample));
    save('c.log', lines(sample).replaceAll('\n', '\r\n'));
    save('d.log', lines(sample).trimEnd());
    for (const name of ['a.log', 'c.log', 'd.log']) await expectWhole([name]);
  });

  test('from gzip, of one member or several', async () => {
    save('a.log.gz', gzipSync(lines(sample)));
    save(
      'b',
      Buffer.concat([gzipSync(lines(sample.slice(0, 3))), gzipSync(lines(sample.slice(3)))]),
    );
    await expectWhole(['a.log.gz']);
    await expectWhole(['b']);
  });

  test('from Parquet, whatever the types', async () => {
    await write('a.parquet', 'SELECT * FROM given', 'FORMAT parquet');
    await expectWhole(['a.parquet']);
    await write(
      'b.parquet',
      `SELECT CAST(RayID AS INTEGER) AS rayid, Source AS SOURCE, Action, RuleID::BLOB AS RuleID,
        CAST(Datetime AS TIMESTAMPTZ) AS Datetime, ClientRequestPath FROM given`,
      'FORMAT parquet',
    );
    await expectWhole(['b.parquet']);
    // a time with a zone is shown in that of the machine, unless told
    for (const TZ of ['UTC', 'Pacific/Kiritimati']) {
      const args = ['review', '--events', 'b.parquet', '--json'];
      const { stdout } = await spawnCli(args, { cwd: folder, environment: { TZ } });
      const hours = JSON.parse(stdout).timeline.map(({ hour }: any) => hour);
      expect([TZ, hours]).toEqual([TZ, ['2026-01-01T10']]);
    }
  });

  test('from answers of the GraphQL interface, in one line or many, and from an array', async () => {
    save('a.json', JSON.stringify(graphql(sample)));
    save('b.json', JSON.stringify(graphql(sample), null, 2));
    save('c.json', JSON.stringify([graphql(sample.slice(0, 4)), graphql(sample.slice(4))]));
    save('d.json', JSON.stringify(sample));
    for (const name of ['a.json', 'b.json', 'c.json', 'd.json']) await expectWhole([name]);
  });

  test('from standard input, several files, a folder, a pattern, each once', async () => {
    await expectWhole(['-'], lines(sample));
    save('logs/one.log', lines(sample.slice(0, 2)));
    save('logs/deep/two.log.gz', gzipSync(lines(sample.slice(2, 5))));
    save('logs/deep/three.json', JSON.stringify(graphql(sample.slice(5))));
    save('logs/.hidden', 'nothing');
    await expectWhole(['logs']);
    await expectWhole(['logs', 'logs/one.log', 'logs/**/*.json']);
    await expectWhole(['logs/*.log', 'logs/**/t*']);
    expect(jsonOf(await review(['logs', 'logs/one.log'])).intake.files).toBe(3);
  });

  test('that links in a folder lead to, each once', async () => {
    save('elsewhere/one.log', lines(sample.slice(0, 3)));
    save('logs/two.log', lines(sample.slice(3)));
    symlinkSync(join(folder, 'elsewhere/one.log'), join(folder, 'logs/current'));
    symlinkSync('two.log', join(folder, 'logs/again'));
    symlinkSync('nowhere', join(folder, 'logs/broken'));
    symlinkSync('.', join(folder, 'logs/loop'));
    await expectWhole(['logs']);
    const { intake } = jsonOf(await review(['logs']));
    expect(intake).toMatchObject({ files: 2, events: sample.length });
  });

  test('under any name: none of it reaches the query', async () => {
    const hostile = [
      "it's.log",
      "'); DROP TABLE events; --",
      '*.log',
      '[a-z]?.log',
      'zeile\nzwei',
      '日本',
    ];
    for (const name of hostile) {
      save(name, lines(sample));
      await expectWhole([name]);
    }
    symlinkSync(join(folder, '日本'), join(folder, 'link'));
    await expectWhole(['link']);
  });
});
