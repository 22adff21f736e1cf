import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type JournalEntry, openJournal } from '../../src/apply/journal/journal';
import { PLAN_LOCK, withLock } from '../../src/apply/journal/lock';
import { failureOf } from '../support/client-under-test';
import { temporaryFolder } from '../support/temporary-folder';

it('the journal waits for the disk after each line', () => {
  const waits = jest.spyOn(fs, 'fsyncSync');
  try {
    const journal = openJournal(join(temporaryFolder(), 'journal'));
    const lines = [
      { event: 'begin', digest: 'a' },
      { event: 'start', step: '1' },
      { event: 'done', step: '1' },
    ] as const;
    for (const [at, line] of lines.entries()) {
      journal.append(line);
      expect(waits).toHaveBeenCalledTimes(at + 1);
    }
    expect(openJournal(journal.path).entries).toEqual(lines);
  } finally {
    waits.mockRestore();
  }
});

const begin = { event: 'begin', digest: 'a' } as const;
const start = { event: 'start', step: '1' } as const;
const again = (path: string): readonly JournalEntry[] => openJournal(path).entries;

/** Writes as a disk does that takes few bytes at once, and in all no more than it has room for. */
function onDisk({ room, atOnce }: { room: number; atOnce: number }, use: () => void): void {
  const write = fs.writeSync;
  let left = room;
  const disk = jest.spyOn(fs, 'writeSync').mockImplementation(((
    file: number,
    data: Buffer,
    at: number,
  ) => {
    if (left === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const written = write(file, data, at, Math.min(left, atOnce, data.length - at));
    left -= written;
    return written;
  }) as typeof fs.writeSync);
  try {
    use();
  } finally {
    disk.mockRestore();
  }
}

it('a line that the disk takes in part is no line: the run stops, and the next line is whole', () => {
  const journal = openJournal(join(temporaryFolder(), 'journal'));
  journal.append(begin);
  onDisk({ room: 9, atOnce: 9 }, () => {
    expect(() => {
      journal.append(start);
    }).toThrow(expect.objectContaining({ code: 'FILE_UNWRITABLE' }));
  });
  expect(again(journal.path)).toEqual([begin]);
  journal.append(start);
  expect([journal.entries, again(journal.path)]).toEqual([
    [begin, start],
    [begin, start],
  ]);
});

it('a line that the disk takes piece by piece is whole', () => {
  const journal = openJournal(join(temporaryFolder(), 'journal'));
  onDisk({ room: Infinity, atOnce: 5 }, () => {
    journal.append(begin);
  });
  expect(again(journal.path)).toEqual([begin]);
});

it('a journal that was deleted is not begun in the middle: the run stops before its next step', () => {
  const journal = openJournal(join(temporaryFolder(), 'journal'));
  journal.append(begin);
  fs.rmSync(journal.path);
  expect(() => {
    journal.append(start);
  }).toThrow(expect.objectContaining({ code: 'FILE_UNWRITABLE' }));
  expect([fs.existsSync(journal.path), journal.entries]).toEqual([false, [begin]]);
});

describe('a file in the place of a journal', () => {
  const refused = expect.objectContaining({ code: 'JOURNAL_INVALID' });

  it('is not followed where it is a link, whether or not it leads somewhere', () => {
    const folder = temporaryFolder();
    const [elsewhere, path] = [join(folder, 'elsewhere'), join(folder, 'journal')];
    fs.symlinkSync(elsewhere, path);
    expect(() => openJournal(path)).toThrow(refused);
    fs.writeFileSync(elsewhere, '');
    expect(() => openJournal(path)).toThrow(refused);
    expect(fs.readFileSync(elsewhere, 'utf8')).toBe('');
  });

  it('is not waited for where it is a pipe', () => {
    const path = join(temporaryFolder(), 'journal');
    execFileSync('mkfifo', [path]);
    // so that who reads it after all ends
    const writer = spawn('sh', ['-c', 'echo > "$1"', 'sh', path]);
    try {
      expect(() => openJournal(path)).toThrow(refused);
    } finally {
      writer.kill('SIGKILL');
    }
  });
});

/** No process has it: ids end at 2^22 on Linux. */
const DEAD = 2 ** 30;
const host = hostname();

/** A lock that another run left, or holds. */
function lockOf(holder: { pid: number; host: string } | string) {
  const path = join(temporaryFolder(), 'lock');
  writeFileSync(path, typeof holder === 'string' ? holder : JSON.stringify(holder));
  return { path, take: () => withLock(path, PLAN_LOCK, () => Promise.resolve('taken')) };
}

describe('a lock', () => {
  it('excludes a second run, and is gone after the first', async () => {
    const { path, take } = lockOf({ pid: DEAD, host });
    const inner = withLock(path, PLAN_LOCK, () => failureOf(take()));
    expect([(await inner).code, existsSync(path)]).toEqual(['APPLY_RUNNING', false]);
  });

  it('that a dead process of this host left is taken over', async () => {
    const { take, path } = lockOf({ pid: DEAD, host });
    expect([await take(), existsSync(path)]).toEqual(['taken', false]);
  });

  it.each([
    ['a process that runs', { pid: process.ppid, host }, `process ${process.ppid} on ${host} `],
    ['another host', { pid: DEAD, host: 'ci-7' }, `process ${DEAD} on ci-7 `],
    ['no process', '', 'another process '],
    ['no host', '{"pid":1}', 'another process '],
  ])('of %s is refused, and can be deleted as the hint says', async (_, holder, named) => {
    const { path, take } = lockOf(holder);
    const before = readFileSync(path, 'utf8');
    const { code, message, hint } = await failureOf(take());
    expect([code, readFileSync(path, 'utf8')]).toEqual(['APPLY_RUNNING', before]);
    expect(message).toMatch(new RegExp(`^${named}`));
    rmSync(/delete (.*)$/.exec(hint)?.[1] ?? '');
    expect(await take()).toBe('taken');
  });

  it('is not taken over while another run does so', async () => {
    const { path, take } = lockOf({ pid: DEAD, host });
    writeFileSync(`${path}.takeover`, '');
    const { hint } = await failureOf(take());
    expect(hint).toContain(`delete ${path}.takeover`);
    expect([existsSync(path), existsSync(`${path}.takeover`)]).toEqual([true, true]);
  });
});
