import { findReferences } from '../../src/tfconfig/find-references';
import { filesOf, line, openProject, referencesIn } from './open-project';

const legacy = 'resource "cloudflare_waf_rule" "a" {}\ndata "cloudflare_waf_rules" "d" {}\n';
/** Who refers to one of the two blocks above, from the third line on. */
const inRoot = (text: string): Promise<string[]> => referencesIn({ 'main.tf': legacy + text });

describe('who refers to a block that is removed', () => {
  test.each([
    ['an output', 'output "o" { value = cloudflare_waf_rule.a.id }', 'output.o'],
    ['a local value', 'locals {\n  x = 1\n  y = [cloudflare_waf_rule.a]\n}', 'local.y', 5],
    ['depends_on', 'resource "b" "c" { depends_on = [cloudflare_waf_rule.a] }', 'b.c'],
    ['a template', 'resource "b" "c" { d = "x${upper("${cloudflare_waf_rule.a.id}")}" }', 'b.c'],
    ['a heredoc', 'resource "b" "c" {\n  d = <<E\n${cloudflare_waf_rule.a.id}\nE\n}', 'b.c', 5],
    [
      'a directive',
      'output "o" { value = "%{ if cloudflare_waf_rule.a.id == 1 }%{ endif }" }',
      'output.o',
    ],
    ['an index of its own', 'output "o" { value = x[cloudflare_waf_rule.a.id].y }', 'output.o'],
    ['an old splat', 'output "o" { value = cloudflare_waf_rule.a.*.id }', 'output.o'],
    ['the long form', 'output "o" { value = resource.cloudflare_waf_rule.a.id }', 'output.o'],
    [
      'blanks and comments inside',
      'output "o" { value = (cloudflare_waf_rule /* x */ . a\n) }',
      'output.o',
    ],
    ['a loop', 'output "o" { value = [for x in cloudflare_waf_rule.a : x] }', 'output.o'],
    [
      'a nested block',
      'resource "b" "c" {\n  d {\n    e = cloudflare_waf_rule.a\n  }\n}',
      'b.c',
      5,
    ],
    [
      'the argument of a module',
      'module "m" {\n  source = "x"\n  y = cloudflare_waf_rule.a\n}',
      'module.m',
      5,
    ],
    [
      'replace_triggered_by',
      'resource "b" "c" {\n  lifecycle {\n    replace_triggered_by = [cloudflare_waf_rule.a]\n  }\n}',
      'b.c',
      5,
    ],
    ['an import', 'import {\n  to = cloudflare_waf_rule.a\n  id = "x"\n}', 'import', 4],
  ])('%s', async (_, text, from, at = 3) => {
    expect(await inRoot(`${text}\n`)).toEqual([
      `main.tf:${at} ${from} → cloudflare_waf_rule.a (breaks)`,
    ]);
  });

  test('not moved and removed, which break nothing', async () => {
    const text =
      'moved {\n  from = cloudflare_waf_rule.old\n  to = cloudflare_waf_rule.a\n}\nremoved {\n  from = cloudflare_waf_rule.a\n}\n';
    expect(await inRoot(text)).toEqual([]);
  });

  test.each([
    ['a comment', '# cloudflare_waf_rule.a.id'],
    ['a string', 'output "o" { value = "cloudflare_waf_rule.a.id" }'],
    ['an escaped template', 'output "o" { value = "$${cloudflare_waf_rule.a.id}" }'],
    ['a key of a map', 'output "o" { value = { cloudflare_waf_rule = { a = 1 } } }'],
    ['an attribute of something else', 'output "o" { value = x.cloudflare_waf_rule.a }'],
    ['a type alone', 'output "o" { value = cloudflare_waf_rule }'],
    ['another block of the type', 'output "o" { value = cloudflare_waf_rule.b.id }'],
    ['a resource where a data source goes', 'output "o" { value = cloudflare_waf_rules.d }'],
    [
      'a block that goes, too',
      'resource "cloudflare_waf_group" "g" { depends_on = [cloudflare_waf_rule.a] }',
    ],
  ])('not %s', async (_, text) => {
    expect(await inRoot(`${text}\n`)).toEqual([]);
  });

  test('a name of a loop that reads like a reference: the block is kept, which is safe', async () => {
    const text = 'output "o" { value = [for data in x : data.cloudflare_waf_rules.d] }\n';
    expect(await inRoot(text)).toEqual([
      'main.tf:3 output.o → data.cloudflare_waf_rules.d (breaks)',
    ]);
  });

  test('tells line, column and the reference itself, and not the line with it', async () => {
    const project = await openProject({
      'main.tf': `${legacy}output "o" { value = ["s3cr3t", cloudflare_waf_rule.a["k"].id] }\n`,
    });
    const going = new Set(filesOf(project)[0]?.blocks.slice(0, 1));
    expect(findReferences(project, going)).toEqual([
      {
        address: 'cloudflare_waf_rule.a',
        from: 'output.o',
        file: 'main.tf',
        line: 3,
        column: 33,
        text: 'cloudflare_waf_rule.a["k"].id',
      },
    ]);
  });

  test('in the order of file, line and column, each once, and a long text cut', async () => {
    const long = `cloudflare_waf_rule.a.${'x'.repeat(200)}`;
    const project = await openProject({
      'a.tf': `${legacy}locals { v = [cloudflare_waf_rule.a, ${long}, cloudflare_waf_rule.a] }\n`,
      'a.tf.json': JSON.stringify({
        locals: { v: '${cloudflare_waf_rule.a} ${cloudflare_waf_rule.a}' },
      }),
    });
    const going = new Set(filesOf(project)[0]?.blocks.slice(0, 1));
    const found = findReferences(project, going);
    expect(found.map((one) => `${one.file}:${one.line}:${one.column} ${one.text.length}`)).toEqual([
      'a.tf:3:15 21',
      'a.tf:3:38 200',
      'a.tf:3:262 21',
      'a.tf.json:1:16 21',
    ]);
  });
});

