import fc from 'fast-check';
import { nestFlatAttributes } from '../../src/state/flat-attributes';

type Value = string | Value[] | Map<string, Value> | { [key: string]: Value };

/** As Terraform 0.11 flattened: `#` for lists, `%` for maps, blocks by their attributes. */
function flatten(value: Value, path: string, flat: Record<string, string>): Record<string, string> {
  if (typeof value === 'string') flat[path] = value;
  else if (Array.isArray(value)) {
    flat[`${path}.#`] = String(value.length);
    value.forEach((one, index) => flatten(one, `${path}.${index}`, flat));
  } else if (value instanceof Map) {
    flat[`${path}.%`] = String(value.size);
    for (const [key, one] of value) flatten(one, `${path}.${key}`, flat);
  } else for (const [key, one] of Object.entries(value)) flatten(one, `${path}.${key}`, flat);
  return flat;
}
const plain = (value: Value): unknown =>
  value instanceof Map
    ? Object.fromEntries(value)
    : Array.isArray(value)
      ? value.map(plain)
      : typeof value === 'string'
        ? value
        : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));

const name = fc.stringMatching(/^[a-z_]{1,6}$/);
const map = fc
  .dictionary(fc.stringMatching(/^[a-z0-9.]{1,8}$/), fc.string(), { noNullPrototype: true })
  .map((entries) => new Map(Object.entries(entries)));
const block = fc.dictionary(name, fc.oneof(fc.string(), map, fc.array(fc.string())), {
  minKeys: 1,
  noNullPrototype: true,
});
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.string(),
  map,
  fc.array(fc.string(), { maxLength: 15 }),
  fc.array(block, { maxLength: 12 }),
);

describe('flat attributes', () => {
  it('are nested again, from the order that Terraform sorts them into', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (attributes) => {
        const flat: Record<string, string> = {};
        for (const [key, one] of Object.entries(attributes)) flatten(one, key, flat);
        const sorted = Object.fromEntries(Object.entries(flat).sort());
        expect(nestFlatAttributes(sorted)).toEqual(plain(attributes));
      }),
    );
  });

  it('of an override become lists and maps of strings', () => {
    expect(
      nestFlatAttributes({
        id: 'x',
        paused: 'false',
        'rules.%': '2',
        'rules.100015': 'disable',
        'rules.a.b': 'block',
        'urls.#': '1',
        'urls.0': 'example.com/*',
        'groups.%': '0',
      }),
    ).toEqual({
      id: 'x',
      paused: 'false',
      rules: { 100015: 'disable', 'a.b': 'block' },
      urls: ['example.com/*'],
      groups: {},
    });
  });

  it('of a set have its hashes for indexes', () => {
    const flat = { 'products.#': '2', 'products.2871239': 'waf', 'products.33': 'bic' };
    expect(nestFlatAttributes(flat)).toEqual({ products: ['bic', 'waf'] });
  });

  it('with a hostile path neither fail nor reach a prototype', () => {
    const deep = nestFlatAttributes({
      [`a${'.a'.repeat(100_000)}`]: 'x',
      '__proto__.polluted': 'y',
    });
    expect(Object.keys(deep)).toEqual(['a', '__proto__']);
    expect(({} as any).polluted).toBeUndefined();
  });

  it('are no deeper than 32 lists, however many there are', () => {
    const paths = Array.from({ length: 40 }, (_, depth) => `a${'.0'.repeat(depth)}.#`);
    let value: unknown = nestFlatAttributes(Object.fromEntries(paths.map((path) => [path, '1'])));
    let depth = 0;
    for (value = (value as { a: unknown }).a; Array.isArray(value); [value] = value) depth += 1;
    expect(depth).toBe(31);
  });
});
