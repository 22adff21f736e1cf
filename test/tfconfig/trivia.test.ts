import { parseJsonTree } from '../../src/tfconfig/json-tree';
import { hasTwins, readPlain } from '../../src/tfconfig/prove-edit';
import {
  blankLinesBefore,
  commentsBetween,
  endOfLine,
  skipBlankLines,
} from '../../src/tfconfig/remove-blocks';

describe('comments', () => {
  test.each([
    ['x # a\ny', ['# a']],
    ['x # a\r\n// b\r\n', ['# a', '// b']],
    ['/* a\n*/ # b', ['/* a\n*/', '# b']],
    ['x', []],
  ])('of %j', (text, comments) => {
    const found = commentsBetween(`z${text}z`, 1, text.length + 1);
    expect(found.map(({ start, end }) => `z${text}z`.slice(start, end))).toEqual(comments);
  });
});

test.each([
  ['\n \t\n\nx', 5],
  ['  ', 2],
  ['  x', 0],
  ['x', 0],
  ['\r\nx', 2],
])('the blank lines of %j end at %i', (text, end) => {
  expect(skipBlankLines(text, 0)).toBe(end);
});

test.each([
  ['\nx', 1, 0, 0],
  ['a\n\n \nx', 5, 0, 2],
  ['a\n\n \nx', 5, 3, 3],
  ['a\nx', 2, 0, 2],
])('the blank lines of %j that end at %i begin, behind %i, at %i', (text, end, first, start) => {
  expect(blankLinesBefore(text, end, first)).toBe(start);
});

test.each([
  ['} # a\nx', 6],
  ['} /* a */ // b\r\n', 16],
  ['} x', 1],
  ['}  x', 1],
  ['} ', 2],
  ['} /* a */ x /* b */\n', 1],
  ['} /* * a **/ # b\nx', 17],
  [`}${'/**/'.repeat(60)} x`, 1],
])('the line of a block that ends in %j ends at %i', (text, end) => {
  expect(endOfLine(text, 1)).toBe(end);
});

test.each([
  ['{"a": 1, "b": [1, {"a": "x"}]}', false],
  ['{"a": 1, "a": 2}', true],
  ['{"a": {"b": 1, "b": 2}, "c": 1}', true],
  ['[1, {"b": 1, "b": 2}]', true],
  ['[]', false],
  ['{}', false],
])('%j has two properties of one name: %s', (text, twins) => {
  const tree = parseJsonTree(text, (_, what) => {
    throw new Error(what);
  });
  expect(hasTwins(tree)).toBe(twins);
});

test.each([
  ['1', 1],
  ['"x"', 'x'],
  ['true', true],
  ['null', null],
  ['[null]', [null]],
])('the JSON %s is read as it is', async (text, value) => {
  expect(await readPlain('json', 'a.tf.json', text)).toEqual(value);
});
