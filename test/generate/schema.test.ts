import { attributesOf } from '../../src/generate/dialects/dialect';

test('a type in words has no attributes', () => {
  expect(attributesOf('list of string')).toEqual({});
  expect(attributesOf(undefined)).toEqual({});
});

test('an object has those of its schema', () => {
  const attributes = { enabled: 'bool', rules: { nesting: 'block', attributes: {} } } as const;
  expect(attributesOf({ nesting: 'block', attributes })).toBe(attributes);
});
