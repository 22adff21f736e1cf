import { addSummaries } from '../../src/translate/compare/parity';

it('the summary of several zones has the sum of each of their numbers', () => {
  const one = {
    settings: 28,
    kept: 1,
    changed: 2,
    lost: 4,
    withoutEffect: 21,
    rules: 5,
    withoutOrigin: 3,
  };
  const none = Object.fromEntries(Object.keys(one).map((key) => [key, 0]));
  const thrice = Object.fromEntries(Object.entries(one).map(([key, count]) => [key, 3 * count]));
  expect(addSummaries([one, one, one])).toEqual(thrice);
  expect(addSummaries([])).toEqual(none);
});
