import { listed } from '../../src/translate/reading/read-context';
import { settingFacts } from '../../src/translate/reading/setting';

describe('a list for a sentence', () => {
  it.each([
    [1, 'x'],
    [8, 'x, x, x, x, x, x, x, x'],
    [9, 'x, x, x, x, x, x, x, x and 1 more'],
    [12, 'x, x, x, x, x, x, x, x and 4 more'],
  ])('of %i', (count, text) => {
    expect(listed(Array<string>(count).fill('x'))).toBe(text);
  });
});

describe('what is known of the thing that a setting is about', () => {
  it.each([
    [undefined, undefined, {}],
    ['owasp', undefined, { package: 'owasp' }],
    [undefined, 'Shop', { title: 'Shop' }],
    ['user', 'Shop', { package: 'user', title: 'Shop' }],
  ] as const)('is left out where it is not known: %s, %s', (of, title, facts) => {
    expect(settingFacts(of, title)).toStrictEqual(facts);
  });
});
