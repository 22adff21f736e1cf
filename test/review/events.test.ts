import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { errorOf, jsonOf } from '../support/cli-lab';
import { runCli } from '../support/run-cli';
import { spawnCli } from '../support/spawn-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { runDuckDb } from './support/duckdb';
import { event, graphql, lines, sample } from './support/event-files';
import { type RawEvent } from './support/reference';
import { deploying } from './support/review-of';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function save(name: string, content: string | Buffer): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
const review = (names: string[], stdin?: string) =>
  runCli(['review', '--json', '--events', ...names], {
    cwd: folder,
    ...(stdin === undefined ? {} : { stdin: Buffer.from(stdin) }),
  });
const reviewed = async (...more: string[]): Promise<any> => jsonOf(await review(['a', ...more]));
const codes = (result: any): string[] => result.findings.map(({ code }: any) => code);
const refusal = async (...more: string[]): Promise<string> => {
  const run = await review(['a', ...more]);
  const { code, message } = errorOf(run);
  expect([run.code, code]).toEqual([1, 'EVENTS_INVALID']);
  return message.replace(`${folder}/`, '');
};
const without = (name: string): RawEvent[] =>
  sample.map((one) => Object.fromEntries(Object.entries(one).filter(([key]) => key !== name)));

async function expectSample(names: string[], stdin?: string): Promise<void> {
  const run = await review(names, stdin);
  expect([run.code, run.stderr]).toEqual([2, '']);
  expect(jsonOf(run)).toMatchObject({
    requests: 5,
    classes: { 'both-log': 1, 'both-act': 1, 'only-legacy': 1, 'only-new': 1, 'stopped-before': 1 },
  });
}

describe('events are read', () => {
  test('from lines, with Windows line ends, or without the last end', async () => {
    save('a.log', lines(sample));
    save('c.log', lines(sample).replaceAll('\n', '\r\n'));
    save('d.log', lines(sample).trimEnd());
    for (const name of ['a.log', 'c.log', 'd.log']) await expectSample([name]);
  });

  test('from gzip, of one member or several', async () => {
    save('a.log.gz', gzipSync(lines(sample)));
    const parts = [sample.slice(0, 3), sample.slice(3)].map((part) => gzipSync(lines(part)));
    save('b', Buffer.concat(parts));
    for (const name of ['a.log.gz', 'b']) await expectSample([name]);
  });

  test('from Parquet, whatever the types', async () => {
    save('given', lines(sample));
    const given = `read_json('${join(folder, 'given')}')`;
    await runDuckDb(
      `COPY (SELECT * FROM ${given}) TO '${join(folder, 'a.parquet')}' (FORMAT parquet)`,
      `COPY (SELECT CAST(RayID AS INTEGER) AS rayid, Source AS SOURCE, Action, RuleID::BLOB AS RuleID,
        CAST(Datetime AS TIMESTAMPTZ) AS Datetime, ClientRequestPath FROM ${given})
        TO '${join(folder, 'b.parquet')}' (FORMAT parquet)`,
    );
    for (const name of ['a.parquet', 'b.parquet']) await expectSample([name]);
    // a time with a zone would be shown in that of the machine
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
    for (const name of ['a.json', 'b.json', 'c.json', 'd.json']) await expectSample([name]);
  });

  test('from standard input, several files, a folder, a pattern, each once', async () => {
    await expectSample(['-'], lines(sample));
    save('logs/one.log', lines(sample.slice(0, 2)));
    save('logs/deep/two.log.gz', gzipSync(lines(sample.slice(2, 5))));
    save('logs/deep/three.json', JSON.stringify(graphql(sample.slice(5))));
    save('logs/.hidden', 'nothing');
    await expectSample(['logs']);
    await expectSample(['logs', 'logs/one.log', 'logs/**/*.json']);
    await expectSample(['logs/*.log', 'logs/**/t*']);
    expect(jsonOf(await review(['logs', 'logs/one.log'])).intake.files).toBe(3);
  });

  test('that links in a folder lead to, each once', async () => {
    save('elsewhere/one.log', lines(sample.slice(0, 3)));
    save('logs/two.log', lines(sample.slice(3)));
    symlinkSync(join(folder, 'elsewhere/one.log'), join(folder, 'logs/current'));
    symlinkSync('two.log', join(folder, 'logs/again'));
    symlinkSync('nowhere', join(folder, 'logs/broken'));
    symlinkSync('.', join(folder, 'logs/loop'));
    await expectSample(['logs']);
    const { intake } = jsonOf(await review(['logs']));
    expect(intake).toMatchObject({ files: 2, events: sample.length });
  });

  test('under any name: none of it reaches the query', async () => {
    const hostile = [
      "it's.log",
      "'); DROP TABLE events; --",
      '*.log',
      '[a-z]?.log',
      'a\nb',
      '日本',
    ];
    for (const name of hostile) {
      save(name, lines(sample));
      await expectSample([name]);
    }
    symlinkSync(join(folder, '日本'), join(folder, 'link'));
    await expectSample(['link']);
  });
});

