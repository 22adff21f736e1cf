import { referencesIn } from './open-project';

const rule = { cloudflare_waf_rule: { a: {} } };
const inJson = (rest: object): Promise<string[]> =>
  referencesIn({ 'main.tf.json': JSON.stringify([{ resource: rule }, rest]) });

describe('who refers to a block that is to go, in JSON', () => {
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
    expect(await inJson(rest)).toEqual([`main.tf.json:1 ${from} → cloudflare_waf_rule.a (breaks)`]);
  });

  test.each([
    ['removed', { removed: { from: 'cloudflare_waf_rule.a' } }],
    ['moved', { moved: { from: 'cloudflare_waf_rule.a', to: 'x.y' } }],
  ])('%s, which breaks nothing', async (_, rest) => {
    expect(await inJson(rest)).toEqual([]);
  });

  test.each([
    ['the id of an import', { import: { to: 'x.y', id: 'cloudflare_waf_rule.a' } }],
    ['an argument called to', { resource: { x: { y: { to: 'cloudflare_waf_rule.a' } } } }],
    ['a type alone', { resource: { x: { y: { depends_on: ['cloudflare_waf_rule'] } } } }],
    ['numbers and truths', { resource: { x: { y: { depends_on: [1, true, null] } } } }],
  ])('not %s', async (_, rest) => {
    expect(await inJson(rest)).toEqual([]);
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
