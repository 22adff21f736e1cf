import { type FoundPlace, placeReferences } from '../../src/tfconfig/find-references';
import { LineIndex } from '../../src/tfconfig/line-index';
import { addressOf } from '../../src/tfconfig/find-blocks';
import { quotedNames } from '../../src/tfconfig/uses';
import { parseText } from './open-project';

test('places are told in the order of file, line, column and address, each once', async () => {
  const [a, b] = [await parseText('x {}\ny {}\n', 'a.tf'), await parseText('x {}\n', 'b.tf')];
  const place = (file: typeof a, offset: number, address: string, text = ''): FoundPlace => ({
    ...{ address, from: 'o', effect: 'breaks', file, offset, text },
  });
  const long = 'x'.repeat(201);
  const found = [
    place(b, 0, 'p.q', long),
    place(a, 7, 'p.q'),
    place(a, 5, 'r.s'),
    place(a, 5, 'p.q'),
    place(a, 5, 'p.q'),
    place(a, 0, 'z.z'),
  ];
  const told = placeReferences(found);
  expect(told.map((one) => `${one.file}:${one.line}:${one.column} ${one.address}`)).toEqual([
    'a.tf:1:1 z.z',
    'a.tf:2:1 p.q',
    'a.tf:2:1 r.s',
    'a.tf:2:3 p.q',
    'b.tf:1:1 p.q',
  ]);
  expect(told.at(-1)?.text).toBe('x'.repeat(200));
});

describe('the lines of a text', () => {
  test.each([
    ['', 0, [[1, 1]]],
    [
      'a',
      1,
      [
        [1, 1],
        [1, 2],
      ],
    ],
    [
      'a\n',
      1,
      [
        [1, 1],
        [1, 2],
        [2, 1],
      ],
    ],
    [
      'a\n\nb',
      3,
      [
        [1, 1],
        [1, 2],
        [2, 1],
        [3, 1],
        [3, 2],
      ],
    ],
  ])('of %j: %i', (text, count, positions) => {
    const lines = new LineIndex(text);
    const all = Array.from({ length: text.length + 1 }, (_, at) => lines.position(at));
    expect(lines.count).toBe(count);
    expect(all.map(({ line, column }) => [line, column])).toEqual(positions);
    expect(lines.start(9)).toBe(text.length);
  });
});

describe('the names of a reference in quotes', () => {
  test.each([
    ['a.b', ['a', 'b']],
    ['a.b[0].c', ['a', 'b', 'c']],
    ['a["x.y\\"]"].b[*].c.*.d', ['a', 'b', 'c', 'd']],
    ['a["x"]["y"]', ['a']],
    ['a[12]', ['a']],
    ['a[b]', ['a[b]']],
  ])('%s', (text, names) => {
    expect(quotedNames(text)).toEqual(names);
  });
});

describe('what names stand for', () => {
  test.each([
    [['data', 'a', 'b', 'c'], 'data.a.b'],
    [['resource', 'a', 'b', 'c'], 'a.b'],
    [['var', 'a', 'b'], 'variable.a'],
    [['local', 'a', 'b'], 'local.a'],
    [['a', 'b', 'c'], 'a.b'],
  ])('%j', (names, address) => {
    expect(addressOf(names)).toBe(address);
  });
});
