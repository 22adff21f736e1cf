import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openDuckDb } from '../../src/review/query/duckdb';
import { errorOf, jsonOf } from '../support/cli-over';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { event, graphql, lines, sample } from './support/event-files';
import { type RawEvent } from './support/reference';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const save = (name: string, content: string | Buffer): void => {
  writeFileSync(join(folder, name), content);
};
const review = (...args: string[]) => runCli(['review', '--json', ...args], { cwd: folder });
const reviewed = async (...args: string[]) => jsonOf(await review('--events', 'a', ...args));
const codes = (result: any): string[] => result.findings.map(({ code }: any) => code);
const refused = async (...args: string[]): Promise<[number, string, string]> => {
  const run = await review('--events', 'a', ...args);
  const { code, message } = errorOf(run);
  return [run.code, code, message];
};
const without = (name: string): RawEvent[] =>
  sample.map((one) => Object.fromEntries(Object.entries(one).filter(([key]) => key !== name)));

test('lines that are no event are counted', async () => {
  save('a', `nonsense {\n${lines(sample)}[1]\n\n{"RayID":"9"\n5\n{}\n\u001b[31mred\n`);
  const result = await reviewed();
  expect(result).toMatchObject({ requests: 5, intake: { events: 7, unreadable: 6 } });
  expect(codes(result)).toContain('UNREADABLE_LINES');
});

test('the text says what it stands on, before and after the numbers', async () => {
  save('a', `nonsense\n${lines(sample)}`);
  const { stdout } = await runCli(['review', '--events', 'a'], { cwd: folder });
  expect(stdout).toMatch(/^Stands on 7 events of 5 requests, in 1 file\./);
  expect(stdout).toContain('1 line of 8 are not events and are not counted');
});

test('bytes that are no text are such lines as well', async () => {
  save(
    'a',
    Buffer.concat([
      Buffer.from(lines(sample)),
      Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
      randomBytes(40),
      Buffer.from('\n'),
    ]),
  );
  const { intake, requests } = await reviewed();
  expect(requests).toBe(5);
  expect(intake.events).toBe(7);
  expect(intake.unreadable).toBeGreaterThan(0);
});

test('a file without any event', async () => {
  save('a', 'one\ntwo\n');
  expect(await refused()).toEqual([1, 'EVENTS_INVALID', 'there is no event in 2 lines']);
});

test('a field that no event has', async () => {
  save('a', lines(without('RayID')));
  expect(await refused()).toEqual([1, 'EVENTS_INVALID', 'none of 7 events has a RayID']);
  save('a', lines(without('Action')));
  expect((await refused())[2]).toBe('none of 7 events has an Action that is known');
  save('a', lines(without('Source')));
  expect(codes(await reviewed())).toEqual(expect.arrayContaining(['NO_OLD_EVENTS']));
});

test.each([
  'RuleID',
  'ClientIP',
  'ClientRequestHost',
  'ClientRequestMethod',
  'ClientRequestPath',
  'ClientRequestQuery',
  'Datetime',
])('no event has the field %s, which is said of that field alone', async (field) => {
  const missing = async (): Promise<string[]> =>
    (await reviewed()).findings
      .filter(({ code }: any) => code === 'FIELD_MISSING')
      .map(({ subject }: any) => subject);
  save('a', lines(without(field)));
  expect(await missing()).toEqual([field]);
  save('a', lines([...without(field), ...sample.slice(0, 1)]));
  expect(await missing()).toEqual([]);
});

test('single events without a Ray ID', async () => {
  save('a', lines([...sample, ...without('RayID').slice(0, 2)]));
  const result = await reviewed();
  expect(result).toMatchObject({ requests: 5, intake: { events: 9, withoutRay: 2 } });
  expect(codes(result)).toContain('EVENTS_WITHOUT_RAY');
});

test('times in several formats are understood, and unknown ones are reported', async () => {
  const times = [
    '2026-01-01T10:00:00Z',
    1_767_261_600,
    '1767261600000000000',
    'noon',
    '2026-01-01T10:00:00+02:00',
  ];
  save(
    'a',
    lines(
      times.map((Datetime, index) => ({
        ...event(String(index), 'waf', 'block', '1', '/'),
        Datetime,
      })),
    ),
  );
  const result = await reviewed();
  expect(codes(result)).toEqual(expect.arrayContaining(['TIMES_UNKNOWN']));
  expect(result.intake.unknownTimes).toBe(1);
  expect(result.timeline).toEqual([
    { hour: '', outcomes: { 'only-old': 2 } },
    { hour: '2026-01-01T10', outcomes: { 'only-old': 3 } },
  ]);
});

test.each([
  ['2026-01-01T10:00:00', '2026-01-01T10'],
  ['2026-01-01 10:00:00.123', '2026-01-01T10'],
  ['2026-01-01T10:00:00.123456Z', '2026-01-01T10'],
  ['2026-01-01 10:00:00+00', '2026-01-01T10'],
  ['2026-01-01T10:00:00+00:00', '2026-01-01T10'],
  ['2026-01-01 10:00:00.000 UTC', '2026-01-01T10'],
  ['2026-01-01 05:00:00-05', ''],
  ['2026-01-01 12:00:00.123+02', ''],
  ['2026-01-01T05:00:00-0500', ''],
  ['2026-01-01T05:00:00-05:00', ''],
  ['2026-01-01 05:00:00.000 America/New_York', ''],
])('no other time is shown as UTC: %s', async (Datetime, hour) => {
  save('a', lines([{ ...event('1', 'waf', 'block', '1', '/'), Datetime }]));
  expect((await reviewed()).timeline.map((one: any) => one.hour)).toEqual([hour]);
});

