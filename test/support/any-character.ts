import fc from 'fast-check';

/** The first surrogate, and the number of surrogates: they are halves of characters. */
const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Every character of Unicode, as a unit of `fc.string`. The built-in unit `binary` builds a table of a million
 * characters, which costs a second and a hundred megabytes at each use.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map(
    (at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count),
    (character) => {
      const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
      if (point === undefined || character !== String.fromCodePoint(point))
        throw new Error('not one character');
      return point < SURROGATES.first ? point : point - SURROGATES.count;
    },
  );
