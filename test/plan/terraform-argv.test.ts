import { planMigration } from '../../src/plan/plan-migration';
import { legacyResource, stateFacts, zone } from './support/state-facts';

const addressOf = (length: number): string => 'cloudflare_waf_rule.x'.padEnd(length, 'x');

it.each([
  [[30], [1]],
  [[14_998, 14_999], [2]],
  [
    [14_999, 14_999],
    [1, 1],
  ],
  [
    [30_001, 30, 29_967],
    [1, 2],
  ],
  [
    [30_001, 30, 29_968],
    [1, 1, 1],
  ],
  [
    [14_999, 14_998, 9_997, 9_997, 9_970, 30],
    [2, 3, 1],
  ],
])('removes addresses of %j characters in commands of %j', (lengths, counts) => {
  const addresses = lengths.map((length, at) => `${addressOf(length - 1)}${at}`);
  const legacyResources = addresses.map((address) => legacyResource(address));
  const { steps } = planMigration([zone], [stateFacts({ legacyResources })]);
  const { runs = [] } = steps.find(({ kind }) => kind === 'remove')!;
  const removed = runs.map(({ argv }) => argv.slice(3));
  expect(removed.map((one) => one.length)).toEqual(counts);
  expect(removed.flat()).toEqual(addresses);
});
