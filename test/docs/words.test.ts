import { findOffences } from '../../scripts/words';

it('README, docs and messages use no forbidden word: see `npm run words`', () => {
  expect(findOffences()).toEqual([]);
});
