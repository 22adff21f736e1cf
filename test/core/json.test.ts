import { objectOf, objectsOf, parseJson, textOf, textsOf } from '../../src/core/json';

const others = [undefined, null, 1, true];

test('what is no object has no keys', () => {
  expect(objectOf({ a: 1 })).toEqual({ a: 1 });
  for (const one of [...others, 'a', [{ a: 1 }]]) expect(objectOf(one)).toEqual({});
});

test('of a list its objects are taken, and none of what is no list', () => {
  expect(objectsOf([{ a: 1 }, ...others, 'a', [], { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
  for (const one of [...others, 'a', { a: {} }]) expect(objectsOf(one)).toEqual([]);
});

test('what is no text is an empty one, and is left out of a list of them', () => {
  expect(textOf('a')).toBe('a');
  for (const one of [...others, ['a'], {}]) expect(textOf(one)).toBe('');
  expect(textsOf(['a', ...others, ['b'], ''])).toEqual(['a', '']);
  for (const one of [...others, 'a', { a: 'b' }]) expect(textsOf(one)).toEqual([]);
});

test('a text that was cut is no JSON', () => {
  expect(parseJson('{"a": [1]}')).toEqual({ a: [1] });
  for (const text of ['', '{"a": [1', '{} {}']) expect(parseJson(text)).toBeUndefined();
});
