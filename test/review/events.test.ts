import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { errorOf, jsonOf } from '../support/cli-lab';
import { runCli } from '../support/run-cli';
import { spawnCli } from '../support/spawn-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { event, lines, sample } from './support/event-files';
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

  test('from standard input, several files, a folder, a pattern, each once', async () => {
    await expectSample(['-'], lines(sample));
    save('logs/one.log', lines(sample.slice(0, 2)));
    save('logs/deep/two.log.gz', gzipSync(lines(sample.slice(2, 5))));
    save('logs/deep/three.json', lines(sample.slice(5)));
    save('logs/.hidden', 'nothing');
    await expectSample(['logs']);
    await expectSample(['logs', 'logs/one.log', 'logs/**/*.json']);
    await expectSample(['logs/*.log', 'logs/**/t*']);
    expect(jsonOf(await review(['logs', 'logs/one.log'])).intake.files).toBe(3);
  });

  test('that links in a folder point to, each once', async () => {
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

  test('from more files than the process may open', async () => {
    const packed = gzipSync(lines(sample));
    for (let count = 0; count < 150; count += 1) save(`logs/${count}.log.gz`, packed);
    const through = 'ulimit -n 100; exec "$@"';
    const run = await spawnCli(['review', '--json', '--events', 'logs'], { cwd: folder, through });
    expect([run.code, run.stderr]).toEqual([2, '']);
    expect(JSON.parse(run.stdout)).toMatchObject({ requests: 5, intake: { files: 150 } });
  });

  test('under any name, which cannot change the query', async () => {
    const hostile = ["it's.log", "'); DROP TABLE events; --", 'a\nb', '日本'];
    for (const name of hostile) {
      save(name, lines(sample));
      await expectSample([name]);
    }
    symlinkSync(join(folder, '日本'), join(folder, 'link'));
    await expectSample(['link']);
  });
});

describe('files without events are refused', () => {
  const packed = gzipSync(lines(sample));
  test.each<[string, string | Buffer, string]>([
    ['lines of something else', 'one\ntwo\n', 'there is no event in 2 lines'],
    ['no Ray IDs', lines(without('RayID')), 'none of 7 events has a RayID'],
    ['no actions', lines(without('Action')), 'none of 7 events has an Action that is known'],
    ['nothing', '', 'the files of events are empty'],
    ['no rules', lines(without('RuleID')), 'no event of a rule that acted has a RuleID'],
    ['a JSON array', JSON.stringify(sample), 'there is no event in 1 line'],
    ['a JSON document', JSON.stringify({ events: sample }, null, 2), 'the events cannot be read'],
    ['a GraphQL answer', JSON.stringify({ data: sample }), 'there is no event in 1 line'],
    ['Parquet', 'PAR1 and more', 'there is no event in 1 line'],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]), 'there is no event in 1 line'],
    ['a gzip that is cut off', packed.subarray(0, packed.length >> 1), 'a is truncated or damaged'],
    ['a gzip that is cut in its end', packed.subarray(0, -4), 'a is truncated or damaged'],
    [
      'a line that is longer than DuckDB reads',
      gzipSync(`${lines(sample)}${'x'.repeat(40 * 1024 * 1024)}\n`),
      'a line of the events is longer than 16 MiB',
    ],
  ])('%s', async (_, content, message) => {
    save('a', content);
    expect(await refusal()).toBe(message);
  });

  test('a name that is a pattern for DuckDB', async () => {
    save('[a-z]?.log', lines(sample));
    const run = await review(['[a-z]?.log']);
    expect(errorOf(run)).toMatchObject({
      code: 'EVENTS_INVALID',
      message: expect.stringContaining('[a-z]?.log is a pattern for DuckDB'),
    });
  });

  test('a pipe, which would lose its first event', async () => {
    execFileSync('mkfifo', [join(folder, 'a')]);
    expect(await refusal()).toBe('a is not a file');
  });

  test.each(['a', '*.log'])('nothing at the name %s', async (name) => {
    expect(errorOf(await review([name])).code).toBe('EVENTS_MISSING');
  });
});