/** The JSON of a block that goes, and of what may refer to it, in another object. */
const inJson = (rest: object): Promise<string[]> =>
  referencesIn({
    'main.tf.json': JSON.stringify([{ resource: { cloudflare_waf_rule: { a: {} } } }, rest]),
  });
const resource = (body: object) => ({ resource: { x: { y: body } } });

describe('who refers to a block that is removed, in JSON', () => {
  test.each<[string, object, string?]>([
    ['a template', resource({ v: 'x ${cloudflare_waf_rule.a.id} "\\' })],
    ['a template of several lines', resource({ v: ['T\nTT\n${cloudflare_waf_rule.a.id + 1}'] })],
    ['depends_on', resource({ depends_on: ['cloudflare_waf_rule.a'] })],
    ['a template in depends_on', resource({ depends_on: ['${cloudflare_waf_rule.a}'] })],
    [
      'replace_triggered_by',
      resource({ lifecycle: { replace_triggered_by: ['cloudflare_waf_rule.a.id'] } }),
    ],
    [
      'a template in an import',
      { import: { to: 'x.y', id: '${cloudflare_waf_rule.a.id}' } },
      'import',
    ],
    [
      'the address of an import, which is no template',
      { import: [{ to: 'cloudflare_waf_rule.a["$${jndi:x} \\"q\\""]', id: 'x' }] },
      'import',
    ],
  ])('%s', async (_, rest, from = 'x.y') => {
    expect(await inJson(rest)).toEqual([`main.tf.json:1 ${from} → cloudflare_waf_rule.a (breaks)`]);
  });

  test.each([
    ['a literal', resource({ v: 'cloudflare_waf_rule.a.id' })],
    ['an escaped template', resource({ v: '$${cloudflare_waf_rule.a.id}' })],
    ['a comment', resource({ '//': '${cloudflare_waf_rule.a.id' })],
    ['removed', { removed: { from: 'cloudflare_waf_rule.a' } }],
    ['moved', { moved: { from: 'cloudflare_waf_rule.z', to: 'cloudflare_waf_rule.a' } }],
    ['the id of an import', { import: { to: 'x.y', id: 'cloudflare_waf_rule.a' } }],
    ['an argument called to', resource({ to: 'cloudflare_waf_rule.a' })],
    ['a type', resource({ depends_on: ['cloudflare_waf_rule'] })],
    ['numbers and booleans', resource({ depends_on: [1, true, null] })],
  ])('not %s', async (_, rest) => {
    expect(await inJson(rest)).toEqual([]);
  });

  test('refuses a string that is no template', async () => {
    await expect(inJson(resource({ v: '${cloudflare_waf_rule.a.id' }))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/^main\.tf\.json:1:\d+: syntax error in a template$/),
    });
  });
});

