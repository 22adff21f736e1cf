import { declaredRulesets } from '../../src/project/declared-rulesets';
import { generateStack } from '../../src/generate/generate-stack';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts';
import { richRuleset } from '../generate/support/rich-ruleset';
import { configuration, stateFacts, ZONE, zone } from './support/state-facts';

/** The rulesets of a folder in which `generate` wrote the one of a zone. */
async function generated(provider: 3 | 4 | 5, format: 'hcl' | 'tfjson') {
  const request = { provider, format, resourceName: 'waf', preventDestroy: false } as const;
  const source = parseRuleset(richRuleset());
  const { resourceFile } = generateStack({ ...request, zone: { id: ZONE }, source });
  return declaredRulesets(await configuration({ [resourceFile.path]: resourceFile.text }));
}

/** What a plan says of a ruleset that is declared so. */
async function said(provider: 3 | 4 | 5, changes: Partial<StateFacts>) {
  const declared = await generated(provider, 'hcl');
  const { findings } = planMigration([zone], [stateFacts({ declared, ...changes })]);
  return findings.find(({ code }) => code === 'RULESET_OF_OTHER_PROVIDER');
}

describe('a declared ruleset', () => {
  it.each([
    [3, 'hcl', [3]],
    [4, 'hcl', [4]],
    [5, 'hcl', [5]],
    [3, 'tfjson', [3]],
    [4, 'tfjson', [4]],
  ] as const)(
    'that was generated for provider %s as %s is of that one',
    async (major, format, is) => {
      expect(await generated(major, format)).toMatchObject([{ majors: is }]);
    },
  );

  const of3Or4 = [3, 4];
  it.each([
    ['a dynamic block of rules', 'dynamic "rules" {\n  for_each = []\n}', of3Or4],
    ['another dynamic block', 'dynamic "others" {\n  for_each = []\n}', [3, 4, 5]],
    ['a block of logging', 'rules {\n  logging {\n    enabled = true\n  }\n}', of3Or4],
    ['a status in it', 'rules {\n  logging {\n    status = "enabled"\n  }\n}', [3]],
    ['a block of parameters', 'rules {\n  action_parameters {\n    id = "i"\n  }\n}', of3Or4],
    ['a list of rules with parameters', 'rules = [{ action_parameters = { id = "i" } }]', [5]],
    ['a list of rules with logging', 'rules = [{ logging = { enabled = true } }]', [5]],
    ...['categories', 'rules'].map((name): [string, string, number[]] => [
      `a status of ${name}`,
      `rules {\n  action_parameters {\n    overrides {\n      ${name} {\n        status = "disabled"\n      }\n    }\n  }\n}`,
      [3],
    ]),
  ])('with %s is of the providers that take that', async (_, body, majors) => {
    const text = `resource "cloudflare_ruleset" "waf" {\nphase = "http_request_firewall_managed"\n${body}\n}\n`;
    const declared = declaredRulesets(await configuration({ 'waf.tf': text }));
    expect(declared).toMatchObject([{ majors }]);
  });

  it('that is Terraform JSON is of any where a block in it may be an object', async () => {
    const rules = [{ action_parameters: { id: 'i' } }];
    const waf = { phase: 'http_request_firewall_managed', rules };
    const text = JSON.stringify({ resource: { cloudflare_ruleset: { waf } } });
    const declared = declaredRulesets(await configuration({ 'waf.tf.json': text }));
    expect(declared).toMatchObject([{ majors: [3, 4, 5] }]);
  });

  it('that tells of no provider is of any', async () => {
    const text =
      'resource "cloudflare_ruleset" "waf" {\n  phase = "http_request_firewall_managed"\n}\n';
    const declared = declaredRulesets(await configuration({ 'waf.tf': text }));
    expect(declared).toMatchObject([{ majors: [3, 4, 5] }]);
  });
});

describe('a ruleset that is declared for another provider than the one of the plan', () => {
  it.each(['4', '5'])('is told before anything leaves, on the way from 3 to %s', async (to) => {
    const wanted = to === '4' ? '4.52.8' : '5.22.0';
    expect(await said(3, { wanted })).toMatchObject({
      severity: 'decision',
      subject: 'cloudflare_ruleset.waf',
      message: expect.stringContaining(`written for provider 3, and provider ${to} does not`),
      remedy: expect.stringMatching(`before the upgrade: .* --provider ${to} --force`),
    });
  });

  it('is told where none is installed, and where its zone is not known', async () => {
    expect(await said(3, { installed: undefined, wanted: '5.22.0' })).toBeDefined();
    const declared = [{ address: 'cloudflare_ruleset.x', zoneId: undefined, majors: [3] as const }];
    expect(await said(3, { wanted: '5.22.0', declared })).toMatchObject({
      remedy: expect.stringContaining('generate --zone <zone> --source live'),
    });
  });

  it('is to be written where its module is', async () => {
    const [one] = await generated(3, 'hcl');
    const declared = [{ ...one!, address: `module.m.${one!.address}`, dir: 'modules/m' }];
    expect(await said(3, { wanted: '5.22.0', declared })).toMatchObject({
      remedy: expect.stringContaining('--out modules/m --address module.m.cloudflare_ruleset.waf'),
    });
  });

  it('is told where that one is installed already', async () => {
    expect(await said(4, { installed: '5.22.0' })).toMatchObject({
      remedy: expect.stringContaining('before you apply this plan'),
    });
  });

  it('is nothing to tell of where it is written for that, or the provider is not known', async () => {
    expect(await said(5, { wanted: '5.22.0' })).toBeUndefined();
    expect(await said(4, { installed: undefined })).toBeUndefined();
    const declared = [{ address: zone.address, zoneId: ZONE, majors: [3, 4] as const }];
    expect(await said(3, { wanted: '4.52.8', declared })).toBeUndefined();
  });
});
