import { findReferences } from '../../src/tfconfig/find-references';
import { filesOf, openProject, referencesIn } from './open-project';

const legacy = 'resource "cloudflare_waf_rule" "a" {}\ndata "cloudflare_waf_rules" "d" {}\n';
/** Who refers to one of the two blocks above, from the third line on. */
const inRoot = (text: string): Promise<string[]> => referencesIn({ 'main.tf': legacy + text });
const output = (value: string, name = 'o'): string => `output "${name}" { value = ${value} }\n`;
const block = (body: string): string => `resource "b" "c" {\n  ${body}\n}\n`;
const A = 'cloudflare_waf_rule.a';

describe('who refers to a block that is removed', () => {
  test.each([
    ['an output', output(`${A}.id`), 'output.o'],
    ['a local value', `locals {\n  x = 1\n  y = [${A}]\n}`, 'local.y', 5],
    ['depends_on', block(`depends_on = [${A}]`), 'b.c', 4],
    ['a template', block('d = "x${upper("${cloudflare_waf_rule.a.id}")}"'), 'b.c', 4],
    ['a heredoc', block('d = <<E\n${cloudflare_waf_rule.a.id}\nE'), 'b.c', 5],
    ['a directive', output(`"%{ if ${A}.id == 1 }%{ endif }"`), 'output.o'],
    ['an index', output(`x[${A}.id].y`), 'output.o'],
    ['an old splat', output(`${A}.*.id`), 'output.o'],
    ['the long form', output(`resource.${A}.id`), 'output.o'],
    ['blanks and comments inside', output('(cloudflare_waf_rule /* x */ . a\n)'), 'output.o'],
    ['a loop', output(`[for x in ${A} : x]`), 'output.o'],
    ['a nested block', block(`d {\n    e = ${A}\n  }`), 'b.c', 5],
    ['the argument of a module', `module "m" {\n  source = "x"\n  y = ${A}\n}`, 'module.m', 5],
    [
      'replace_triggered_by',
      block(`lifecycle {\n    replace_triggered_by = [${A}]\n  }`),
      'b.c',
      5,
    ],
    ['an import', `import {\n  to = ${A}\n  id = "x"\n}`, 'import', 4],
  ])('%s', async (_, text, from, at = 3) => {
    expect(await inRoot(`${text}\n`)).toEqual([`main.tf:${at} ${from} → ${A} (breaks)`]);
  });

  test.each([
    ['moved', `moved {\n  from = cloudflare_waf_rule.old\n  to = ${A}\n}`],
    ['removed', `removed {\n  from = ${A}\n}`],
    ['a comment', `# ${A}.id`],
    ['a string', output(`"${A}.id"`)],
    ['an escaped template', output('"$${cloudflare_waf_rule.a.id}"')],
    ['a key of a map', output('{ cloudflare_waf_rule = { a = 1 } }')],
    ['an attribute of something else', output(`x.${A}`)],
    ['a type alone', output('cloudflare_waf_rule')],
    ['another block of the type', output('cloudflare_waf_rule.b.id')],
    ['a resource where a data source goes', output('cloudflare_waf_rules.d')],
    ['a block that goes, too', `resource "cloudflare_waf_group" "g" { depends_on = [${A}] }`],
  ])('not %s', async (_, text) => {
    expect(await inRoot(`${text}\n`)).toEqual([]);
  });

  test('a name of a loop that reads like a reference: the block is kept, which is safe', async () => {
    expect(await inRoot(output('[for data in x : data.cloudflare_waf_rules.d]'))).toEqual([
      'main.tf:3 output.o → data.cloudflare_waf_rules.d (breaks)',
    ]);
  });

  test('names the line and the reference, without the text around it', async () => {
    const project = await openProject({
      'main.tf': legacy + output(`["s3cr3t", ${A}["k"].id]`),
    });
    const going = new Set(filesOf(project)[0]?.blocks.slice(0, 1));
    expect(findReferences(project, going)).toEqual([
      {
        address: 'cloudflare_waf_rule.a',
        from: 'output.o',
        file: 'main.tf',
        line: 3,
        text: 'cloudflare_waf_rule.a["k"].id',
      },
    ]);
  });

  test('in the order of the files, each once per line, and a long text cut', async () => {
    const long = `${A}.${'x'.repeat(200)}`;
    const project = await openProject({
      'a.tf': `${legacy}locals { v = [${A}, ${long}, ${A}] }\n`,
      'a.tf.json': JSON.stringify({
        locals: { v: '${cloudflare_waf_rule.a} ${cloudflare_waf_rule.a}' },
      }),
    });
    const going = new Set(filesOf(project)[0]?.blocks.slice(0, 1));
    const found = findReferences(project, going);
    expect(found.map((one) => `${one.file}:${one.line} ${one.text.length}`)).toEqual([
      ...['a.tf:3 21', 'a.tf:3 200', 'a.tf.json:1 21'],
    ]);
  });
});

