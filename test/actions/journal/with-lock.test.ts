import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGone, type LockHolder, ownHolder } from '../../../src/actions/journal/lock-holder';
import { withLock } from '../../../src/actions/journal/with-lock';
import { failureOf } from '../../support/client-under-test';
import { temporaryFolder } from '../../support/temporary-folder';

jest.mock('../../../src/actions/journal/lock-holder', () => {
  const real = jest.requireActual<{ isGone: typeof isGone }>(
    '../../../src/actions/journal/lock-holder',
  );
  return { ...real, isGone: jest.fn(real.isGone) };
});

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

  it('is of a process that is gone where the machine was started again since, whoever has the id now', () => {
    const own = { ...ownHolder(), machine: 'm', boot: 'a' };
    expect(isGone({ ...own, boot: 'b' }, own)).toBe(true);
  });

  it.each([
    ['has another id', 'm', 'n'],
    ['does not tell its id', 'm', undefined],
    ['and this one do not tell theirs', undefined, undefined],
  ])(
    'is not known to be left where a machine of the same name %s, and was started at another time',
    (_, own, other) => {
      const { pid, host } = ownHolder();
      const holderOf = (id: string | undefined, boot: string) => ({
        ...{ pid, host, boot },
        ...(id !== undefined && { machine: id }),
      });
      expect(isGone({ ...holderOf(other, 'b'), pid: DEAD }, holderOf(own, 'a'))).toBe(false);
    },
  );

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

  it('says since when, and whether it is to be looked for in another container of that name', async () => {
    const saidOf = async (other: Partial<LockHolder>) => {
      const { path, take } = lockOf({ pid: DEAD, ...other });
      utimesSync(path, 0, Date.UTC(2026, 0, 2) / 1000);
      return failureOf(take());
    };
    const since = '(since 2026-01-02T00:00:00.000Z)';
    const { host } = ownHolder();
    expect([
      await saidOf({ host: 'ci-7' }).then(({ message }) => message),
      await saidOf({ namespace: 'pid:[1]' }).then(({ message }) => message),
    ]).toEqual([
      expect.stringContaining(`process ${DEAD} of ci-7 ${since}`),
      expect.stringContaining(`process ${DEAD} of ${host}, in another container, ${since}`),
    ]);
  });

  it('can be deleted as the hint says, and the next run takes it', async () => {
    const { path, take } = lockOf({ host: 'ci-7' });
    const { hint } = await failureOf(take());
    rmSync(/delete (.*)$/.exec(hint)?.[1] ?? '');
    expect([await take(), existsSync(path)]).toEqual(['taken', false]);
  });

  it.each(['', '12', '{"pid":1}'])(
    'is not taken over where it does not tell whose it is: "%s"',
    async (text) => {
      await expect(lockOf(text).take()).rejects.toMatchObject({ code: 'APPLY_RUNNING' });
    },
  );

  it('is not taken over where another run took it over a moment ago', async () => {
    const { path, take } = lockOf({ pid: DEAD });
    const winner = JSON.stringify({ ...ownHolder(), pid: process.ppid, started: undefined });
    jest.mocked(isGone).mockImplementationOnce(() => {
      writeFileSync(path, winner);
      return true;
    });
    await expect(take()).rejects.toMatchObject({ code: 'APPLY_RUNNING' });
    expect([readFileSync(path, 'utf8'), existsSync(`${path}.turn`)]).toEqual([winner, false]);
  });

  it('is not taken over while another run does so', async () => {
    const { path, take } = lockOf({ pid: DEAD });
    writeFileSync(`${path}.turn`, '');
    await expect(take()).rejects.toMatchObject({
      code: 'APPLY_RUNNING',
      message: expect.stringContaining('another run, which takes it over,'),
    });
    expect([existsSync(path), existsSync(`${path}.turn`)]).toEqual([true, true]);
  });

  it('is taken over where a run that was about to is gone as well', async () => {
    const { path, take } = lockOf({ pid: DEAD });
    writeFileSync(`${path}.turn`, JSON.stringify({ ...ownHolder(), pid: DEAD }));
    expect([await take(), existsSync(path), existsSync(`${path}.turn`)]).toEqual([
      'taken',
      false,
      false,
    ]);
  });
});
