import { type JsonNode, parseJsonTree } from '../../src/tfconfig/json-tree';

/** A tree as plain data. */
function plain(node: JsonNode): unknown {
  if (node.kind === 'array') return node.items.map(plain);
  if (node.kind !== 'object') return node.value;
  return Object.fromEntries(node.members.map(({ name, value }) => [name, plain(value)]));
}

const read = (text: string): unknown =>
  plain(
    parseJsonTree(text, (offset, what) => {
      throw new Error(`${offset}: ${what}`);
    }),
  );

test.each([
  '0',
  '-10',
  '1.25',
  '-0.125',
  '1e10',
  '1e+10',
  '1E-10',
  '12.5e10',
  '[true, false, null]',
  '""',
  '"plain"',
  String.raw`"\u00e9\u2603\uABCD"`,
  String.raw`"\"\\\/\b\f\n\r\t"`,
  '{"a": {"b": [1, "c"]}}',
])('%s is read as JSON.parse reads it', (text) => {
  expect(read(text)).toEqual(JSON.parse(text));
});

test.each(['01', '1.', '.5', '+1', '1e', String.raw`"\u12"`, String.raw`"\x"`, '"\n"', 'nul'])(
  '%j is refused, as JSON.parse does',
  (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => read(text)).toThrow(/^\d+: /);
  },
);
