import { findReferences } from '../../src/tfconfig/find-references';
import { loadHclGrammar } from '../../src/tfconfig/hcl-grammar';
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
    ['another block of the type', 'output "o" { value = cloudflare_waf_rule.b.id }'],
    ['a resource where a data source goes', 'output "o" { value = cloudflare_waf_rules.d }'],
    [
      'a name that a loop binds',
      'output "o" { value = [for cloudflare_waf_rule in x : cloudflare_waf_rule.a] }',
    ],
    [
      'a name that a directive binds',
      'output "o" { value = "%{ for data in x }${data.cloudflare_waf_rules.d}%{ endfor }" }',
    ],
    [
      'a block that goes, too',
      'resource "cloudflare_waf_group" "g" { depends_on = [cloudflare_waf_rule.a] }',
    ],
  ])('not %s', async (_, text) => {
    expect(await inRoot(`${text}\n`)).toEqual([]);
  });

  test('a loop whose own name hides nothing in its head', async () => {
    const text =
      'output "o" { value = [for data in data.cloudflare_waf_rules.d.rules : data.id] }\n';
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
    const found = findReferences(project, new Set(main?.blocks), await loadHclGrammar());
    expect(found.map(line)).toEqual([
      'override.tf:2 cloudflare_waf_rule.a → cloudflare_waf_rule.a (breaks)',
    ]);
  });

  test('tells line, column and the reference itself, and not the line with it', async () => {
    const project = await openProject({
      'main.tf': `${old}output "o" { value = ["s3cr3t", cloudflare_waf_rule.a["k"].id] }\n`,
    });
    const going = new Set(filesOf(project)[0]?.blocks.slice(0, 1));
    expect(findReferences(project, going, await loadHclGrammar())).toEqual([
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

  test('nobody, where nothing goes', async () => {
    const project = await openProject({ 'main.tf': 'variable "unused" {}\n' });
    expect(findReferences(project, new Set(), await loadHclGrammar())).toEqual([]);
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
