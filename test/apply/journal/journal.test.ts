import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { type JournalEntry, openJournal, readJournal } from '../../../src/apply/journal/journal';
import { temporaryFolder } from '../../support/temporary-folder';

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
  }).toThrow(
    expect.objectContaining({
      code: 'JOURNAL_INVALID',
      message: expect.stringContaining('was deleted while'),
      hint: expect.stringContaining('plan again'),
    }),
  );
  expect([fs.existsSync(journal.path), journal.entries]).toEqual([false, [begin]]);
});

describe('what somebody has put in the place of a journal', () => {
  const refused = expect.objectContaining({ code: 'JOURNAL_INVALID' });

  it('is not followed where it is a link, whether or not it leads somewhere', () => {
    const folder = temporaryFolder();
    const [elsewhere, path] = [join(folder, 'elsewhere'), join(folder, 'journal')];
    fs.symlinkSync(elsewhere, path);
    for (const open of [openJournal, readJournal]) expect(() => open(path)).toThrow(refused);
    fs.writeFileSync(elsewhere, '');
    for (const open of [openJournal, readJournal]) expect(() => open(path)).toThrow(refused);
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