describe('files without events are refused', () => {
  const document = (part: unknown, indent?: number): string => JSON.stringify(part, null, indent);
  const noEvents =
    'a holds no security events: neither data.viewer.zones[].firewallEventsAdaptive nor an array of events';
  const noDocument = 'a is not one JSON document of at most 256 MiB';
  test.each<[string, string | Buffer, string]>([
    ['lines of something else', 'one\ntwo\n', 'there is no event in 2 lines'],
    ['events without Ray IDs', lines(without('RayID')), 'none of 7 events has a RayID'],
    [
      'events without actions',
      lines(without('Action')),
      'none of 7 events has an Action that is known',
    ],
    ['nothing', '', 'the files of events are empty'],
    ['damaged Parquet', 'PAR1nonsense', 'the events cannot be read'],
    [
      'a refusal of the GraphQL interface',
      document({ data: null, errors: [{ message: 'zone not found' }] }),
      'a is a refusal of the API: zone not found',
    ],
    ['another answer of the API', document({ errors: [], result: sample }, 2), noEvents],
    ['another answer of the GraphQL interface', document({ data: { viewer: {} } }), noEvents],
    ['an array of something else', '[{"hello": 1}]', noEvents],
    ['a document that is cut off', document(graphql(sample), 2).slice(0, 500), noDocument],
    [
      'a line that is longer than DuckDB reads',
      gzipSync(`${lines(sample)}${'x'.repeat(40 * 1024 * 1024)}\n`),
      'a line of the events is longer than 16 MiB',
    ],
  ])('%s', async (_, content, message) => {
    save('a', content);
    expect(await refusal()).toBe(message);
  });

  test('Parquet without a column that is needed', async () => {
    const query = "SELECT 'r' AS RayID, 'waf' AS Source";
    await runDuckDb(`COPY (${query}) TO '${join(folder, 'a')}' (FORMAT parquet)`);
    expect(await refusal()).toBe('none of 1 events has an Action that is known');
  });

  test('zstd, with the command that decompresses it', async () => {
    save('a', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]));
    const { stderr } = await runCli(['review', '--events', 'a'], { cwd: folder });
    expect(stderr).toMatch(/a is compressed with zstd, which is not supported \(EVENTS_INVALID\)/);
    expect(stderr).toMatch(/^ *zstd -d FILE$/m);
  });

  test('a gzip of one huge document, without unpacking it all', async () => {
    const blank = Buffer.alloc(16 * 1024 * 1024, ' ');
    const members = Array.from({ length: 20 }, () => gzipSync(blank));
    save('a', Buffer.concat([gzipSync('[\n'), ...members]));
    const before = process.memoryUsage().rss;
    expect(await refusal()).toBe(noDocument);
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 * 1024);
  });

  test.each(['a', '*.log'])('nothing at the name %s', async (name) => {
    expect(errorOf(await review([name])).code).toBe('EVENTS_MISSING');
  });
});

