import { printable, printableDocument } from '../../src/core/printable';

const hostile = '\u001b[2J\u0007\r\u009b\u202e\u200b\u2028\u{e0041}';

test('a document for a terminal keeps its lines and columns, and no character that controls the terminal', () => {
  expect(printableDocument('a\tb\r\nc\n')).toBe('a\tb\r\nc\n');
  expect(printableDocument(hostile)).toMatch(/^[\x20-\x7e]+$/);
});

test('JSON for a terminal means the same as the JSON itself', () => {
  const json = JSON.stringify({ [hostile]: [hostile, 'naïve 🦊\n'] }, null, 2);
  expect(JSON.parse(printableDocument(json))).toEqual(JSON.parse(json));
});

test('no text is a command to a CI runner', () => {
  const text = 'x ##vso[task.setvariable variable=a]b ##[add-mask]c ##teamcity[x] #1 ## d';
  expect(printable(text)).not.toMatch(/##\w*\[/);
  expect(printable('#1 ## d')).toBe('#1 ## d');
});
