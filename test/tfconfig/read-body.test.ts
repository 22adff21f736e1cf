import { Expression, type ConfigValue } from '../../src/tfconfig/config';
import { readBody } from '../../src/tfconfig/read-body';
import { parseText } from './open-project';

/** A value as plain data; what Terraform has to work out as `= text`. */
function plain(value: ConfigValue): unknown {
  if (value instanceof Expression) return `= ${value.text}`;
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, inner]) => [name, plain(inner)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

/** The body of the second block of a file. */
async function bodyOf(text: string, path = 'main.tf'): Promise<unknown> {
  const file = await parseText(text, path);
  return plain(readBody(file, file.blocks[1]!));
}

describe('what stands in a block', () => {
  test.each([
    ['x = 1', { x: 1 }],
    ['x = -1', { x: '= -1' }],
    ['x = 1.5e3', { x: 1500 }],
    ['x = true\n  y = false\n  z = null', { x: true, y: false, z: null }],
    ['x = "a\\"b"', { x: 'a"b' }],
    ['x = "a${b}"', { x: '= "a${b}"' }],
    ['x = <<E\na\nE', { x: '= <<E\na\nE' }],
    ['x = [1, "a", b.c, [2]]', { x: [1, 'a', '= b.c', [2]] }],
    ['x = []', { x: [] }],
    ['x = [1, 2][0]\n  y = { a = 1 }.a', { x: '= [1, 2][0]', y: '= { a = 1 }.a' }],
    ['x = {\n    # a comment\n    a = 1\n  }', { x: { a: 1 } }],
    [
      'x = { a = 1, "b" = "c", (d) = e, f : [g] }',
      { x: { a: 1, b: 'c', '(d)': '= e', f: ['= g'] } },
    ],
    ['x = (1)', { x: 1 }],
    ['x = ((true))\n  y = ("a")\n  z = ("${a}")', { x: true, y: 'a', z: '= ("${a}")' }],
    ['x = a ? b : c', { x: '= a ? b : c' }],
    ['# a comment\n  x = 1 # another', { x: 1 }],
    ['x {\n    y = 1\n  }', { x: [{ y: 1 }] }],
    ['x {\n    y = 1\n  }\n  x {\n    y = 2\n  }', { x: [{ y: 1 }, { y: 2 }] }],
    ['x "a" b {\n    y = 1\n  }', { x: [{ a: { b: { y: 1 } } }] }],
    ['x /* c */ "a" {\n  }', { x: [{ a: {} }] }],
    ['', {}],
  ])('of %j', async (body, values) => {
    expect(await bodyOf(`first {}\nsecond "s" {\n  ${body}\n}\nlast { x = 0 }\n`)).toEqual(values);
  });

  test('is not taken apart where it is nested too deeply', async () => {
    const nested = (depth: number) =>
      bodyOf(`first {}\nsecond {\n  x = ${'['.repeat(depth)}a${']'.repeat(depth)}\n}\n`);
    const depthOf = (value: unknown): number =>
      Array.isArray(value) ? 1 + depthOf((value as unknown[])[0]) : 0;
    const inside = async (depth: number) => depthOf(((await nested(depth)) as any).x);
    expect([await inside(10), await inside(65), await inside(66), await inside(80)]).toEqual([
      10, 65, 65, 65,
    ]);
    const objects = `first {}\nsecond {\n  x = ${'{ a = '.repeat(80)}1${' }'.repeat(80)}\n}\n`;
    const told = JSON.stringify(await bodyOf(objects));
    expect(told.slice(0, told.indexOf('=')).split('"a"')).toHaveLength(66);
    const blocks = `first {}\n${'a {\n'.repeat(70)}x = 1\n${'}\n'.repeat(70)}`;
    expect(JSON.stringify(await bodyOf(blocks)).split('"a"')).toHaveLength(65);
  });

  test('of JSON is what it says, where it is no template', async () => {
    const json = {
      first: {},
      second: { a: 'b', c: '${d}', e: '%{ if f }', g: [1, null, true], h: { i: '$j' } },
    };
    expect(await bodyOf(JSON.stringify(json), 'main.tf.json')).toEqual({
      a: 'b',
      c: '= ${d}',
      e: '= %{ if f }',
      g: [1, null, true],
      h: { i: '$j' },
    });
  });
});
