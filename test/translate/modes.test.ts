import { compareAction, readMode, sameMeaning } from '../../src/translate/reading/setting';

describe('how an action answers to an old one', () => {
  it.each([
    ['simulate', 'log', 'same'],
    ['block', 'block', 'same'],
    ['challenge', 'challenge', 'same'],
    ['challenge', 'managed_challenge', 'similar'],
    ['challenge', 'js_challenge', 'similar'],
    ['challenge', 'block', 'other'],
    ['block', 'log', 'other'],
    ['simulate', 'simulate', 'other'],
  ] as const)('%s, %s: %s', (old, action, answer) => {
    expect(compareAction(old, action)).toBe(answer);
  });
});

describe('two modes', () => {
  it.each([
    ['on', 'default', true],
    ['off', 'disable', true],
    ['block', 'block', true],
    ['block', 'simulate', false],
    ['block', 'off', false],
    ['on', 'off', false],
  ])('%s and %s ask for the same: %s', (left, right, same) => {
    expect(sameMeaning(readMode(left)!, readMode(right)!)).toBe(same);
  });
});