describe('what is wrong with the events is a finding', () => {
  test('an empty file beside others is none', async () => {
    save('a', '');
    save('b', lines(sample));
    expect((await reviewed('b')).requests).toBe(5);
  });

  test('lines that are no event are counted', async () => {
    save('a', `nonsense {\n${lines(sample)}[1]\n\n{"RayID":"9"\n5\n{}\n\u001b[31mred\n`);
    const result = await reviewed();
    expect(result).toMatchObject({ requests: 5, intake: { events: 7, unreadable: 6 } });
    expect(codes(result)).toContain('UNREADABLE_LINES');
    const { stdout } = await runCli(['review', '--events', 'a'], { cwd: folder });
    expect(stdout).toContain('6 lines of 13 without an event: not counted');
  });

  test('bytes that are no text are such lines as well', async () => {
    const binary = [Buffer.from([0xff, 0xfe, 0x00, 0x0a]), randomBytes(40), Buffer.from('\n')];
    save('a', Buffer.concat([Buffer.from(lines(sample)), ...binary]));
    const { intake, requests } = await reviewed();
    expect([requests, intake.events]).toEqual([5, 7]);
    expect(intake.unreadable).toBeGreaterThan(0);
  });

  test.each([
    'RuleID',
    'ClientIP',
    'ClientRequestHost',
    'ClientRequestMethod',
    'ClientRequestPath',
    'ClientRequestQuery',
    'Datetime',
  ])('no event has the field %s', async (field) => {
    const missing = async (): Promise<string[]> =>
      (await reviewed()).findings
        .filter(({ code }: any) => code === 'FIELD_MISSING')
        .map(({ subject }: any) => subject);
    save('a', lines(without(field)));
    expect(await missing()).toEqual([field]);
    save('a', lines([...without(field), ...sample.slice(4, 5)]));
    expect(await missing()).toEqual([]);
  });

  test('no event has a source: there is none of the legacy WAF', async () => {
    save('a', lines(without('Source')));
    expect(codes(await reviewed())).toContain('NO_LEGACY_EVENTS');
  });

  test('single events have an unknown action', async () => {
    save('a', lines([...sample, event('6', 'waf', 'ponder', '1', '/')]));
    const result = await reviewed();
    expect(result).toMatchObject({ requests: 6, intake: { unknownActions: 1 } });
    expect(codes(result)).toContain('ACTION_UNKNOWN');
  });

  test('a log of a new rule counts as a log, unless a configuration says more', async () => {
    save('a', lines(sample));
    save('config', JSON.stringify(deploying()));
    expect(codes(await reviewed())).toContain('LOG_TAKEN_AS_LOG');
    expect(codes(await reviewed('--config', 'config'))).not.toContain('LOG_TAKEN_AS_LOG');
  });

  test('single events have no Ray ID', async () => {
    save('a', lines([...sample, ...without('RayID').slice(0, 2)]));
    const result = await reviewed();
    expect(result).toMatchObject({ requests: 5, intake: { events: 9, withoutRay: 2 } });
    expect(codes(result)).toContain('EVENTS_WITHOUT_RAY');
  });

  test('a gzip is cut off or damaged: what can be read of it counts', async () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      event(randomBytes(8).toString('hex'), 'waf', 'block', String(index % 7), '/'),
    );
    const packed = gzipSync(lines(many));
    for (const bytes of [packed.subarray(0, packed.length >> 1), packed.subarray(0, -4)]) {
      save('a', bytes);
      const result = await reviewed();
      expect(codes(result)).toContain('FILE_CUT');
      expect(result.requests).toBeGreaterThan(1000);
    }
    save('a', packed);
    expect(codes(await reviewed())).not.toContain('FILE_CUT');
  });

  test('events are of another zone, unless they are left out', async () => {
    const other = { ...event('9', 'waf', 'block', '1', '/'), ClientRequestHost: 'www.other.test' };
    save('a', lines([...sample, other]));
    expect(codes(await reviewed())).toContain('SEVERAL_DOMAINS');
    const result = await reviewed('--zone-name', 'Example.com');
    expect(result).toMatchObject({ requests: 5, intake: { events: 7 } });
    expect(codes(result)).not.toContain('SEVERAL_DOMAINS');
    expect((await reviewed('--zone-name', 'example.com.')).intake).toEqual(result.intake);
    expect(await refusal('--zone-name', 'nobody.test')).toBe(
      'there is no event of the host nobody.test',
    );
  });

  test('the data is sampled: no absence is concluded from it', async () => {
    const sampled = JSON.stringify(graphql(sample)).replaceAll(
      '"sampleInterval":1',
      '"sampleInterval":10',
    );
    save('a', sampled);
    const result = await reviewed();
    expect(result).toMatchObject({
      sampled: 7,
      undecidable: 2,
      classes: { sampled: 2, 'only-legacy': 0, 'only-new': 0 },
    });
    expect(codes(result)).toContain('EVENTS_SAMPLED');
  });

  test('a side of which all is undecidable is not silent', async () => {
    const apart = [
      event('1', 'firewallmanaged', 'log', 'a'.repeat(32), '/cart'),
      event('2', 'waf', 'block', '100001', '/login'),
    ];
    save('a', lines(apart.map((one) => ({ ...one, SampleInterval: 10 }))));
    const found = codes(await reviewed());
    expect(found).not.toContain('NO_LEGACY_EVENTS');
    expect(found).not.toContain('NO_NEW_EVENTS');
  });

  test('a line that is no event does not count as sampled', async () => {
    save('a', `${lines(sample)}{"SampleInterval":10}\n`);
    expect(await reviewed()).toMatchObject({ sampled: 0, intake: { unreadable: 1 } });
  });

  test('the configuration overrides a tag, and it is unknown which rules have it', async () => {
    const tag = { category: 'wordpress', action: 'log' };
    save('a', lines(sample));
    save('config', JSON.stringify(deploying({ categories: [tag] })));
    expect((await reviewed('--config', 'config')).findings).toContainEqual(
      expect.objectContaining({
        code: 'TAG_UNRESOLVED',
        severity: 'decision',
        subject: 'wordpress',
        remedy: expect.stringContaining('--zone'),
      }),
    );
  });
});

