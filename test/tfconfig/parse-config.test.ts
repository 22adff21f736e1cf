import { type ConfigValue, Expression } from '../../src/tfconfig/config';
import { configSyntax } from '../../src/tfconfig/config-source';
import { parseConfig } from '../../src/tfconfig/read-project';
import { parseText } from './open-project';

/** The blocks of a text as `first-last address`, and the text of each. */
async function placed(text: string, path?: string): Promise<string[]> {
  const file = await parseText(text, path);
  return file.blocks.map(
    ({ address, range }) =>
      `${range.startLine}-${range.endLine} ${address}: ${text.slice(range.start, range.end)}`,
  );
}

test.each([
  ['main.tf', 'hcl'],
  ['a/b.c/main.tf', 'hcl'],
  ['.a/main.tf', 'hcl'],
  ['#main.tf', 'hcl'],
  ['main.tf.json', 'json'],
  ['main.json', undefined],
  ['main.tf.bak', undefined],
  ['a/.main.tf', undefined],
  ['main.tf~', undefined],
  ['#main.tf#', undefined],
  ['main.tfvars', undefined],
])('a file by its name %j is %s', (path, syntax) => {
  expect(configSyntax(path)).toBe(syntax);
});

describe('the bytes of a file', () => {
  const refusal = (bytes: Uint8Array): Promise<unknown> =>
    parseConfig({ path: 'a.tf', bytes }).catch((error: unknown) => error);

  test('are refused where they are no UTF-8, for the reason that the decoder gives', async () => {
    expect(await refusal(Uint8Array.of(0x61, 0xff))).toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'a.tf is not UTF-8 text',
      cause: { name: 'TypeError' },
    });
  });
});

describe('parsing a .tf file', () => {
  test.each([
    ['a heredoc with a brace and a block in it', 'a "b" {\n  x = <<EOT\n}\nc "d" {\nEOT\n}'],
    ['an indented heredoc', 'a "b" {\n  x = <<-EOT\n    }\n    EOT\n}'],
    ['templates inside of templates', 'a "b" {\n  x = "${"}${"}"}"}"\n}'],
    ['comments with braces', 'a "b" { # {\n  // }\n  /* } */\n}'],
    ['labels without quotes', 'a b {\n}'],
    ['a comment between type and label', 'a /* c */ "b" {\n}'],
    ['nested blocks', 'a "b" {\n  c {\n    d "e" {\n    }\n  }\n}'],
    ['one line', 'a "b" { c = "}" }'],
    ['characters outside of the basic plane', 'a "b" {\n  x = "😀☃" # 😀\n}'],
  ])('finds the end behind %s', async (_, block) => {
    const address = 'a.b';
    const around = `first {}\n${block}\nlast {}\n`;
    const lines = block.split('\n').length;
    expect(await placed(around)).toEqual([
      '1-1 first: first {}',
      `2-${lines + 1} ${address}: ${block}`,
      `${lines + 2}-${lines + 2} last: last {}`,
    ]);
    const windows = around.replaceAll('\n', '\r\n');
    expect((await parseText(`\ufeff${windows}`)).blocks.map(({ range }) => range)).toEqual(
      (await parseText(windows)).blocks.map(({ range }) => ({
        ...range,
        start: range.start + 1,
        end: range.end + 1,
      })),
    );
  });

  test('reads the escapes of a label', async () => {
    const [block] = (await parseText('a "q\\"\\u00e9\\n$${x}" {}')).blocks;
    expect(block?.labels).toEqual(['q"é\n${x}']);
  });

  test.each(['', '\n', '# nothing\n', '\ufeff', '/* nothing */'])(
    'finds no block in %j',
    async (text) => {
      expect((await parseText(text)).blocks).toEqual([]);
    },
  );

  test.each([
    ['a "b" {\n  x = 1\n', '3:1', 'syntax error'],
    ['a {}\n}\n', '2:1', 'syntax error'],
    ['a {\n  x = = 1\n}\n', '2:7', 'syntax error'],
    ['a {\n  x = "1\n}\n', '2:7', 'syntax error'],
    ['a {}\n\nx = 1\n', '3:1', 'an argument outside of a block'],
    ['a "${b}" {}\n', '1:3', 'invalid label'],
    ['a {\n  x = 2e10\n}\n', '3:1', 'syntax error'],
  ])('refuses %j and names the place', async (text, place, what) => {
    await expect(parseText(text, 'waf/main.tf')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`waf/main.tf:${place}: ${what}`),
    });
  });

  test('says nothing of what the file holds when it refuses it', async () => {
    const broken = parseText('provider "x" {\n  token = "s3cr3t" "s3cr3t"\n}\n');
    await expect(broken).rejects.toThrow('main.tf:2:');
    await expect(broken).rejects.not.toThrow('s3cr3t');
  });

  const nested = (depth: number): string =>
    `first {}\na {\n  x = ${'['.repeat(depth)}${']'.repeat(depth)}\n}\n`;

  test.each([501, 20_000])('refuses %d nested brackets', async (depth) => {
    await expect(parseText(nested(depth))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'main.tf:2:1: nested more than 500 deep',
    });
  });

  test('reads what is nested less, and counts each block for itself', async () => {
    expect((await parseText(nested(400))).blocks).toHaveLength(2);
    const unbalanced = 'a {\n  x = "(((("\n}\n';
    expect((await parseText(unbalanced.repeat(200))).blocks).toHaveLength(200);
  });
});

