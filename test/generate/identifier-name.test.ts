import fc from 'fast-check';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import * as standalone from 'prettier/standalone';
import { isIdentifierName } from '../../src/generate/formats/identifier-name';
import { printProperty } from '../../src/generate/formats/typescript';
import { runs } from './support/runs';

const { format } = standalone;

describe('a name of ECMAScript 5', () => {
  it.each([
    'a',
    '_',
    '$',
    'a1',
    '$_a',
    'camelCase',
    'é',
    'aé',
    'éa1',
    'ªº',
    '中文',
    'a\u0301',
    'a\u203f',
    '\u2160',
  ])('is %j', (name) => {
    expect(isIdentifierName(name)).toBe(true);
  });

  it.each(['', ' ', '1', '1a', 'a b', 'a-b', 'é-', '-é', '\u0301a', 'a.', 'é é', '{'])(
    'is not %j',
    (name) => {
      expect(isIdentifierName(name)).toBe(false);
    },
  );

  it.each([
    '0560',
    '0860',
    '09fc',
    '0afa',
    '0d04',
    '0e86',
    '0e8c',
    '0ece',
    '1878',
    '1b4c',
    '1c90',
    '1cf3',
    '312f',
    '31bf',
    '9fd6',
    'a7b8',
    'ab66',
    '10400',
  ])('is none with a letter that came later: U+%s', (code) => {
    const letter = String.fromCodePoint(parseInt(code, 16));
    expect(isIdentifierName(letter)).toBe(false);
    expect(isIdentifierName(`a${letter}`)).toBe(code === '1cf3');
  });
});

// the slow ones last
describe('a key has quotes where prettier keeps them', () => {
  const letters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => /[\p{L}\p{N}\p{M}\p{P}\p{S}]/u.test(character) && !/[0-9\u2e2f]/.test(character),
  );
  /** As many as are quick, other ones each time. `a b` goes with them: it needs its quotes. */
  const someLetters = fc.uniqueArray(fc.constantFrom(...letters), {
    minLength: 1_000,
    maxLength: 3_000,
    size: 'max',
  });
  async function expectKeys(keys: string[]): Promise<void> {
    const properties = ['a b', ...keys].flatMap((name) => printProperty(name, '1', '  '));
    const source = ['x = {', ...properties, '};', ''].join('\n');
    expect(source).toBe(
      await format(source, { parser: 'typescript', plugins: [estree, typescript] }),
    );
  }

  it('whatever character it begins with', () =>
    fc.assert(fc.asyncProperty(someLetters, expectKeys), runs(2)));

  it('whatever character it goes on with', () =>
    fc.assert(
      fc.asyncProperty(someLetters, (chosen) =>
        expectKeys([...chosen.map((character) => `a${character}`), 'a\u{10400}', '\u{10400}']),
      ),
      runs(2),
    ));
});