test.each<[unknown, string]>([
  [1_767_261_600, '2026-01-01T10'],
  ['1767261600000000000', '2026-01-01T10'],
  ['2026-01-01T10:00:00', '2026-01-01T10'],
  ['2026-01-01T10:00:00Z', '2026-01-01T10'],
  ['2026-01-01 10:00:00.123', '2026-01-01T10'],
  ['2026-01-01T10:00:00.123456Z', '2026-01-01T10'],
  ['2026-01-01 10:00:00+00', '2026-01-01T10'],
  ['2026-01-01T10:00:00+00:00', '2026-01-01T10'],
  ['2026-01-01 10:00:00.000 UTC', '2026-01-01T10'],
  ['2026-01-01T10:00:00+02:00', ''],
  ['2026-01-01 05:00:00-05', ''],
  ['2026-01-01 12:00:00.123+02', ''],
  ['2026-01-01T05:00:00-0500', ''],
  ['2026-01-01T05:00:00-05:00', ''],
  ['2026-01-01 05:00:00.000 America/New_York', ''],
  ['noon', ''],
])('the time %s is %j in UTC', async (Datetime, hour) => {
  save('a', lines([{ ...event('1', 'waf', 'block', '1', '/'), Datetime }]));
  const { timeline, intake, findings } = await reviewed();
  expect(timeline.map((one: any) => one.hour)).toEqual([hour]);
  const unknown = Datetime === 'noon' ? 1 : 0;
  expect(intake.unknownTimes).toBe(unknown);
  expect(codes({ findings }).includes('TIMES_UNKNOWN')).toBe(unknown === 1);
});
