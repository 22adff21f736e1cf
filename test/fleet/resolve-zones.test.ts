import { parseZoneList } from '../../src/fleet/zone-list';
import { resolveZones } from '../../src/fleet/resolve-zones';

const A = 'a'.repeat(32);
const B = 'b'.repeat(32);
const C = 'c'.repeat(32);
const reached = [
  { id: A, name: 'shop.example.com' },
  { id: B, name: 'bücher.example' },
  { id: C, name: 'shop.example.com' },
];
const resolve = (list: string) => resolveZones(parseZoneList(list), reached);
const ids = ({ zones }: ReturnType<typeof resolve>): string[] => zones.map(({ id }) => id);
const refusals = ({ refused }: ReturnType<typeof resolve>): string[] =>
  refused.map(({ line, error }) => `${line} ${error.code}`);

describe('a zone of a list', () => {
  it.each([
    ['its id', A, A],
    ['its id in capitals', A.toUpperCase(), A],
    ['its name', 'bücher.example', B],
    ['its name in capitals, with the dot of the root', 'BÜCHER.EXAMPLE.', B],
    ['its name in ASCII', 'xn--bcher-kva.example', B],
  ])('is found by %s', (_, text, id) => {
    expect(ids(resolve(text))).toEqual([id]);
  });

  it('is done once when it stands there twice', () => {
    const found = resolve(`${B}\nbücher.example`);
    expect([ids(found), refusals(found)]).toEqual([[B], []]);
  });

  it.each(['bücher.example/shop', 'bücher.example?', 'bücher%2eexample', 'bücher .example'])(
    'is not found by %j, which is no name',
    (text) => {
      expect(refusals(resolve(text))).toEqual(['1 ZONE_NOT_REACHED']);
    },
  );

  it('is refused alone when its name is ambiguous, with the ids to choose from', () => {
    const found = resolve(`shop.example.com\n${B}`);
    expect([ids(found), refusals(found)]).toEqual([[B], ['1 ZONE_AMBIGUOUS']]);
    expect(found.refused[0]?.error.message).toContain(`${A}, ${C}`);
  });

  it('is refused when the list has the id of one zone and the name of another', () => {
    const found = resolve(
      `zone_id,name\n${A},Shop.Example.com.\n${B},shop.example.com\n,xn--bcher-kva.example`,
    );
    expect([ids(found), refusals(found)]).toEqual([[A, B], ['3 ZONE_CONTRADICTED']]);
    expect(found.refused[0]?.error.message).toBe(
      `line 3: "${B}" is bücher.example, not "shop.example.com"`,
    );
  });

  it.each([
    ['a label in the column of the name', `zone_id,name\n${A},Docs site\n${B},`],
    ['a label before the name', `name,zone_id,zone_name\nDocs,${A},shop.example.com\nB,${B},`],
    ['names alone beside labels', `name,domain,account\nBooks,bücher.example,x`],
    ['a number of its own beside its id', `id,zone_id\n1,${A}\n2,${B}`],
  ])('is found in a list with %s', (_, list) => {
    const found = resolve(list);
    expect(refusals(found)).toEqual([]);
    expect(ids(found)).toEqual(list.includes(A) ? [A, B] : [B]);
  });

  it('is refused when the credentials do not reach it, and its text is repeated only if it can be a zone', () => {
    const found = resolve(`evil\u001b[31m\u202e.example\n${B}`);
    expect([ids(found), refusals(found)]).toEqual([[B], ['1 ZONE_NOT_REACHED']]);
    expect(found.refused[0]?.error.message).toBe('line 1: neither a zone id nor a domain name');
    expect(found.refused[0]?.text).toBe('');
  });
});
