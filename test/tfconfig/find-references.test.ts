import { findReferences } from '../../src/tfconfig/find-references';
import { filesOf, line, openProject, referencesIn } from './open-project';

const old = 'resource "cloudflare_waf_rule" "a" {}\ndata "cloudflare_waf_rules" "d" {}\n';
/** Who refers to one of the two blocks above, from the third line on. */
const inRoot = (text: string): Promise<string[]> => referencesIn({ 'main.tf': old + text });

describe('who refers to a block that is to go', () => {
  test.each([
    ['an output', 'output "o" { value = cloudflare_waf_rule.a.id }', 'output.o'],
    ['a local value', 'locals {\n  x = 1\n  y = [cloudflare_waf_rule.a]\n}', 'local.y', 5],
    ['depends_on', 'resource "b" "c" { depends_on = [cloudflare_waf_rule.a] }', 'b.c'],
    [
      'depends_on as before 0.12',
      'resource "b" "c" { depends_on = ["cloudflare_waf_rule.a"] }',
      'b.c',
    ],
    ['a template', 'resource "b" "c" { d = "x${upper("${cloudflare_waf_rule.a.id}")}" }', 'b.c'],
    ['a heredoc', 'resource "b" "c" {\n  d = <<E\n${cloudflare_waf_rule.a.id}\nE\n}', 'b.c', 5],
    [
      'a directive',
      'output "o" { value = "%{ if cloudflare_waf_rule.a.id == 1 }%{ endif }" }',
      'output.o',
    ],
    ['a splat', 'output "o" { value = cloudflare_waf_rule.a[*].id }', 'output.o'],
    ['an index', 'output "o" { value = cloudflare_waf_rule.a["x"].id }', 'output.o'],
    ['an index of its own', 'output "o" { value = x[cloudflare_waf_rule.a.id].y }', 'output.o'],
    ['an old splat', 'output "o" { value = cloudflare_waf_rule.a.*.id }', 'output.o'],
    ['provider in quotes', 'resource "b" "c" { provider = "cloudflare_waf_rule.a" }', 'b.c'],
    ['two comments inside', 'output "o" { value = (cloudflare_waf_rule . /* 2 */ a) }', 'output.o'],
    [
      'what is beside an exponent',
      'output "o" { value = cloudflare_waf_rule.a.x-2e10 }',
      'output.o',
    ],
    ['the long form', 'output "o" { value = resource.cloudflare_waf_rule.a.id }', 'output.o'],
    [
      'blanks and comments inside',
      'output "o" { value = (cloudflare_waf_rule /* x */ . a\n) }',
      'output.o',
    ],
    ['a loop', 'output "o" { value = [for x in cloudflare_waf_rule.a : x] }', 'output.o'],
    ['the key of a map', 'output "o" { value = { (cloudflare_waf_rule.a.id) = 1 } }', 'output.o'],
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

  test('for_each over a data source', async () => {
    expect(
      await inRoot('resource "b" "c" { for_each = toset(data.cloudflare_waf_rules.d.rules) }\n'),
    ).toEqual(['main.tf:3 b.c → data.cloudflare_waf_rules.d (breaks)']);
  });

  test('not moved and removed, which break nothing', async () => {
    const text =
      'moved {\n  from = cloudflare_waf_rule.old\n  to = cloudflare_waf_rule.a\n}\nremoved {\n  from = cloudflare_waf_rule.a\n}\n';
    expect(await inRoot(text)).toEqual([]);
  });

  test.each([
    ['a comment', '# cloudflare_waf_rule.a.id'],
    ['a string', 'output "o" { value = "cloudflare_waf_rule.a.id" }'],
    [
      'an escaped template',
      'output "o" { value = "$${cloudflare_waf_rule.a.id} $$${cloudflare_waf_rule.a}" }',
    ],
    ['a key of a map', 'output "o" { value = { cloudflare_waf_rule = { a = 1 } } }'],
    ['an attribute of something else', 'output "o" { value = x.cloudflare_waf_rule.a }'],
    ['a comment that reads like depends_on', '# depends_on = ["cloudflare_waf_rule.a"]'],
    ['a comment before a string', 'locals { v = /* depends_on = */ "cloudflare_waf_rule.a" }'],
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

  test('what is made of a local value or an output that breaks', async () => {
    const child =
      'resource "cloudflare_waf_rule" "a" {}\noutput "ids" { value = cloudflare_waf_rule.a.id }\noutput "other" { value = b.c.id }\nresource "b" "c" {}\n';
    const middle =
      'module "in" { source = "../child" }\nlocals { ids = module.in.ids }\noutput "up" { value = local.ids }\n';
    const root =
      'module "m" {\n  source = "./middle"\n  count = 2\n}\noutput "o" { value = module.m[*].up }\nresource "x" "y" { a = module.m[0].up }\n';
    expect(
      await referencesIn({ 'main.tf': root, 'middle/m.tf': middle, 'child/c.tf': child }),
    ).toEqual([
      'child/c.tf:2 output.ids → cloudflare_waf_rule.a (breaks)',
      'main.tf:5 output.o → module.m.up (breaks)',
      'main.tf:6 x.y → module.m.up (breaks)',
      'middle/m.tf:2 local.ids → module.in.ids (breaks)',
      'middle/m.tf:3 output.up → local.ids (breaks)',
    ]);
  });

  test('what reads a module as a whole, of which an output breaks', async () => {
    const root =
      'module "m" { source = "./m" }\noutput "all" { value = [for m in module.m : m.id] }\noutput "one" { value = module.m["id"] }\nresource "x" "y" { depends_on = [module.m] }\n';
    const child =
      'resource "cloudflare_waf_rule" "a" {}\nresource "b" "c" {}\noutput "id" { value = cloudflare_waf_rule.a.id }\n';
    expect(await referencesIn({ 'main.tf': root, 'm/m.tf': child })).toEqual([
      'm/m.tf:3 output.id → cloudflare_waf_rule.a (breaks)',
      'main.tf:2 output.all → module.m.* (breaks)',
      'main.tf:3 output.one → module.m.* (breaks)',
    ]);
  });

  test('blocks of the root that name a resource of a module', async () => {
    const root =
      'module "m" {\n  source = "./m"\n}\nmoved {\n  from = module.x.cloudflare_waf_rule.a\n  to = module.m["k"].cloudflare_waf_rule.a\n}\nimport {\n  to = module.m.cloudflare_waf_rule.a[0]\n  id = "x"\n}\n';
    const files = {
      'main.tf': root,
      'm/m.tf': 'resource "cloudflare_waf_rule" "a" {}\nresource "b" "c" {}\n',
    };
    expect(await referencesIn(files)).toEqual([
      'main.tf:9 import → module.m.cloudflare_waf_rule.a (breaks)',
    ]);
  });

  test('an override of a block that goes, when it is to stay', async () => {
    const project = await openProject({
      'main.tf': 'resource "cloudflare_waf_rule" "a" {}\n',
      'override.tf': '\nresource "cloudflare_waf_rule" "a" {}\n',
    });
    const [main] = filesOf(project);
    const found = findReferences(project, new Set(main?.blocks));
    expect(found.map(line)).toEqual([
      'override.tf:2 cloudflare_waf_rule.a → cloudflare_waf_rule.a (breaks)',
    ]);
  });

  test('tells line, column and the reference itself, and not the line with it', async () => {
    const project = await openProject({
      'main.tf': `${old}output "o" { value = ["s3cr3t", cloudflare_waf_rule.a["k"].id] }\n`,
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
      'a.tf': `${old}locals { v = [cloudflare_waf_rule.a, ${long}, cloudflare_waf_rule.a] }\n`,
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

  test('nothing, where nothing is removed', async () => {
    const project = await openProject({ 'main.tf': 'variable "unused" {}\n' });
    expect(findReferences(project, new Set())).toEqual([]);
  });
});

describe('who refers to a block that is to go, in JSON', () => {
  const inJson = (rest: object): Promise<string[]> =>
    referencesIn({
      'main.tf.json': JSON.stringify({
        resource: { cloudflare_waf_rule: { a: {} }, ...rest },
      }),
    });

  test.each([
    ['a template', { x: { y: { v: 'x ${cloudflare_waf_rule.a.id} "\\ 2e10' } } }],
    ['depends_on', { x: { y: { depends_on: ['cloudflare_waf_rule.a'] } } }],
    [
      'replace_triggered_by',
      { x: { y: { lifecycle: { replace_triggered_by: ['cloudflare_waf_rule.a.id'] } } } },
    ],
    [
      'a template of several lines',
      { x: { y: { v: ['T\nTT\n${cloudflare_waf_rule.a.id + 2e10}'] } } },
    ],
  ])('%s', async (_, rest) => {
    expect(await inJson(rest)).toEqual(['main.tf.json:1 x.y → cloudflare_waf_rule.a (breaks)']);
  });

  test.each([
    ['a literal', { x: { y: { v: 'cloudflare_waf_rule.a.id' } } }],
    ['an escaped template', { x: { y: { v: '$${cloudflare_waf_rule.a.id}' } } }],
    ['a comment', { x: { y: { '//': '${cloudflare_waf_rule.a.id' } } }],
  ])('not %s', async (_, rest) => {
    expect(await inJson(rest)).toEqual([]);
  });

  test('moved and import, whose addresses are no templates', async () => {
    const text = JSON.stringify({
      resource: { cloudflare_waf_rule: { a: {} } },
      moved: { from: 'cloudflare_waf_rule.z', to: 'cloudflare_waf_rule.a' },
      import: [{ to: 'cloudflare_waf_rule.a["$${jndi:x} \\"q\\""]', id: 'x' }],
    });
    expect(await referencesIn({ 'main.tf.json': text })).toEqual([
      'main.tf.json:1 import → cloudflare_waf_rule.a (breaks)',
    ]);
  });

  test('refuses a string that is no template', async () => {
    await expect(inJson({ x: { y: { v: '${cloudflare_waf_rule.a.id' } } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/^main\.tf\.json:1:\d+: syntax error in a template$/),
    });
  });
});

const broken = async (files: Readonly<Record<string, string>>): Promise<string[]> =>
  (await referencesIn(files)).filter((one) => one.endsWith('(breaks)'));
/** Who refers to these blocks, each given as `file address`, when they go. */
async function withoutBlocks(
  files: Readonly<Record<string, string>>,
  ...gone: readonly string[]
): Promise<string[]> {
  const project = await openProject(files);
  const blocks = filesOf(project).flatMap((file) =>
    file.blocks.filter(({ address }) => gone.includes(`${file.path} ${address}`)),
  );
  return findReferences(project, new Set(blocks)).map(line);
}

const rule = 'resource "cloudflare_waf_rule" "a" {}\n';

describe('what breaks with a block that goes', () => {
  test('is not what only refers to a resource that refers to it', async () => {
    const files = {
      'main.tf': 'module "m" {\n  source = "./m"\n}\noutput "whole" { value = module.m }\n',
      'm/m.tf': `${rule}resource "b" "c" { d = cloudflare_waf_rule.a.id }\noutput "o" { value = b.c.d }\n`,
    };
    expect(await broken(files)).toEqual(['m/m.tf:2 b.c → cloudflare_waf_rule.a (breaks)']);
  });

  test('is not what only waits for a module that is given it', async () => {
    const files = {
      'main.tf': `${rule}module "n" {\n  source = "./n"\n  x = cloudflare_waf_rule.a.id\n}\nresource "b" "c" { depends_on = [module.n] }\n`,
      'n/n.tf': 'variable "x" {}\nresource "b" "c" { d = var.x }\n',
    };
    expect(await broken(files)).toEqual(['main.tf:4 module.n → cloudflare_waf_rule.a (breaks)']);
  });

  test('is no module that is read as a whole, where each of its outputs stays', async () => {
    const files = {
      'main.tf': 'module "m" {\n  source = "./m"\n}\noutput "whole" { value = module.m }\n',
      'm/m.tf': `${rule}resource "b" "c" {}\noutput "id" { value = b.c.id }\n`,
    };
    expect(await broken(files)).toEqual([]);
  });

  test('is a local value that reads such a module as a whole, and nothing that is made of it', async () => {
    const files = {
      'main.tf':
        'module "m" {\n  source = "./m"\n}\nlocals { m = module.m }\noutput "o" { value = local.m.other }\n',
      'm/m.tf': `${rule}resource "b" "c" {}\noutput "id" { value = cloudflare_waf_rule.a.id }\n`,
    };
    expect(await broken(files)).toEqual([
      'm/m.tf:3 output.id → cloudflare_waf_rule.a (breaks)',
      'main.tf:4 local.m → module.m.* (breaks)',
    ]);
  });

  test('is an attribute of an output that breaks', async () => {
    const files = {
      'main.tf': 'module "m" {\n  source = "./m"\n}\noutput "o" { value = module.m.rule.id }\n',
      'm/m.tf': `${rule}resource "b" "c" {}\noutput "rule" { value = cloudflare_waf_rule.a }\n`,
    };
    expect(await broken(files)).toContain('main.tf:4 output.o → module.m.rule (breaks)');
  });

  test('is no output of another module with the same name', async () => {
    const files = {
      'main.tf':
        'module "m" {\n  source = "./m"\n}\nmodule "n" {\n  source = "./n"\n}\noutput "o" { value = module.n.id }\n',
      'm/m.tf': `${rule}output "id" { value = cloudflare_waf_rule.a.id }\n`,
      'n/n.tf': 'output "id" { value = 1 }\n',
    };
    expect(await broken(files)).toEqual(['m/m.tf:2 output.id → cloudflare_waf_rule.a (breaks)']);
  });

  test('is no output that is called as the type is', async () => {
    const files = {
      'main.tf':
        'module "m" {\n  source = "./m"\n}\noutput "o" { value = module.m.cloudflare_waf_rule.a }\n',
      'm/m.tf': `${rule}output "cloudflare_waf_rule" { value = { a = 1 } }\n`,
    };
    expect(await broken(files)).toEqual([]);
  });

  test('is no removed block that names a resource of a module', async () => {
    const files = {
      'main.tf':
        'module "m" {\n  source = "./m"\n}\nremoved {\n  from = module.m.cloudflare_waf_rule.a\n}\n',
      'm/m.tf': `${rule}resource "b" "c" {}\n`,
    };
    expect(await referencesIn(files)).toEqual([]);
  });

  test('is what reads an output that goes itself', async () => {
    const files = {
      'main.tf': 'module "m" {\n  source = "./m"\n}\noutput "o" { value = module.m.id }\n',
      'm/m.tf': 'resource "b" "c" {}\noutput "id" { value = b.c.id }\n',
    };
    expect(await withoutBlocks(files, 'm/m.tf output.id')).toEqual([
      'main.tf:4 output.o → module.m.id (breaks)',
    ]);
  });

  test('is nothing where an override alone goes', async () => {
    const files = {
      'main.tf': `${rule}output "o" { value = cloudflare_waf_rule.a.id }\n`,
      'override.tf': rule,
    };
    expect(await withoutBlocks(files, 'override.tf cloudflare_waf_rule.a')).toEqual([]);
  });
});

const ruleNamed = (name: string) => `resource "cloudflare_waf_rule" "${name}" {}\n`;

/** Who refers to the first block of a file when that block goes. */
async function withoutFirstOf(
  path: string,
  files: Readonly<Record<string, string>>,
): Promise<string[]> {
  const project = await openProject(files);
  const file = filesOf(project).find((one) => one.path === path);
  return findReferences(project, new Set(file?.blocks.slice(0, 1))).map(line);
}

describe('an override that is to stay', () => {
  test('breaks where the block that it overrides goes, and no other does', async () => {
    const files = {
      'main.tf': ruleNamed('a') + ruleNamed('b'),
      'a_override.tf': ruleNamed('b') + ruleNamed('a'),
    };
    expect(await withoutFirstOf('main.tf', files)).toEqual([
      'a_override.tf:2 cloudflare_waf_rule.a → cloudflare_waf_rule.a (breaks)',
    ]);
  });

  test('breaks nowhere where only another override goes', async () => {
    const files = {
      'main.tf': ruleNamed('a'),
      'a_override.tf': ruleNamed('a'),
      'b_override.tf': ruleNamed('a'),
    };
    expect(await withoutFirstOf('a_override.tf', files)).toEqual([]);
  });

  test('is in a file of overrides: a block that is there twice is none', async () => {
    expect(await withoutFirstOf('main.tf', { 'main.tf': ruleNamed('a') + ruleNamed('a') })).toEqual(
      [],
    );
  });
});

test('what breaks is not named once more as what nothing refers to', async () => {
  const text = [
    'resource "cloudflare_waf_rule" "a" { x = local.y }',
    'resource "cloudflare_waf_rule" "b" {}',
    'locals { y = cloudflare_waf_rule.b.id }',
  ].join('\n');
  expect(await referencesIn({ 'main.tf': text })).toEqual([
    'main.tf:3 local.y → cloudflare_waf_rule.b (breaks)',
  ]);
});

const inSecondOfTwo = (rest: object): Promise<string[]> =>
  referencesIn({
    'main.tf.json': JSON.stringify([{ resource: { cloudflare_waf_rule: { a: {} } } }, rest]),
  });

describe('who refers to a block that is to go, in another object of JSON', () => {
  test.each([
    ['provider', { resource: { x: { y: { provider: 'cloudflare_waf_rule.a' } } } }, 'x.y'],
    [
      'providers',
      { module: { m: { source: 'x', providers: { p: 'cloudflare_waf_rule.a' } } } },
      'module.m',
    ],
    [
      'a template in depends_on',
      { resource: { x: { y: { depends_on: ['${cloudflare_waf_rule.a}'] } } } },
      'x.y',
    ],
    [
      'a template in an import',
      { import: { to: 'x.y', id: '${cloudflare_waf_rule.a.id}' } },
      'import',
    ],
  ])('%s', async (_, rest, from) => {
    expect(await inSecondOfTwo(rest)).toEqual([
      `main.tf.json:1 ${from} → cloudflare_waf_rule.a (breaks)`,
    ]);
  });

  test.each([
    ['removed', { removed: { from: 'cloudflare_waf_rule.a' } }],
    ['moved', { moved: { from: 'cloudflare_waf_rule.a', to: 'x.y' } }],
  ])('%s, which breaks nothing', async (_, rest) => {
    expect(await inSecondOfTwo(rest)).toEqual([]);
  });

  test.each([
    ['the id of an import', { import: { to: 'x.y', id: 'cloudflare_waf_rule.a' } }],
    ['an argument called to', { resource: { x: { y: { to: 'cloudflare_waf_rule.a' } } } }],
    ['a type alone', { resource: { x: { y: { depends_on: ['cloudflare_waf_rule'] } } } }],
    ['numbers and truths', { resource: { x: { y: { depends_on: [1, true, null] } } } }],
  ])('not %s', async (_, rest) => {
    expect(await inSecondOfTwo(rest)).toEqual([]);
  });
});

test.each([
  [
    'main.tf',
    'resource "x" "y" {\n  depends_on = ["module.m"]\n}\nmodule "m" {\n  source = "./m"\n}\n',
  ],
  [
    'main.tf.json',
    JSON.stringify({
      resource: { x: { y: { depends_on: ['module.m'] } } },
      module: { m: { source: './m' } },
    }),
  ],
])('what is ordered behind a module reads none of its outputs: %s', async (path, text) => {
  const child =
    'resource "cloudflare_waf_rule" "a" {}\nresource "b" "c" {}\noutput "id" { value = cloudflare_waf_rule.a.id }\n';
  expect(await referencesIn({ [path]: text, 'm/m.tf': child })).toEqual([
    'm/m.tf:3 output.id → cloudflare_waf_rule.a (breaks)',
  ]);
});
