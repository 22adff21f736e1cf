import { type Code, printCall, printProperty } from '../../src/generate/formats/typescript';

const long = (length: number): string => 'x'.repeat(length);
const quoted = (length: number): string => `"${long(length)}"`;

describe('a property', () => {
  it.each<[string, string, Code, string[]]>([
    ['that fits stays on its line', 'abcde', quoted(68), [`  abcde: ${quoted(68)},`]],
    [
      'breaks before a string that does not',
      'abcde',
      quoted(69),
      ['  abcde:', `    ${quoted(69)},`],
    ],
    ['of a short key keeps its string', 'abcd', quoted(90), [`  abcd: ${quoted(90)},`]],
    ['keeps a number, however long its key is', long(90), '7', [`  ${long(90)}: 7,`]],
    [
      'keeps an object, however long its key is',
      long(90),
      { properties: [['a', '1']] },
      [`  ${long(90)}: {`, '    a: 1,', '  },'],
    ],
    ['of an empty object is one line', 'a', { properties: [] }, ['  a: {},']],
    ['of an empty list is one line', 'a', { items: [] }, ['  a: [],']],
    [
      'of an empty list that does not fit is broken',
      long(75),
      { items: [] },
      [`  ${long(75)}: [`, '  ],'],
    ],
    ['has quotes where its key is no name', 'a b', '1', ['  "a b": 1,']],
    ['has quotes where its key is spelt as an escape', '\u0d4e', '1', ['  "\\u0d4e": 1,']],
    [
      'of a list that fits is one line',
      'list',
      { items: [quoted(20), quoted(40)] },
      [`  list: [${quoted(20)}, ${quoted(40)}],`],
    ],
    [
      'of a list that does not has an item a line',
      'list',
      { items: ['"a1"', quoted(70)] },
      ['  list: [', '    "a1",', `    ${quoted(70)},`, '  ],'],
    ],
    [
      'of texts with digits in them has an item a line',
      'list',
      { items: ['"a1"', '"b2"', `"3${long(70)}"`] },
      ['  list: [', '    "a1",', '    "b2",', `    "3${long(70)}",`, '  ],'],
    ],
    [
      'of numbers and words has an item a line',
      'list',
      { items: ['1', quoted(80)] },
      ['  list: [', '    1,', `    ${quoted(80)},`, '  ],'],
    ],
    [
      'of objects has each broken',
      'list',
      { items: [{ properties: [['a', '1']] }] },
      ['  list: [', '    {', '      a: 1,', '    },', '  ],'],
    ],
    [
      'of one number that does not fit is broken',
      long(75),
      { items: ['-12'] },
      [`  ${long(75)}: [`, '    -12,', '  ],'],
    ],
    [
      'of many numbers has as many in a line as fit',
      'list',
      { items: Array.from({ length: 16 }, () => '1234567') },
      [
        '  list: [',
        `    ${Array.from({ length: 8 }, () => '1234567').join(', ')},`,
        `    ${Array.from({ length: 8 }, () => '1234567').join(', ')},`,
        '  ],',
      ],
    ],
  ])('%s', (_, name, value, lines) => {
    expect(printProperty(name, value, '  ')).toEqual(lines);
  });
});

describe('a call', () => {
  const object: Code = { properties: [['a', '1']] };
  it.each<[string, Code[], string[]]>([
    ['that fits is one line', ['"a"', '"b"'], ['  call("a", "b");']],
    [
      'that does not has an argument a line',
      ['"a"', quoted(80)],
      ['  call(', '    "a",', `    ${quoted(80)},`, '  );'],
    ],
    [
      'breaks its last object alone',
      ['this', '"b"', object],
      ['  call(this, "b", {', '    a: 1,', '  });'],
    ],
    [
      'breaks its last list alone',
      ['"b"', { items: [quoted(40), quoted(40)] }],
      ['  call("b", [', `    ${quoted(40)},`, `    ${quoted(40)},`, '  ]);'],
    ],
    [
      'breaks all where even the head of the object does not fit',
      [quoted(69), object],
      ['  call(', `    ${quoted(69)},`, '    {', '      a: 1,', '    },', '  );'],
    ],
    [
      'breaks the object alone where its head just fits',
      [quoted(68), object],
      [`  call(${quoted(68)}, {`, '    a: 1,', '  });'],
    ],
  ])('%s', (_, args, lines) => {
    expect(printCall('call', args, '  ')).toEqual(lines);
  });
});
