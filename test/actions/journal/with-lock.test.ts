import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockHolder, ownHolder } from '../../../src/actions/journal/lock-holder';
import { withLock } from '../../../src/actions/journal/with-lock';
import { temporaryFolder } from '../../support/temporary-folder';

/** No process has it: ids end at 2^22 on Linux. */
const DEAD = 2 ** 30;

/** A lock that another run left, or holds. */
function lockOf(other: Partial<LockHolder> | string) {
  const path = join(temporaryFolder(), 'lock');
  const text = typeof other === 'string' ? other : JSON.stringify({ ...ownHolder(), ...other });
  writeFileSync(path, text);
  const take = () => withLock(path, () => Promise.resolve('taken'));
  return { path, take };
}

describe('a lock that is there', () => {
  it('is taken over where its process is gone from this machine', async () => {
    const { take, path } = lockOf({ pid: DEAD });
    expect([await take(), existsSync(path)]).toEqual(['taken', false]);
  });

  it('is taken over where another process has got the id since', async () => {
    expect(await lockOf({ pid: process.ppid, started: '1' }).take()).toBe('taken');
  });

  it('is taken over where the machine was started again since, whoever has the id now', async () => {
    expect(await lockOf({ boot: 'b' }).take()).toBe('taken');
  });

  it.each<[string, Partial<LockHolder>]>([
    ['another host', { host: 'ci-7' }],
    ['another container', { namespace: 'pid:[1]' }],
    ['a container of another machine', { boot: 'b', namespace: 'pid:[1]' }],
  ])('is not taken over from %s, where the id of its process says nothing', async (_, other) => {
    for (const pid of [DEAD, process.pid]) {
      const { take, path } = lockOf({ ...other, pid });
      await expect(take()).rejects.toMatchObject({
        code: 'APPLY_RUNNING',
        message: expect.stringContaining(`process ${pid} of ${other.host ?? ownHolder().host}`),
        hint: expect.stringContaining(`delete ${path}`),
      });
      expect(existsSync(path)).toBe(true);
    }
  });

  it.each(['', '12', '{"pid":1}'])(
    'is not taken over where it does not tell whose it is: "%s"',
    async (text) => {
      await expect(lockOf(text).take()).rejects.toMatchObject({ code: 'APPLY_RUNNING' });
    },
  );
});
