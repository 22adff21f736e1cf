import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lastBackup, writeBackup } from '../../src/files/backups';
import { temporaryFolder } from '../support/temporary-folder';

const write = (folder: string, document: string): string =>
  basename(writeBackup(folder, 'zone', document));

test('the last backup is the latest, also if earlier ones were deleted', () => {
  const folder = join(temporaryFolder(), 'backup');
  expect(lastBackup(folder, 'zone')).toBeUndefined();
  expect(['a', 'b', 'c'].map((one) => write(folder, one))).toEqual([
    ...['zone.json', 'zone-2.json', 'zone-3.json'],
  ]);
  rmSync(join(folder, 'zone.json'));
  for (const other of ['zone-9.json.part', 'zone-x.json', 'zone-two-7.json']) {
    writeFileSync(join(folder, other), '');
  }
  expect(basename(lastBackup(folder, 'zone') ?? '')).toBe('zone-3.json');
  expect(['c', 'd'].map((one) => write(folder, one))).toEqual(['zone-3.json', 'zone-4.json']);
  expect(readFileSync(lastBackup(folder, 'zone') ?? '', 'utf8')).toBe('"d"\n');
});

test('fails if the folder is a file', () => {
  const folder = join(temporaryFolder(), 'backup');
  writeFileSync(folder, '');
  expect(lastBackup(folder, 'zone')).toBeUndefined();
  expect(() => write(folder, 'a')).toThrow(expect.objectContaining({ code: 'FILE_UNWRITABLE' }));
});