/** The JSON of a block that goes, and of what may refer to it, in another object. */
const inJson = (rest: object): Promise<string[]> =>
  referencesIn({
    'main.tf.json': JSON.stringify([{ resource: { cloudflare_waf_rule: { a: {} } } }, rest]),
  });
const resource = (body: object) => ({ resource: { x: { y: body } } });

const TEMPLATE = '${cloudflare_waf_rule.a.id}';

describe('who refers to a block that is removed, in JSON', () => {
  test.each<[string, object, string?]>([
    ['a template', resource({ v: `x ${TEMPLATE} "\\` })],
    ['a template of several lines', resource({ v: ['T\nTT\n${cloudflare_waf_rule.a.id + 1}'] })],
    ['depends_on', resource({ depends_on: [A] })],
    ['a template in depends_on', resource({ depends_on: [TEMPLATE] })],
    ['replace_triggered_by', resource({ lifecycle: { replace_triggered_by: [`${A}.id`] } })],
    ['a template in an import', { import: { to: 'x.y', id: TEMPLATE } }, 'import'],
    [
      'the address of an import, which is no template',
      { import: [{ to: `${A}["$\${jndi:x} \\"q\\""]`, id: 'x' }] },
      'import',
    ],
  ])('%s', async (_, rest, from = 'x.y') => {
    expect(await inJson(rest)).toEqual([`main.tf.json:1 ${from} → ${A} (breaks)`]);
  });

  test.each([
    ['a literal', resource({ v: `${A}.id` })],
    ['an escaped template', resource({ v: `$${TEMPLATE}` })],
    ['a comment', resource({ '//': '${cloudflare_waf_rule.a.id' })],
    ['removed', { removed: { from: A } }],
    ['moved', { moved: { from: 'cloudflare_waf_rule.z', to: A } }],
    ['the id of an import', { import: { to: 'x.y', id: A } }],
    ['an argument called to', resource({ to: A })],
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
const other = 'resource "b" "c" {}\n';
const call = (name: string): string => `module "${name}" {\n  source = "./${name}"\n}\n`;
const idOfRule = output(`${A}.id`, 'id');
const breaks = (place: string, from: string, address: string): string =>
  `${place} ${from} → ${address} (breaks)`;
const idBreaks = (place: string): string => breaks(place, 'output.id', A);

test.each<[string, Readonly<Record<string, string>>, string[]]>([
  [
    'what is made of a local value or an output',
    {
      'main.tf': `module "m" {\n  source = "./middle"\n  count = 2\n}\n${output('module.m[*].up')}resource "x" "y" { a = module.m[0].up }\n`,
      'middle/m.tf': `module "in" { source = "../child" }\nlocals { ids = module.in.id }\n${output('local.ids', 'up')}`,
      'child/c.tf': rule + idOfRule + output('b.c.id', 'other') + other,
    },
    [
      idBreaks('child/c.tf:2'),
      breaks('main.tf:5', 'output.o', 'module.m.up'),
      breaks('main.tf:6', 'x.y', 'module.m.up'),
      breaks('middle/m.tf:2', 'local.ids', 'module.in.id'),
      breaks('middle/m.tf:3', 'output.up', 'local.ids'),
    ],
  ],
  [
    'what reads the module as a whole, and not what only waits for it',
    {
      'main.tf': `${call('m')}${output('[for m in module.m : m.id]', 'all')}${output('module.m["id"]', 'one')}resource "x" "y" { depends_on = [module.m] }\n`,
      'more.tf.json': JSON.stringify(resource({ depends_on: ['module.m'] })),
      'm/m.tf': rule + other + idOfRule,
    },
    [
      idBreaks('m/m.tf:3'),
      breaks('main.tf:4', 'output.all', 'module.m.*'),
      breaks('main.tf:5', 'output.one', 'module.m.*'),
    ],
  ],
  [
    'what a loop reads of each instance of a module, and no other output of it',
    {
      'main.tf': `${call('m').replace('}', '  count = 2\n}')}${output('{ for k, m in module.m : k => m.id }', 'id')}${output('[for m in module.m : m.other]', 'other')}${output('[for m in module.m : m]', 'all')}${output('[for m in module.m : m["x"].other]', 'key')}`,
      'm/m.tf': rule + other + idOfRule + output('b.c.id', 'other'),
    },
    [
      idBreaks('m/m.tf:3'),
      breaks('main.tf:5', 'output.id', 'module.m.id'),
      breaks('main.tf:7', 'output.all', 'module.m.*'),
      breaks('main.tf:8', 'output.key', 'module.m.*'),
    ],
  ],
  [
    'a local value that reads the module as a whole, and nothing made of it',
    {
      'main.tf': `${call('m')}locals { m = module.m }\n${output('local.m.other')}`,
      'm/m.tf': rule + other + idOfRule,
    },
    [idBreaks('m/m.tf:3'), breaks('main.tf:4', 'local.m', 'module.m.*')],
  ],
  [
    'an attribute of an output that breaks',
    { 'main.tf': call('m') + output('module.m.rule.id'), 'm/m.tf': rule + output(A, 'rule') },
    [breaks('m/m.tf:2', 'output.rule', A), breaks('main.tf:4', 'output.o', 'module.m.rule')],
  ],
  [
    'an import of the root, and not moved or removed blocks',
    {
      'main.tf': `${call('m')}moved {\n  from = module.x.${A}\n  to = module.m["k"].${A}\n}\nremoved {\n  from = module.m.${A}\n}\nimport {\n  to = module.m.${A}[0]\n  id = "x"\n}\n`,
      'm/m.tf': rule,
    },
    [breaks('main.tf:12', 'import', `module.m.${A}`)],
  ],
  [
    'only the resource that refers to it, and not what refers to that',
    {
      'main.tf': call('m') + output('module.m', 'whole'),
      'm/m.tf': rule + block(`d = ${A}.id`) + output('b.c.d'),
    },
    [breaks('m/m.tf:3', 'b.c', A)],
  ],
  [
    'only the module that gets it, and not what waits for that module',
    {
      'main.tf': `${rule}module "n" {\n  source = "./n"\n  x = ${A}.id\n}\n${block('depends_on = [module.n]')}`,
      'n/n.tf': `variable "x" {}\n${block('d = var.x')}`,
    },
    [breaks('main.tf:4', 'module.n', A)],
  ],
  [
    'no module that is read as a whole, where each of its outputs stays',
    {
      'main.tf': call('m') + output('module.m', 'whole'),
      'm/m.tf': rule + other + output('b.c.id', 'id'),
    },
    [],
  ],
  [
    'no output of another module with the same name',
    {
      'main.tf': call('m') + call('n') + output('module.n.id'),
      'm/m.tf': rule + idOfRule,
      'n/n.tf': output('1', 'id'),
    },
    [idBreaks('m/m.tf:2')],
  ],
  [
    'no output that is called as the type is',
    {
      'main.tf': call('m') + output(`module.m.${A}`),
      'm/m.tf': rule + output('{ a = 1 }', 'cloudflare_waf_rule'),
    },
    [],
  ],
])('what breaks with a block, through modules %s', async (_, files, expected) => {
  expect(await referencesIn(files)).toEqual(expected);
});
