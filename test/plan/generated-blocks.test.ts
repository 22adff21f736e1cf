import { type Method, type Plan } from '../../src/plan/plan';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts';
import { configuration, declaredZone, legacyResource, stateFacts } from './support/state-facts';

/** A block as CDKTF makes it of a construct. */
const made = (name: string): object => ({ '//': { metadata: { path: `edge/${name}` } } });

/** The plan of a stack with these files, whose state holds these old resources. */
async function planOf(
  files: Readonly<Record<string, string>>,
  addresses: readonly string[],
  method: Method | 'auto' = 'auto',
  changes: Partial<StateFacts> = {},
): Promise<Plan> {
  const legacyResources = addresses.map((address) => legacyResource(address));
  const dir = 'cdktf.out/stacks/edge';
  const state = stateFacts({
    ...{ legacyResources, dir, ...changes },
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
        remedy: expect.stringContaining('plan all stacks that call the module together'),
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
      remedy: expect.stringContaining('from the source of the module'),
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
