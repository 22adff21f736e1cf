import { chunks } from '../../src/plan/steps';

describe('the addresses of a removal', () => {
  const long = (length: number) => 'x'.repeat(length);
  it.each([
    [[], []],
    [[5], [1]],
    [[14_998, 14_999], [2]],
    [
      [14_999, 14_999],
      [1, 1],
    ],
    [
      [30_001, 1, 29_996],
      [1, 2],
    ],
    [
      [30_001, 1, 29_997],
      [1, 1, 1],
    ],
    [
      [14_999, 14_998, 9_997, 9_997, 9_997, 1],
      [2, 3, 1],
    ],
  ])('of %j characters are in commands of %j', (lengths, counts) => {
    const addresses = lengths.map(long);
    const commands = chunks(addresses);
    expect(commands.map((one) => one.length)).toEqual(counts);
    expect(commands.flat()).toEqual(addresses);
  });
});