test('events of another zone are left out', async () => {
  const other = { ...event('9', 'waf', 'block', '1', '/'), ClientRequestHost: 'www.other.test' };
  save('a', lines([...sample, other]));
  expect(codes(await reviewed())).toContain('SEVERAL_DOMAINS');
  const result = await reviewed('--zone-name', 'Example.com');
  expect(result).toMatchObject({ requests: 5, intake: { events: 7 } });
  expect(codes(result)).not.toContain('SEVERAL_DOMAINS');
  expect((await reviewed('--zone-name', 'example.com.')).intake).toEqual(result.intake);
  expect(await refused('--zone-name', 'nobody.test')).toEqual([
    1,
    'EVENTS_INVALID',
    'there is no event of the host nobody.test',
  ]);
});

test('an empty file', async () => {
  save('a', '');
  expect((await refused())[2]).toBe('the files of events are empty');
  save('b', lines(sample));
  const result = jsonOf(await review('--events', 'a', 'b'));
  expect(result.requests).toBe(5);
});

test('nothing at that name', async () => {
  expect((await refused()).slice(0, 2)).toEqual([1, 'EVENTS_MISSING']);
  expect(errorOf(await review('--events', '*.log')).code).toBe('EVENTS_MISSING');
});

test('a gzip that is cut off, or damaged: what can be read counts, and the finding says it', async () => {
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

test('a file that is compressed with zstd is refused, with the command that decompresses it', async () => {
  save('a', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]));
  const { stderr } = await runCli(['review', '--events', 'a'], { cwd: folder });
  expect(stderr).toMatch(/a is compressed with zstd, which is not supported \(EVENTS_INVALID\)/);
  expect(stderr).toMatch(/^ *zstd -d FILE$/m);
});

describe('Parquet', () => {
  const write = async (query: string): Promise<void> => {
    const engine = await openDuckDb({ folder });
    await engine.run(`COPY (${query}) TO '${join(folder, 'a')}' (FORMAT parquet)`);
    engine.close();
  };

  test('without a column that is needed', async () => {
    await write(`SELECT 'r' AS RayID, 'waf' AS Source`);
    expect((await refused())[2]).toBe('none of 1 events has an Action that is known');
  });

  test('that is damaged', async () => {
    save('a', 'PAR1nonsense');
    expect((await refused())[2]).toBe('the events cannot be read');
  });
});

test('a refusal of the GraphQL interface, and documents of something else', async () => {
  save('a', JSON.stringify({ data: null, errors: [{ message: 'zone not found' }] }));
  expect((await refused())[2]).toMatch(/is a refusal of the service: zone not found$/);
  save('a', JSON.stringify({ errors: [], result: sample }, null, 2));
  expect((await refused())[2]).toMatch(
    /it has no data\.viewer\.zones\[\]\.firewallEventsAdaptive$/,
  );
  save('a', JSON.stringify({ data: { viewer: {} } }));
  expect((await refused())[2]).toMatch(/has no firewallEventsAdaptive$/);
  save('a', JSON.stringify(graphql(sample), null, 2).slice(0, 500));
  expect((await refused())[2]).toMatch(/is not one JSON document of at most 256 MiB$/);
  save('a', '[{"hello": 1}]');
  expect((await refused())[2]).toMatch(/holds no security events$/);
});

test('a side of which all is undecidable is not said to have no event', async () => {
  const apart = [
    event('1', 'firewallmanaged', 'log', 'a'.repeat(32), '/cart'),
    event('2', 'waf', 'block', '100001', '/login'),
  ];
  save('a', lines(apart.map((one) => ({ ...one, SampleInterval: 10 }))));
  const found = codes(await reviewed());
  expect(found).toContain('EVENTS_SAMPLED');
  expect(found).not.toContain('NO_OLD_EVENTS');
  expect(found).not.toContain('NO_NEW_EVENTS');
});

test('sampled data is named, and no absence is taken from it', async () => {
  save(
    'a',
    JSON.stringify(graphql(sample)).replaceAll('"sampleInterval":1', '"sampleInterval":10'),
  );
  const result = await reviewed();
  expect(result).toMatchObject({
    sampled: 7,
    undecidable: 2,
    classes: { sampled: 2, 'only-old': 0, 'only-new': 0 },
  });
  expect(codes(result)).toContain('EVENTS_SAMPLED');
});

test('a gzip of one huge document is refused without unpacking it all', async () => {
  const blank = Buffer.alloc(16 * 1024 * 1024, ' ');
  const members = Array.from({ length: 20 }, () => gzipSync(blank));
  save('a', Buffer.concat([gzipSync('[\n'), ...members]));
  const before = process.memoryUsage().rss;
  const [exitCode, code, message] = await refused();
  expect([exitCode, code]).toEqual([1, 'EVENTS_INVALID']);
  expect(message).toMatch(/is not one JSON document of at most 256 MiB$/);
  expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 * 1024);
});

test('a line that is longer than the engine reads', async () => {
  save('a', gzipSync(`${lines(sample)}${'x'.repeat(40 * 1024 * 1024)}\n`));
  const [exitCode, code, message] = await refused();
  expect([exitCode, code]).toEqual([1, 'EVENTS_INVALID']);
  expect(message).toBe('a line of the events is longer than 16 MiB');
});

test('a line that is no event does not count as sampled', async () => {
  save('a', `${lines(sample)}{"SampleInterval":10}\n`);
  expect(await reviewed()).toMatchObject({ sampled: 0, intake: { unreadable: 1, sampled: 0 } });
});
