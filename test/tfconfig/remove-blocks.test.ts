import { parseText, removeBlocks } from './open-project';

/** A text without the blocks of these addresses. */
async function without(text: string, addresses: readonly string[], path?: string): Promise<string> {
  const file = await parseText(text, path);
  return removeBlocks(
    file,
    file.blocks.filter(({ address }) => addresses.includes(address)),
  );
}

describe('removing a block from a .tf file', () => {
  const take = (text: string, ...addresses: string[]): Promise<string> =>
    without(text, addresses.length === 0 ? ['x'] : addresses);

  test.each([
    ['the block and its line', 'a {}\nx {\n  y = 1\n}\nb {}\n', 'a {}\nb {}\n'],
    [
      'the comments right above it',
      'a {}\n\n# one\n// two\n/* three\n*/\nx {}\nb {}\n',
      'a {}\n\nb {}\n',
    ],
    ['the comment behind it', 'a {}\nx {} # x\nb {}\n', 'a {}\nb {}\n'],
    ['comments on its line', 'a {}\n/* x */ x { } /* x */ // x\nb {}\n', 'a {}\nb {}\n'],
    ['one group of blank lines', 'a {}\n\nx {}\n\nb {}\n', 'a {}\n\nb {}\n'],
    ['blank lines behind it where it was first', 'x {}\n\n\nb {}\n', 'b {}\n'],
    ['blank lines before it where it was last', 'a {}\n\n\nx {}\n', 'a {}\n'],
    ['blank lines that end the file behind it', 'a {}\n\nx {}\n\n\n', 'a {}\n'],
    ['everything', 'x {}\n', ''],
    ['everything but the byte order mark', '\ufeffx {}\n', '\ufeff'],
    ['the last line where it has no line end', 'a {}\n\nx {}', 'a {}\n'],
    ['Windows line ends', 'a {}\r\n\r\n# x\r\nx {}\r\n\r\nb {}\r\n', 'a {}\r\n\r\nb {}\r\n'],
    ['what stands before it on its line', 'a {}\n \t x {}\nb {}\n', 'a {}\nb {}\n'],
    ['the comment on its line, also at the top', '/* x */ x {}\nb {}\n', 'b {}\n'],
    ['a comment that says nothing', 'a {}\n#\nx {}\n', 'a {}\n'],
    ['a comment with stars', 'a {}\nx {} /* * a **/ # b\nb {}\n', 'a {}\nb {}\n'],
  ])('removes %s', async (_, before, after) => {
    expect(await take(before)).toBe(after);
  });

  test.each([
    ['a comment with a blank line below it', '# a\n\n# b\n\nx {}\nb {}\n', '# a\n\n# b\n\nb {}\n'],
    ['the comment of the next block', 'a {}\nx {}\n# b\nb {}\n', 'a {}\n# b\nb {}\n'],
    ['the comment behind the block before', 'a {} # a\nx {}\n', 'a {} # a\n'],
    ['what stands at the top of the file', '# licence\nx {}\nb {}\n', '# licence\nb {}\n'],
    ['the same behind a byte order mark', '\ufeff# licence\r\nx {}\r\n', '\ufeff# licence\r\n'],
    ['comments on one line at the top', '/* a */ /* b */\nx {}\nb {}\n', '/* a */ /* b */\nb {}\n'],
    ['the same behind a blank line', '\n# licence\nx {}\n', '\n# licence\n'],
    ['blank lines that only stand once', 'a {}\n\n\n\nx {}\nb {}\n', 'a {}\n\n\n\nb {}\n'],
    ['blank lines below, where there are none above', 'a {}\nx {}\n\nb {}\n', 'a {}\n\nb {}\n'],
    ['blanks at the end of lines', 'a {} \t\n \nx {}\n \nb {}  \n', 'a {} \t\n \nb {}  \n'],
    ['mixed line ends', 'a {}\r\n\nx {}\nb {}\r\n', 'a {}\r\n\nb {}\r\n'],
  ])('keeps %s', async (_, before, after) => {
    expect(await take(before)).toBe(after);
  });

  test.each([
    ['at the top', 'x {}\ny {}\n\nb {}\n', 'b {}\n'],
    ['below a header', '# licence\n\n# x\nx {}\nb {}\n', '# licence\n\nb {}\n'],
    ['with blank lines', 'a {}\nx {}\n\n# y\ny {}\n\n\nz {}\nb {}\n', 'a {}\n\nb {}\n'],
    ['before blank lines', 'a {}\nx {}\ny {}\n\nb {}\n', 'a {}\n\nb {}\n'],
    ['at the end', 'a {}\n\nx {}\n\ny {}\n', 'a {}\n'],
    ['behind others', 'x {}\na {}\ny {}\nb {}\n\nz {}\nw {}\n', 'a {}\nb {}\n'],
    ['of one address', 'x {}\na {}\nx {}\n', 'a {}\n'],
  ])('removes blocks %s', async (_, before, after) => {
    expect(await take(before, 'x', 'y', 'z', 'w')).toBe(after);
  });
});

describe('removing a block from a .tf.json file', () => {
  const take = (text: string, ...addresses: string[]): Promise<string> =>
    without(text, addresses, 'main.tf.json');

  test('takes an item of an array', async () => {
    const text = '{"removed": [ {"from": "t.a"}, {"from": "t.b"} ], "x": {}}';
    const file = await parseText(text, 'main.tf.json');
    expect(removeBlocks(file, [file.blocks[1]!])).toBe('{"removed": [ {"from": "t.a"} ], "x": {}}');
    expect(removeBlocks(file, file.blocks.slice(0, 2))).toBe('{"x": {}}');
  });

  test.each([
    [
      'objects and arrays that are left empty',
      '{"data":{"t":{"a":{}}},"resource":[{"t":[{"a":[{}]}]},{"u":{"b":{}}}]}',
      '{"resource":[{"u":{"b":{}}}]}',
    ],
    [
      'nothing that was empty before',
      '{"import":[],"resource":{"t":{"a":{}}},"locals":{}}',
      '{"import":[],"locals":{}}',
    ],
    ['no outermost braces', '{ "resource": { "t": { "a": {} } } }\n', '{}\n'],
    ['no outermost brackets', '[\r\n  {"resource": {"t": {"a": {}}}}\r\n]', '[]'],
    [
      'no formatting of the rest',
      '{\r\n\t"resource" : { "t":\r\n{ "a" : {}   ,\r\n\r\n "b":{ } }\r\n},"locals":{"x":1e2,"\\u0079":"\\/"}}',
      '{\r\n\t"resource" : { "t":\r\n{ "b":{ } }\r\n},"locals":{"x":1e2,"\\u0079":"\\/"}}',
    ],
  ])('removes %s', async (_, before, after) => {
    expect(await take(before, 't.a', 'data.t.a')).toBe(after);
  });
});