const rule = 'resource "cloudflare_waf_rule" "a" {}\n';
const call = (name: string): string => `module "${name}" {\n  source = "./${name}"\n}\n`;
const idOfRule = 'output "id" { value = cloudflare_waf_rule.a.id }\n';

describe('what breaks with a block, through modules', () => {
  test.each<[string, Readonly<Record<string, string>>, string[]]>([
    [
      'what is made of a local value or an output',
      {
        'main.tf':
          'module "m" {\n  source = "./middle"\n  count = 2\n}\noutput "o" { value = module.m[*].up }\nresource "x" "y" { a = module.m[0].up }\n',
        'middle/m.tf':
          'module "in" { source = "../child" }\nlocals { ids = module.in.id }\noutput "up" { value = local.ids }\n',
        'child/c.tf': `${rule}${idOfRule}output "other" { value = b.c.id }\nresource "b" "c" {}\n`,
      },
      [
        'child/c.tf:2 output.id → cloudflare_waf_rule.a (breaks)',
        'main.tf:5 output.o → module.m.up (breaks)',
        'main.tf:6 x.y → module.m.up (breaks)',
        'middle/m.tf:2 local.ids → module.in.id (breaks)',
        'middle/m.tf:3 output.up → local.ids (breaks)',
      ],
    ],
    [
      'what reads the module as a whole, and not what only waits for it',
      {
        'main.tf': `${call('m')}output "all" { value = [for m in module.m : m.id] }\noutput "one" { value = module.m["id"] }\nresource "x" "y" { depends_on = [module.m] }\n`,
        'more.tf.json': JSON.stringify(resource({ depends_on: ['module.m'] })),
        'm/m.tf': `${rule}resource "b" "c" {}\n${idOfRule}`,
      },
      [
        'm/m.tf:3 output.id → cloudflare_waf_rule.a (breaks)',
        'main.tf:4 output.all → module.m.* (breaks)',
        'main.tf:5 output.one → module.m.* (breaks)',
      ],
    ],
    [
      'a local value that reads the module as a whole, and nothing made of it',
      {
        'main.tf': `${call('m')}locals { m = module.m }\noutput "o" { value = local.m.other }\n`,
        'm/m.tf': `${rule}resource "b" "c" {}\n${idOfRule}`,
      },
      [
        'm/m.tf:3 output.id → cloudflare_waf_rule.a (breaks)',
        'main.tf:4 local.m → module.m.* (breaks)',
      ],
    ],
    [
      'an attribute of an output that breaks',
      {
        'main.tf': `${call('m')}output "o" { value = module.m.rule.id }\n`,
        'm/m.tf': `${rule}resource "b" "c" {}\noutput "rule" { value = cloudflare_waf_rule.a }\n`,
      },
      [
        'm/m.tf:3 output.rule → cloudflare_waf_rule.a (breaks)',
        'main.tf:4 output.o → module.m.rule (breaks)',
      ],
    ],
    [
      'an import of the root, and not moved or removed blocks',
      {
        'main.tf': `${call('m')}moved {\n  from = module.x.cloudflare_waf_rule.a\n  to = module.m["k"].cloudflare_waf_rule.a\n}\nremoved {\n  from = module.m.cloudflare_waf_rule.a\n}\nimport {\n  to = module.m.cloudflare_waf_rule.a[0]\n  id = "x"\n}\n`,
        'm/m.tf': `${rule}resource "b" "c" {}\n`,
      },
      ['main.tf:12 import → module.m.cloudflare_waf_rule.a (breaks)'],
    ],
    [
      'only the resource that refers to it, and not what refers to that',
      {
        'main.tf': `${call('m')}output "whole" { value = module.m }\n`,
        'm/m.tf': `${rule}resource "b" "c" { d = cloudflare_waf_rule.a.id }\noutput "o" { value = b.c.d }\n`,
      },
      ['m/m.tf:2 b.c → cloudflare_waf_rule.a (breaks)'],
    ],
    [
      'only the module that gets it, and not what waits for that module',
      {
        'main.tf': `${rule}module "n" {\n  source = "./n"\n  x = cloudflare_waf_rule.a.id\n}\nresource "b" "c" { depends_on = [module.n] }\n`,
        'n/n.tf': 'variable "x" {}\nresource "b" "c" { d = var.x }\n',
      },
      ['main.tf:4 module.n → cloudflare_waf_rule.a (breaks)'],
    ],
    [
      'no module that is read as a whole, where each of its outputs stays',
      {
        'main.tf': `${call('m')}output "whole" { value = module.m }\n`,
        'm/m.tf': `${rule}resource "b" "c" {}\noutput "id" { value = b.c.id }\n`,
      },
      [],
    ],
    [
      'no output of another module with the same name',
      {
        'main.tf': `${call('m')}${call('n')}output "o" { value = module.n.id }\n`,
        'm/m.tf': rule + idOfRule,
        'n/n.tf': 'output "id" { value = 1 }\n',
      },
      ['m/m.tf:2 output.id → cloudflare_waf_rule.a (breaks)'],
    ],
    [
      'no output that is called as the type is',
      {
        'main.tf': `${call('m')}output "o" { value = module.m.cloudflare_waf_rule.a }\n`,
        'm/m.tf': `${rule}output "cloudflare_waf_rule" { value = { a = 1 } }\n`,
      },
      [],
    ],
  ])('%s', async (_, files, expected) => {
    expect(await referencesIn(files)).toEqual(expected);
  });
});

