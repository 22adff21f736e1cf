import { loadHclGrammar } from '../../src/tfconfig/hcl-grammar';
import { parseConfig } from '../../src/tfconfig/parse-config';
import { parseText } from './open-project';

/** The blocks of a text as `first-last address`, and the text of each. */
async function placed(text: string, path?: string): Promise<string[]> {
  const file = await parseText(text, path);
  return file.blocks.map(
    ({ address, range }) =>
      `${range.startLine}-${range.endLine} ${address}: ${text.slice(range.start, range.end)}`,
  );
}

describe('parsing a .tf file', () => {
  test('gives every block with its exact range', async () => {
    const text = 'locals {\n  a = 1\n}\n\nresource "x" "y" {}\n';
    expect(await placed(text)).toEqual([
      '1-3 locals: locals {\n  a = 1\n}',
      '5-5 x.y: resource "x" "y" {}',
    ]);
  });

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
    [
      'escapes behind more signs',
      'a "b" {\n  x = "$$${ $$$${ $$$$${ $$$$$${ %%%{ if %%%%{ if %%%%%{ if }"\n}',
    ],
    ['exponents, which the grammar refuses', 'a "b" {\n  x = [2e10, 12e10, 1E-3, 1e+4, 1.5e3]\n}'],
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

  test('keeps an exponent as it was', async () => {
    expect((await parseText('a { x = 2e10 }')).text).toBe('a { x = 2e10 }');
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
  ])('refuses %j and names the place', async (text, place, what) => {
    await expect(parseText(text, 'waf/main.tf')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`waf/main.tf:${place}: ${what}`),
    });
  });

  test('refuses bytes that are no UTF-8', async () => {
    const grammar = await loadHclGrammar();
    const source = { path: 'a.tf', bytes: Uint8Array.of(0x61, 0xff) };
    expect(() => parseConfig(source, grammar)).toThrow('a.tf is not UTF-8 text');
  });

  test('says nothing of what the file holds when it refuses it', async () => {
    const broken = parseText('provider "x" {\n  token = "s3cr3t" "s3cr3t"\n}\n');
    await expect(broken).rejects.toThrow('main.tf:2:');
    await expect(broken).rejects.not.toThrow('s3cr3t');
  });

  test('is not stopped by brackets nested as deep as a file can hold', async () => {
    const text = `a {\n  x = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n}\n`;
    expect((await parseText(text)).blocks).toHaveLength(1);
  });
});

describe('parsing a .tf.json file', () => {
  const json = (text: string): Promise<string[]> => placed(text, 'main.tf.json');

  test('gives the property of every block', async () => {
    expect(await json('{"resource": {"x": {"y": {"a": 1}, "z": {}}}, "locals": {"b": 2}}')).toEqual(
      ['1-1 x.y: "y": {"a": 1}', '1-1 x.z: "z": {}', '1-1 locals: "locals": {"b": 2}'],
    );
  });

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

  test('reads both of two properties with one name, as Terraform does', async () => {
    expect(await json('{"locals": {}, "resource": {"x": {"y": {}}}, "locals": {}}')).toHaveLength(
      3,
    );
  });

  test('passes over comments and what declares nothing', async () => {
    expect(await json('{"//": {"a": 1}, "import": [], "variable": {"v": null}}')).toEqual([]);
  });

  test.each([
    ['{"resource": {"x": 1}}', '1:20', 'expected an object'],
    ['{"resource": {"x": {"y": true}}}', '1:26', 'expected the body of a block'],
    ['{\n  "a": {},\n}', '3:1', 'property name expected'],
    ['\ufeff{}', '1:1', 'invalid symbol'],
    ['', '1:1', 'value expected'],
    ['{} {}', '1:4', 'end of file expected'],
    [`${'['.repeat(300)}${']'.repeat(300)}`, '1:1', 'nested too deeply'],
  ])('refuses %.40j and names the place', async (text, place, what) => {
    await expect(parseText(text, 'main.tf.json')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`main.tf.json:${place}: ${what}`),
    });
  });
});
