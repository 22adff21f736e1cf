import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { PLAN_LOCK, withLock } from '../../../src/apply/journal/lock';
import { failureOf } from '../../support/client-under-test';
import { temporaryFolder } from '../../support/temporary-folder';

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
