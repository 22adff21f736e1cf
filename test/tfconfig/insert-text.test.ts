import { appendText } from '../../src/tfconfig/plan-edit';

test.each([
  ['a {}\n', 5, 'b {}', '\nb {}\n'],
  ['a {}  \n', 4, 'b {}', '\n\nb {}\n'],
  ['a {}\n\n\n', 5, 'b {}\n\n', '\nb {}\n'],
  ['a {}\n', 0, 'b {}', 'b {}\n'],
  ['a {}\n', 5, 'b {\r\n}\r\n', '\nb {\n}\n'],
  ['a {}\r\n', 6, 'b {\n}', '\r\nb {\r\n}\r\n'],
])('behind %j, kept to %i, stands %j as %j', (text, end, blocks, added) => {
  expect(appendText(text, end, blocks)).toEqual({ start: end, end: text.length, text: added });
});
