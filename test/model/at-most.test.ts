import { atMost } from '../../src/model/at-most';

/** Tasks that end when they are told to, and which of them have begun. */
function tasks() {
  const begun: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const task = (at: number) => () =>
    new Promise<number>((resolve, reject) => {
      begun.push(at);
      ends[at] = (error) => {
        if (error === undefined) resolve(at);
        else reject(error);
      };
    });
  return { begun, ends, task };
}

describe('tasks of which so many run at a time', () => {
  it('begin at once as far as it is their turn, the others in order', async () => {
    const { begun, ends, task } = tasks();
    const inTurn = atMost(2);
    const results = [0, 1, 2, 3].map((at) => inTurn(task(at)));
    expect(begun).toEqual([0, 1]);
    ends[1]!();
    expect(await results[1]).toBe(1);
    expect(begun).toEqual([0, 1, 2]);
    ends[0]!();
    await results[0];
    expect(begun).toEqual([0, 1, 2, 3]);
    for (const end of ends) end();
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
  });

  it('give their turn away when they fail', async () => {
    const { begun, ends, task } = tasks();
    const inTurn = atMost(1);
    const [failing, next] = [inTurn(task(0)), inTurn(task(1))];
    ends[0]!(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    expect(begun).toEqual([0, 1]);
    ends[1]!();
    await next;
    // nobody waits by now
    void inTurn(task(2));
    void inTurn(task(3));
    expect(begun).toEqual([0, 1, 2]);
  });
});