describe('parsing a .tf.json file', () => {
  const json = (text: string): Promise<string[]> => placed(text, 'main.tf.json');

  test('gives the item where a level is an array', async () => {
    const text =
      '[{"resource": [{"x": [{"y": [{}]}]}, {"x": {"z": {}}}]}, {"import": [{"to": "x.y"}, {"to": "x.z"}]}]';
    expect(await json(text)).toEqual([
      '1-1 x.y: {}',
      '1-1 x.z: "z": {}',
      '1-1 import: {"to": "x.y"}',
      '1-1 import: {"to": "x.z"}',
    ]);
  });

  test('passes over comments and what declares nothing', async () => {
    expect(await json('{"//": {"a": 1}, "//": 2, "import": [], "variable": {"v": null}}')).toEqual(
      [],
    );
  });

  test.each([
    ['{"resource": {"x": 1}}', '1:20', 'expected an object'],
    ['{"resource": {"x": {"y": true}}}', '1:26', 'expected the body of a block'],
    ['{\n  "a": {},\n}', '3:1', 'property name expected'],
    ['\ufeff{}', '1:1', 'invalid symbol'],
    ['', '1:1', 'value expected'],
    ['{} {}', '1:4', 'end of file expected'],
    ['{"locals": "x"}', '1:12', 'expected the body of a block'],
    ['{"a" 1}', '1:6', 'colon expected'],
    ['{"a": [1 2]}', '1:10', 'comma expected'],
    ['{"a": "\\x"}', '1:7', 'invalid escape character'],
    [`{"x": ${'['.repeat(600)}${']'.repeat(600)}}`, '1:507', 'nested more than 500 deep'],
    [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, '1:1', 'nested more than 500 deep'],
    ['{"locals": {}, "x": {}, "locals": {}}', '1:25', 'another property "locals"'],
    ['{"x": [{"y": 1, "y": 2}]}', '1:17', 'another property "y"'],
  ])('refuses %.40j and names the place', async (text, place, what) => {
    await expect(parseText(text, 'main.tf.json')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`main.tf.json:${place}: ${what}`),
    });
  });

  test.each([
    ...['resource', 'data', 'ephemeral', 'action', 'list'].map((type) => [type, 2] as const),
    ...['module', 'variable', 'output', 'provider', 'check'].map((type) => [type, 1] as const),
    ['locals', 0] as const,
  ])('gives blocks of the type %s %i labels', async (type, count) => {
    const labels = ['a', 'b'].slice(0, count);
    const body = labels.reduceRight<object>((inner, label) => ({ [label]: inner }), {
      x: { y: 1 },
    });
    const { blocks } = await parseText(JSON.stringify({ [type]: body }), 'main.tf.json');
    expect(blocks.map((block) => block.labels)).toEqual([labels]);
  });
});

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
  return plain(file.blocks[1]!.body);
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
