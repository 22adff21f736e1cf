import { type Method, type Plan } from '../../src/plan/plan';
import { planMigration } from '../../src/plan/plan-migration';
import { type PlannedState } from '../../src/plan/planned-state';
import { configuration, declaredZone, oldResource, plannedState } from './support/planned-states';

/** A block as CDKTF makes it of a construct. */
const made = (name: string): object => ({ '//': { metadata: { path: `edge/${name}` } } });

/** The plan of a stack with these files, whose state holds these old resources. */
async function planOf(
  files: Readonly<Record<string, string>>,
  addresses: readonly string[],
  method: Method | 'auto' = 'auto',
  changes: Partial<PlannedState> = {},
): Promise<Plan> {
  const oldResources = addresses.map((address) => oldResource(address));
  const dir = 'cdktf.out/stacks/edge';
  const state = plannedState({
    ...{ oldResources, dir, ...changes },
    configuration: await configuration(files, dir),
  });
  return planMigration([declaredZone], [state], method);
}

const editsOf = ({ steps }: Plan): string[] =>
  steps.flatMap(({ edits = [] }) => edits.map(({ file }) => file));
/** What a person is to take out of the program. */
const byHand = ({ steps }: Plan): readonly string[] =>
  steps
    .flatMap(({ kind, addresses = [] }) => (kind === 'manual' ? addresses : []))
    .filter((address) => !/^(?:import|removed) |^cloudflare_ruleset/.test(address));
const jsonStack = (content: object): Record<string, string> => ({
  'cdktf.out/stacks/edge/cdk.tf.json': JSON.stringify(content),
});

describe('a stack that is synthesised as HCL', () => {
  const files = {
    'cdktf.out/stacks/edge/cdk.tf': `resource "cloudflare_waf_package" "owasp_1A" {}
resource "cloudflare_waf_rule" "one" {}
resource "cloudflare_waf_rule" "unknown" {}
data "cloudflare_waf_rules" "all" {}
`,
    'cdktf.out/stacks/edge/metadata.json': JSON.stringify({
      '//': { metadata: { stackName: 'edge', version: '0.21.0' } },
      resource: {
        cloudflare_waf_package: { owasp_1A: made('waf/owasp') },
        cloudflare_waf_rule: { one: made('one') },
      },
      data: { cloudflare_waf_rules: { all: made('all') } },
    }),
  };
  const old = [
    ...['cloudflare_waf_package.owasp_1A', 'cloudflare_waf_rule.one'],
    ...['cloudflare_waf_rule.unknown', 'data.cloudflare_waf_rules.all'],
  ];

  it('is not edited: a person takes its constructs out, and declares the ruleset', async () => {
    const plan = await planOf(files, old);
    expect(editsOf(plan)).toEqual([]);
    expect(byHand(plan)).toEqual([
      ...['edge/waf/owasp', 'edge/one', 'cloudflare_waf_rule.unknown', 'edge/all'],
    ]);
    expect(plan.steps.find(({ title }) => title.startsWith('Declare'))).toMatchObject({
      kind: 'manual',
      runs: [{ argv: expect.arrayContaining(['--format', 'construct']) }],
    });
  });

  it('is refused method blocks, whose overrides its synthesis drops', async () => {
    await expect(planOf(files, old, 'blocks')).rejects.toMatchObject({
      code: 'METHOD_UNSUITABLE',
      message: expect.stringContaining('synthesised as HCL'),
      hint: expect.stringContaining('delete the cdk.tf and metadata.json'),
    });
  });

  it.each([
    ['3.35.0', undefined, []],
    ['4.52.8', undefined, []],
    ['5.22.0', undefined, ['SYNTHESISED_AS_BLOCKS']],
    ['3.35.0', '5', ['SYNTHESISED_AS_BLOCKS']],
  ])('declares a ruleset that is taken or not, provider %s to %s', async (installed, to, said) => {
    const { findings } = await planOf(files, old, 'auto', { installed, wanted: to });
    expect(findings.map(({ code }) => code).filter((code) => /^SYNTH/.test(code))).toEqual(said);
  });

  it('is to be synthesised as JSON before a ruleset comes in that is not taken', async () => {
    const saidOf = async (rulesets: PlannedState['rulesets']) =>
      (await planOf(files, old, 'auto', { installed: '5.22.0', rulesets })).findings.find(
        ({ code }) => code === 'SYNTHESISED_AS_BLOCKS',
      );
    expect(await saidOf([])).toMatchObject({
      ...{ severity: 'decision', subject: 'cdktf.out/stacks/edge' },
      message: expect.stringContaining('as blocks, and provider 5 does not take that'),
      remedy: expect.stringMatching(/^synthesise it as JSON .*, then plan again$/),
    });
    const { address, zoneId, rulesetId: id } = declaredZone;
    expect(await saidOf([{ address, zoneId, id }])).toBeUndefined();
  });
});

