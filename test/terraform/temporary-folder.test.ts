import fs, { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { withTemporaryFolder } from '../../src/terraform/temporary-folder';
import { temporaryFolder } from '../support/temporary-folder';

afterEach(() => {
  jest.restoreAllMocks();
});

it('is for its owner alone, and gone afterwards; until then the tool does not end', async () => {
  const held: Promise<unknown>[] = [];
  let isGone = false;
  const hold = (gone: Promise<unknown>): void => {
    held.push(gone.then(() => void (isGone = true)));
  };
  const folder = await withTemporaryFolder('cf-waf-migrate-test-', { hold }, async (made) => {
    writeFileSync(join(made, 'state'), '');
    expect(statSync(made).mode & 0o777).toBe(0o700);
    await new Promise((resolve) => setImmediate(resolve));
    expect([held.length, isGone]).toEqual([1, false]);
    return made;
  });
  await Promise.all(held);
  expect(existsSync(folder)).toBe(false);
});

it('is gone after a failure, too', async () => {
  const parent = temporaryFolder();
  mkdirSync(join(parent, 'tmp'));
  jest.spyOn(os, 'tmpdir').mockReturnValue(join(parent, 'tmp'));
  let folder = '';
  const held: Promise<unknown>[] = [];
  const failing = withTemporaryFolder('x-', { hold: (gone) => held.push(gone) }, (made) => {
    folder = made;
    return Promise.reject(new Error('fails'));
  });
  await expect(failing).rejects.toThrow('fails');
  await Promise.all(held);
  expect([folder.startsWith(parent), existsSync(folder)]).toEqual([true, false]);
});

it('is named where it cannot be removed, as on a busy disk, and the tool may end', async () => {
  const busy = jest.spyOn(fs, 'rmSync').mockImplementation(() => {
    throw Object.assign(new Error('busy'), { code: 'EBUSY' });
  });
  const held: Promise<unknown>[] = [];
  const hold = (gone: Promise<unknown>) => void held.push(gone);
  let folder = '';
  const failing = withTemporaryFolder('cf-waf-migrate-test-', { hold }, (made) => {
    folder = made;
    return Promise.resolve();
  });
  await expect(failing).rejects.toMatchObject({
    code: 'FILE_UNWRITABLE',
    message: expect.stringMatching(
      /cannot remove .*cf-waf-migrate-test-.*, which may contain the state/,
    ),
    hint: expect.stringContaining('delete it, then run'),
  });
  await Promise.all(held);
  busy.mockRestore();
  fs.rmdirSync(folder);
});

it('says what to set where there is no folder for such ones', async () => {
  const missing = join(temporaryFolder(), 'missing');
  jest.spyOn(os, 'tmpdir').mockReturnValue(missing);
  const failing = withTemporaryFolder('x-', {}, () => Promise.resolve());
  await expect(failing).rejects.toMatchObject({
    code: 'FILE_UNWRITABLE',
    message: expect.stringContaining('missing'),
    hint: expect.stringContaining('TMPDIR'),
  });
});
