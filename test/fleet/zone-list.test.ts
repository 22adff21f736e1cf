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
  ])('as CSV takes %s', (_, list, expected) => {
    expect(texts(list)).toEqual(expected);
  });

  it('has a name beside an id, and a name alone where there is no id', () => {
    expect(parseZoneList('id,name\n1,a\n,b')).toEqual([
      { text: '1', name: 'a', line: 2 },
      { text: 'b', line: 3 },
    ]);
  });

  it('keeps a row whose columns are empty, so that it is told and not passed over', () => {
    expect(parseZoneList('id,plan,name\n,pro,')).toEqual([{ text: '', line: 2 }]);
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

  it('may have a folder whose name has another delimiter', () => {
    expect(parseZoneList('zone_id,dir\n1,stacks;old\n')).toEqual([
      { text: '1', line: 2, dir: 'stacks;old' },
    ]);
  });

  it('may begin with a byte order mark', () => {
    expect(texts('\ufeffshop.example.com')).toEqual(['shop.example.com']);
  });

  it('has a note of several lines in one cell, whose lines name no zone', () => {
    const note = '"do not touch:\nshop.example.com\nuntil ""Friday"""';
    expect(parseZoneList(`zone_id,note,dir\n1,${note},infra/1\n2,x,infra/2`)).toEqual([
      { text: '1', line: 4, dir: 'infra/1' },
      { text: '2', line: 5, dir: 'infra/2' },
    ]);
  });

  it('has a hash in quotes, which begins no comment', () => {
    expect(parseZoneList('owner,zone_id,name,dir\n"team #1, EU", 1,a,"c # d" # x, "y"\n')).toEqual([
      { text: '1', name: 'a', line: 2, dir: 'c # d' },
    ]);
  });

  it('takes a quote inside of a cell as it is', () => {
    expect(texts('zone_id,note\n1,19" rack\n2,"x"')).toEqual(['1', '2']);
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

  it.each([
    ['nothing', ''],
    ['comments alone', '# a\n  # b\n'],
    ['a header alone', 'zone_id,name\n'],
  ])('is empty with %s', (_, list) => {
    expect(parseZoneList(list)).toEqual([]);
  });
});
