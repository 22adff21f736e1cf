import { mapConcurrently } from '../../src/core/lists';

describe('mapConcurrently', () => {
  it('keeps the order of items', async () => {
    let [running, most] = [0, 0];
    const doubled = await mapConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return 2 * item;
    });
    expect([doubled, most]).toEqual([[2, 4, 6, 8, 10], 2]);
  });

  it('starts no item after one has failed, and waits for those that run', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const mapped = mapConcurrently([0, 1, 2, 3], 2, async (item) => {
      begun.push(item);
      if (item === 0) throw new Error('no');
      await new Promise(setImmediate);
      ended.push(item);
    });
    await expect(mapped).rejects.toThrow('no');
    expect([begun, ended]).toEqual([[0, 1], [1]]);
  });
});
