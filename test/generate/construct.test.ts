import { App, TerraformStack, Testing } from 'cdktf';
import { Construct } from 'constructs';
import { nameOfResource } from '../../src/generate/stack-names';
import { everything } from './support/everything';
import { stackOf, textOf } from './support/generate-files';
import { answers, live } from './support/live-answer';
import { loadStack, synthesise } from './support/read-back';

const options = { format: 'construct', resourceName: 'waf', zone: 'shop.example.com' } as const;

/** What a stack synthesises that has the construct, below others or not. */
function stackWith(depth: number): Record<string, any> {
  const stack = new TerraformStack(new App({ skipValidation: true }), 'edge');
  const Ruleset = loadStack(textOf(everything(), options)) as unknown as typeof Construct;
  let scope: Construct = stack;
  for (let level = 0; level < depth; level += 1) scope = new Construct(scope, `level-${level}`);
  new Ruleset(scope, 'shop_example_com');
  return JSON.parse(Testing.synth(stack));
}

it('constructs of two zones in one stack declare two rulesets', () => {
  const stack = new TerraformStack(new App({ skipValidation: true }), 'edge');
  for (const name of ['shop.example.com', 'docs.example.com']) {
    const resourceName = nameOfResource({ id: '', name });
    const text = textOf(everything(), { ...options, zone: name, resourceName });
    new (loadStack(text) as unknown as typeof Construct)(stack, name);
  }
  expect(Object.keys(JSON.parse(Testing.synth(stack)).resource.cloudflare_ruleset)).toEqual([
    'managed_rules_docs_example_com',
    'managed_rules_shop_example_com',
  ]);
});

describe('a construct for a stack that exists', () => {
  it.each([0, 2])('declares the ruleset at its address, %s levels deep', (depth) => {
    const { resource, provider, terraform } = stackWith(depth);
    const stack = synthesise(textOf(everything(), { ...options, format: 'cdktf' }));
    const { '//': metadata, ...ruleset } = JSON.parse(stack).resource.cloudflare_ruleset.waf;
    expect(metadata).toBeDefined();
    expect(resource).toEqual({ cloudflare_ruleset: { waf: ruleset } });
    expect([provider, terraform?.required_providers]).toEqual([undefined, undefined]);
  });
});

it('trap 8.2: CDKTF requires another version of the provider than the bindings pin', () => {
  const { terraform, provider } = JSON.parse(
    synthesise(textOf(answers.canonical, { format: 'cdktf' })),
  );
  expect(terraform.required_providers).toEqual({
    cloudflare: { source: 'cloudflare/cloudflare', version: '>= 5.19, < 6' },
  });
  expect(provider).toEqual({ cloudflare: [{}] });
  expect(stackOf(answers.canonical, { format: 'cdktf' })).not.toHaveProperty('providersFile');
});

it.each([
  '${TfToken[TOKEN.0]}',
  'String Map Token Value',
  'x -8.109562212591379e+298',
  '-8109562212591379e+283',
  -8.109562212591379e298,
  Infinity,
])('no program has %s, which CDKTF reads as a reference', (value) => {
  const overrides = { rules: [{ id: 'a'.repeat(32), score_threshold: value }] };
  const asNumber = live({ action_parameters: { id: 'b'.repeat(32), overrides } });
  const answer = typeof value === 'number' ? asNumber : live({ description: value });
  for (const format of ['cdktf', 'construct'] as const)
    expect(() => textOf(answer, { ...options, format })).toThrow('CDKTF would read');
  expect(() => textOf(answer, { format: 'hcl' })).not.toThrow();
});
