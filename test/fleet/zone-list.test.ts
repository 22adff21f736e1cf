import { parseZoneList } from '../../src/fleet/zone-list';

const texts = (list: string): string[] => parseZoneList(list).map(({ text }) => text);

describe('a list of zones', () => {
  it('has one zone a line, with comments, blank lines and any line end', () => {
    const list =
      '# ours\n\nshop.example.com # the shop\r\n  blog.example.com\t#x\rdocs.example.com';
    expect(parseZoneList(list)).toEqual([
      { text: 'shop.example.com', line: 3 },
      { text: 'blog.example.com', line: 4 },
      { text: 'docs.example.com', line: 5 },
    ]);
  });

  it.each([
    ['an id before a name', 'plan,name,zone_id\npro,a.example,1\nbusiness,b.example,2', ['1', '2']],
    ['a name where there is no id', 'plan;Domain\npro;a.example', ['a.example']],
    ['a header in quotes, as spreadsheets write it', '"Zone ID","Plan"\n"1","a, b"', ['1']],
    ['column 1 without a header', 'a.example,pro\nb.example,free', ['a.example', 'b.example']],
    ['tabs', 'name\tplan\na.example\tpro', ['a.example']],
    ['a semicolon in a cell between commas', 'note,zone_id\nours; old,1', ['1']],
    ['a comma in a cell between semicolons', 'note;zone_id\nours, old;1', ['1']],
    ['a byte order mark', '\ufeffshop.example.com', ['shop.example.com']],
    ['a quote inside of a cell', 'zone_id,note\n1,19" rack\n2,"x"', ['1', '2']],
  ])('as CSV takes %s', (_, list, expected) => {
    expect(texts(list)).toEqual(expected);
  });

  it.each([
    [
      'a name beside an id, and a name where there is no id',
      'id,name\n1,a\n,b',
      [
        { text: '1', name: 'a', line: 2 },
        { text: 'b', line: 3 },
      ],
    ],
    ['a row whose columns are empty', 'id,plan,name\n,pro,', [{ text: '', line: 2 }]],
    [
      'another delimiter in a folder',
      'zone_id,dir\n1,stacks;old\n',
      [{ text: '1', line: 2, dir: 'stacks;old' }],
    ],
    [
      'a cell of several lines, which name no zone',
      'zone_id,note,dir\n1,"do not touch:\nshop.example.com\nuntil ""Friday""",infra/1\n2,x,infra/2',
      [
        { text: '1', line: 4, dir: 'infra/1' },
        { text: '2', line: 5, dir: 'infra/2' },
      ],
    ],
    [
      'a hash in quotes, which begins no comment',
      'owner,zone_id,name,dir\n"team #1, EU", 1,a,"c # d" # x, "y"\n',
      [{ text: '1', name: 'a', line: 2, dir: 'c # d' }],
    ],
  ])('reads %s', (_, list, entries) => {
    expect(parseZoneList(list)).toEqual(entries);
  });

  it.each([
    ['two names', 'a.example,b.example'],
    ['two ids', `${'a'.repeat(32)},${'B'.repeat(32)}`],
    ['an id and a name', `${'a'.repeat(32)},pro,bücher.example`],
  ])('is refused with %s on a line and no header: one of them would not be done', (_, row) => {
    expect(() => parseZoneList(`c.example,pro,1.5\n${row}`)).toThrow(
      expect.objectContaining({
        code: 'ZONES_FILE_INVALID',
        message: expect.stringContaining('line 2 has'),
      }),
    );
  });

  it.each(['"unfinished', '"Big" shop', '"a" "b"'])(
    'refuses the cell %s, whose end cannot be told, by its line',
    (label) => {
      expect(() => parseZoneList(`zone_id,note\n1,${label}\n2,"x"`)).toThrow(
        expect.objectContaining({
          code: 'ZONES_FILE_INVALID',
          message: expect.stringMatching(/^the list is not valid CSV: .* line \d/),
        }),
      );
    },
  );

  it('refuses a cell with # that hides the columns after it, but no comment', () => {
    const list = 'zone,note,dir\na.example,x,a # old\nb.example # new, too\nc.example,team#1,c';
    expect(() => parseZoneList(list)).toThrow(
      expect.objectContaining({
        code: 'ZONES_FILE_INVALID',
        message: '"#" in line 4 hides the columns after it',
      }),
    );
    expect(texts(list.replace('team#1', '"team#1"'))).toEqual([
      'a.example',
      'b.example',
      'c.example',
    ]);
  });

  it.each([
    ['nothing', ''],
    ['comments alone', '# a\n  # b\n'],
    ['a header alone', 'zone_id,name\n'],
  ])('is empty with %s', (_, list) => {
    expect(parseZoneList(list)).toEqual([]);
  });
});
