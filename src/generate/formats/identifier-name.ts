/**
 * Letters and marks of the Basic Multilingual Plane that came to Unicode after the tables by which
 * prettier (3.10) tells a name of ECMAScript 5, in hexadecimal: it leaves keys with them in quotes.
 */
const NEWER =
  '0560 0588 05ef 07fd 0860-086a 0870-0887 0889-088f 0897-089f 08b5 08be-08d3 09fc 09fe ' +
  '0afa-0aff 0b55 0c04 0c3c 0c5c-0c5d 0cdc-0cdd 0cf3 0d00 0d04 0d3b-0d3c 0d81 0e86 0e89 ' +
  '0e8c 0e8e-0e93 0e98 0ea0 0ea8-0ea9 0eac 0eba 0ece 170d 1715 171f 180f 1878 1abf-1add ' +
  '1ae0-1aeb 1b4c 1c89-1c8a 1c90-1cba 1cbd-1cbf 1cf7 1cfa 1df6-1dfa 2c2f 2c5f 312e-312f ' +
  '31bb-31bf 4db6-4dbf 9fd6-9fff a7af a7b8-a7dc a7f1-a7f6 a82c a8fe-a8ff ab66-ab69';
// the spaces between them may stay: they are in no name either
const newer = NEWER.replace(/[\da-f]+/g, (code) => `\\u${code}`);
const PLAIN = /^[A-Za-z_$][\w$]*$/;
// two letters that were marks then, and one that is a letter and in no name: prettier takes its
// quotes away, and cannot read what it printed
const START = new RegExp(`^(?![\\u1cf2\\u1cf3\\u2e2f${newer}])[$_\\p{L}\\p{Nl}]`, 'u');
const NAME = new RegExp(
  `^(?:(?![\\u2e2f\\u{10000}-\\u{10ffff}${newer}])[$\\p{L}\\p{Nl}\\p{Mn}\\p{Mc}\\p{Nd}\\p{Pc}])+$`,
  'u',
);

/** Whether prettier prints a key without quotes, as far as its characters go. */
export function isIdentifierName(text: string): boolean {
  return PLAIN.test(text) || (START.test(text) && NAME.test(text));
}