describe('the copy that CDKTF makes of a module', () => {
  const copy = 'cdktf.out/stacks/edge/assets/__cdktf_module_asset_26CE565C/29/main.tf';
  const source = './assets/__cdktf_module_asset_26CE565C/29';
  const block = 'resource "cloudflare_waf_rule" "off" {}\n';
  const files = {
    ...jsonStack({
      module: { waf: { source } },
      resource: { cloudflare_waf_package: { owasp: made('owasp') } },
    }),
    [copy]: block,
  };
  const inCopy = 'module.waf.cloudflare_waf_rule.off';

  it.each(['commands', 'blocks'] as const)(
    'is not edited with method %s: its blocks are to leave the module itself, which is said',
    async (method) => {
      const plan = await planOf(files, ['cloudflare_waf_package.owasp', inCopy], method);
      expect(editsOf(plan)).toEqual([]);
      expect(byHand(plan)).toEqual(['edge/owasp', inCopy]);
      expect(plan.findings.find(({ code }) => code === 'MODULE_COPIED')).toMatchObject({
        ...{ severity: 'decision', subject: copy },
        message: expect.stringContaining(inCopy),
        remedy: expect.stringContaining('plan the other stacks that call it'),
      });
    },
  );

  it('names every call of it', async () => {
    const calls = { ...jsonStack({ module: { a: { source }, b: { source } } }), [copy]: block };
    const addresses = ['a', 'b'].map((name) => `module.${name}.cloudflare_waf_rule.off`);
    const plan = await planOf(calls, addresses);
    expect(byHand(plan)).toEqual(addresses);
    expect(plan.findings.find(({ code }) => code === 'MODULE_COPIED')).toMatchObject({
      message: expect.stringMatching(new RegExp(`: ${addresses.join(', ')}$`)),
      remedy: expect.stringContaining('out of the module itself'),
    });
  });

  it.each(['commands', 'blocks'] as const)(
    'is not what a module of the project is, which a person changes with the program, method %s',
    async (method) => {
      const called = {
        ...jsonStack({ module: { waf: { source: '../../../modules/waf' } } }),
        'modules/waf/main.tf': block,
      };
      const plan = await planOf(called, [inCopy], method);
      expect(editsOf(plan)).toEqual([]);
      expect(byHand(plan)).toEqual([inCopy]);
      expect(plan.findings.map(({ code }) => code)).not.toContain('MODULE_COPIED');
    },
  );
});

it.each([
  ['beside a construct', { owasp: made('owasp') }, ['edge/owasp']],
  ['alone', undefined, []],
])('what an escape hatch declares is taken out by hand, %s', async (_, constructs, named) => {
  const stack = jsonStack({
    resource: {
      ...(constructs && { cloudflare_waf_package: constructs }),
      cloudflare_waf_rule: { raw: { zone_id: 'z' } },
    },
  });
  const old = [...(constructs ? ['cloudflare_waf_package.owasp'] : []), 'cloudflare_waf_rule.raw'];
  const plan = await planOf(stack, old);
  expect(editsOf(plan)).toEqual([]);
  expect(byHand(plan)).toEqual([...named, 'cloudflare_waf_rule.raw']);
});