describe('what breaks with blocks of any kind', () => {
  /** What breaks with the blocks that are given as `file address`. */
  async function without(files: Readonly<Record<string, string>>, gone: string): Promise<string[]> {
    const project = await openProject(files);
    const blocks = filesOf(project).flatMap((file) =>
      file.blocks.filter(({ address }) => `${file.path} ${address}` === gone),
    );
    return findReferences(project, new Set(blocks)).map(line);
  }
  const output = 'output "o" { value = cloudflare_waf_rule.a.id }\n';

  test.each<[string, Readonly<Record<string, string>>, string, string[]]>([
    [
      'what reads an output that is removed',
      {
        'main.tf': `${call('m')}output "o" { value = module.m.id }\n`,
        'm/m.tf': 'resource "b" "c" {}\noutput "id" { value = b.c.id }\n',
      },
      'm/m.tf output.id',
      ['main.tf:4 output.o → module.m.id (breaks)'],
    ],
    ['nothing, where nothing is removed', { 'main.tf': rule + output }, '', []],
  ])('%s', async (_, files, gone, expected) => {
    expect(await without(files, gone)).toEqual(expected);
  });

  test('is named once', async () => {
    const text = [
      'resource "cloudflare_waf_rule" "a" { x = local.y }',
      'resource "cloudflare_waf_rule" "b" {}',
      'locals { y = cloudflare_waf_rule.b.id }',
    ].join('\n');
    expect(await referencesIn({ 'main.tf': text })).toEqual([
      'main.tf:3 local.y → cloudflare_waf_rule.b (breaks)',
    ]);
  });
});