describe('a problem with the events is a finding', () => {
  const apart = [
    event('1', 'firewallmanaged', 'log', 'a'.repeat(32), '/cart'),
    event('2', 'waf', 'block', '100001', '/login'),
  ];
  const sampled = (events: readonly RawEvent[]) =>
    lines(events.map((one) => ({ ...one, SampleInterval: 10 })));
  const odd = `nonsense {\n${lines(sample)}[1]\n\n{"RayID":"9"\n5\n{}\n\u001b[31mred\n`;
  const noRay = lines([...sample, ...without('RayID').slice(0, 2)]);

  test.each<[string, string, object, string]>([
    ['lines without an event', odd, { intake: { events: 7, unreadable: 6 } }, 'UNREADABLE_LINES'],
    ['no event with a source', lines(without('Source')), {}, 'NO_LEGACY_EVENTS'],
    [
      'an unknown action',
      lines([...sample, event('6', 'waf', 'ponder', '1', '/')]),
      { requests: 6, intake: { unknownActions: 1 } },
      'ACTION_UNKNOWN',
    ],
    ['a missing Ray ID', noRay, { intake: { events: 9, withoutRay: 2 } }, 'EVENTS_WITHOUT_RAY'],
    [
      'sampled data, where an absence proves nothing',
      sampled(sample),
      { sampled: 7, undecidable: 2, classes: { sampled: 2, 'only-legacy': 0, 'only-new': 0 } },
      'EVENTS_SAMPLED',
    ],
  ])('%s', async (_, text, expected, code) => {
    save('a', text);
    const result = await reviewed();
    expect(result).toMatchObject({ requests: 5, ...expected });
    expect(codes(result)).toContain(code);
  });

  test('an empty file is ignored beside others', async () => {
    save('a', '');
    save('b', lines(sample));
    expect((await reviewed('b')).requests).toBe(5);
  });

  test('bytes that are not text count as lines without an event', async () => {
    const binary = [Buffer.from([0xff, 0xfe, 0x00, 0x0a]), randomBytes(40), Buffer.from('\n')];
    save('a', Buffer.concat([Buffer.from(lines(sample)), ...binary]));
    const { intake, requests } = await reviewed();
    expect([requests, intake.events]).toEqual([5, 7]);
    expect(intake.unreadable).toBeGreaterThan(0);
    const { stdout } = await runCli(['review', '--events', 'a'], { cwd: folder });
    expect(stdout).toContain('without an event: not counted');
  });

  test('a log of a new rule counts as a log without a configuration', async () => {
    save('a', lines(sample));
    save('config', JSON.stringify(deploying()));
    expect(codes(await reviewed())).toContain('LOG_TAKEN_AS_LOG');
    expect(codes(await reviewed('--config', 'config'))).not.toContain('LOG_TAKEN_AS_LOG');
  });

  test('a WAF that only logs what the other one blocks is not silent', async () => {
    const [byNew, byLegacy] = [
      event('1', 'firewallmanaged', 'log', 'a'.repeat(32), '/'),
      event('1', 'waf', 'block', '100001', '/'),
    ];
    save('a', lines([byNew, byLegacy]));
    const result = await reviewed();
    expect(codes(result)).toEqual(['LOG_TAKEN_AS_LOG']);
    expect(result).toMatchObject({
      classes: { 'only-legacy': 1, laxer: 0 },
      impact: { 'no-longer-blocked': { requests: 1, rules: 1 } },
    });
    save(
      'a',
      lines([
        { ...byNew, Action: 'block' },
        { ...byLegacy, Action: 'simulate' },
      ]),
    );
    const other = await reviewed();
    expect(codes(other)).toEqual([]);
    expect(other.impact['newly-blocked']).toEqual({ requests: 1, rules: 1 });
  });

  test('a side with only undecidable requests is not silent', async () => {
    save('a', sampled(apart));
    expect(codes(await reviewed()).filter((code) => code.startsWith('NO_'))).toEqual([]);
  });

  test('a line without an event does not count as sampled', async () => {
    save('a', `${lines(sample)}{"SampleInterval":10}\n`);
    expect(await reviewed()).toMatchObject({ sampled: 0, intake: { unreadable: 1 } });
  });

  const byTag = (more: object) => ({ categories: [{ category: 'wordpress', ...more }] });
  test.each([
    ['sets the action of a tag', byTag({ action: 'log' })],
    ['switches on only a tag', { enabled: false, ...byTag({ enabled: true }) }],
  ])('the configuration %s, and it is unknown which rules have it', async (_, overrides) => {
    save('a', lines(sample));
    save('config', JSON.stringify(deploying(overrides)));
    const finding = { code: 'TAG_UNRESOLVED', severity: 'decision', subject: 'wordpress' };
    expect((await reviewed('--config', 'config')).findings).toContainEqual(
      expect.objectContaining({ ...finding, remedy: expect.stringContaining('--zone') }),
    );
  });
});

test.each<[unknown, string]>([
  [1_767_261_600, '2026-01-01T10:00:00'],
  ['1767261600000000000', '2026-01-01T10:00:00'],
  ['2026-01-01T10:00:00', '2026-01-01T10:00:00'],
  ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00'],
  ['2026-01-01 10:00:00.123', '2026-01-01T10:00:00'],
  ['2026-01-01 10:00:00+00', '2026-01-01T10:00:00'],
  ['2026-01-01 10:00:00.000 UTC', '2026-01-01T10:00:00'],
  ['2026-01-01T10:00:00+02:00', '2026-01-01T08:00:00'],
  ['2026-01-01 05:00:00.000 America/New_York', ''],
  [17_672, ''],
  ['noon', ''],
])('the time %s is %j in UTC', async (Datetime, time) => {
  save('a', lines([{ ...event('1', 'waf', 'block', '1', '/'), Datetime }]));
  const { rules } = await reviewed();
  expect([rules[0].firstSeen, rules[0].samples[0].time]).toEqual([time, time]);
});
