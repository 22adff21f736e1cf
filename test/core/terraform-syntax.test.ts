import { unquoteHcl } from '../../src/core/terraform-syntax';

describe('the value of a quoted string', () => {
  test.each([
    ['""', ''],
    ['"a b"', 'a b'],
    ['"\\n\\r\\t\\"\\\\"', '\n\r\t"\\'],
    ['"\\u00e9\\U0001F600"', 'é😀'],
    ['"$${a} %%{b} $ % $$ $"', '${a} %{b} $ % $$ $'],
    ['"${a}"', undefined],
    ['"%{a}"', undefined],
    ['"\\x"', undefined],
    ['"\\U00110000"', undefined],
    ['"\\U0010FFFF"', '\u{10ffff}'],
    ['"\\ud800"', undefined],
    ['"a\\"', undefined],
    ['"a"b"', undefined],
    ['"a\nb"', undefined],
    ['"', undefined],
    ['a"', undefined],
    ['"a', undefined],
    ['', undefined],
  ])('%j', (literal, value) => {
    expect(unquoteHcl(literal)).toBe(value);
  });
});
