import { readFileSync, writeFileSync } from 'node:fs';
import { copyFile, link, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { linkFile } from '../../src/review/read/link-file';
import { pathPattern } from '../../src/review/read/path-pattern';
import { temporaryFolder } from '../support/temporary-folder';

describe('a pattern of paths', () => {
  it.each([
    [
      'C:\\logs\\*.json',
      'C:\\logs',
      ['C:\\logs\\a.json', 'c:\\Logs\\A.JSON'],
      ['C:\\logs\\b\\a.json'],
    ],
    ['C:\\*\\a.json', 'C:\\', ['C:\\logs\\a.json'], ['C:\\logs\\b\\a.json']],
    [
      'C:\\logs\\**\\a?.json',
      'C:\\logs',
      ['C:\\logs\\a1.json', 'C:\\logs\\b\\c\\a2.json'],
      ['C:\\logs\\a.json'],
    ],
  ])('on Windows: %s', (pattern, root, inside, outside) => {
    const read = pathPattern(pattern, '\\');
    expect(read.root).toBe(root);
    expect(inside.map((path) => read.matches(path))).toEqual(inside.map(() => true));
    expect(outside.map((path) => read.matches(path))).toEqual(outside.map(() => false));
  });

  it('elsewhere tells letters apart, and takes a backslash for a part of a name', () => {
    const { root, matches } = pathPattern('/logs/a\\*.json', '/');
    expect(root).toBe('/logs');
    expect(['/logs/a\\1.json', '/logs/A\\1.json', '/logs/a/1.json'].map(matches)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('a file at another path', () => {
  const refused = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

  it.each([
    ['a link', { symlink, link: refused('EXDEV'), copyFile: refused('EIO') }],
    [
      'a hard link where links are not allowed',
      { symlink: refused('EPERM'), link, copyFile: refused('EIO') },
    ],
    ['a copy on another volume', { symlink: refused('EPERM'), link: refused('EXDEV'), copyFile }],
  ])('is %s', async (_, on) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'events'), '{}');
    await linkFile(join(folder, 'events'), join(folder, 'staged'), on);
    expect(readFileSync(join(folder, 'staged'), 'utf8')).toBe('{}');
  });

  it('is not there where the disk fails otherwise', async () => {
    const on = { symlink: refused('ENOSPC'), link, copyFile };
    await expect(linkFile('/a', '/b', on)).rejects.toThrow('ENOSPC');
  });
});
