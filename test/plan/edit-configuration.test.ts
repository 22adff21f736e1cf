import { type Plan } from '../../src/plan/plan';
import { blockKeys, planRemoval } from '../../src/plan/facts/plan-removal';
import { planMigration } from '../../src/plan/plan-migration';
import {
  configuration,
  declaredZone,
  OLD_BLOCKS,
  legacyResource,
  stateFacts,
} from './support/state-facts';

const OUTPUT =
  'output "o" {\n  value = [var.x, cloudflare_waf_package.owasp.id, cloudflare_waf_rule.one]\n}\n';
const byHand = ({ steps }: Plan) =>
  steps.filter(({ kind }) => kind === 'manual').map(({ addresses }) => addresses);
const call = (name: string, source: string): string =>
  `module "${name}" {\n  source = "${source}"\n}\n`;

describe('legacy blocks that stay because a reference would break are a manual step', () => {
  const OLD = ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one'];
  const emptied = async (files: Readonly<Record<string, string>>) =>
    stateFacts({ legacyResources: [], configuration: await configuration(files) });

  it('where the state has none of their resources', async () => {
    const state = await emptied({ 'main.tf': OLD_BLOCKS + OUTPUT });
    expect(byHand(planMigration([declaredZone], [state]))).toEqual([OLD]);
  });

  it('by each address of their module', async () => {
    const state = await emptied({
      'main.tf': call('a', './waf') + call('b', './waf'),
      'waf/main.tf': OLD_BLOCKS + OUTPUT,
    });
    expect(byHand(planMigration([declaredZone], [state]))).toEqual([
      OLD.flatMap((address) => [`module.a.${address}`, `module.b.${address}`]),
    ]);
  });

  it('except those whose resources stay in another state', async () => {
    const files = await configuration({
      'main.tf': `${OLD_BLOCKS}output "o" {\n  value = [var.x, cloudflare_waf_rule.one]\n}\n`,
    });
    const kept = new Set(blockKeys(files, ['cloudflare_waf_package.owasp']));
    const going = { leaving: [], kept, all: true, retired: [], isAlone: true };
    expect(planRemoval(files, going).manual).toEqual(['cloudflare_waf_rule.one']);
  });

  it('once, also where the state has some of them', async () => {
    const state = stateFacts({
      installed: '5.22.0',
      legacyResources: [legacyResource('cloudflare_waf_rule.one["a"]')],
      configuration: await configuration({ 'main.tf': OLD_BLOCKS + OUTPUT }),
    });
    expect(byHand(planMigration([declaredZone], [state]))).toEqual([OLD.toReversed()]);
  });
});

it('a manual step names the file and line of each block, or of the call of its module', async () => {
  const held = ['cloudflare_waf_package.owasp', 'module.m.module.far.cloudflare_waf_rule.r'];
  const state = stateFacts({
    dir: 'infra',
    legacyResources: [...held, 'cloudflare_waf_group.gone'].map((one) => legacyResource(one)),
    configuration: await configuration(
      {
        'infra/main.tf': `\n${OLD_BLOCKS}${call('m', './m')}`,
        'infra/m/main.tf': `\n\n${call('far', 'example/far/cloudflare')}`,
        'infra/outputs.tf': OUTPUT,
      },
      'infra',
    ),
  });
  const { steps, findings } = planMigration([declaredZone], [state]);
  expect(steps.find(({ kind }) => kind === 'manual')).toMatchObject({
    addresses: held,
    places: { [held[0]!]: 'infra/main.tf:2', [held[1]!]: 'infra/m/main.tf:3' },
  });
  expect(findings.find(({ code }) => code === 'MODULE_NOT_EDITED')).toMatchObject({
    ...{ subject: held[1], message: expect.stringMatching(/^infra\/m\/main\.tf:3: the files of/) },
  });
});

describe('a block is taken to be in a module that is not read', () => {
  const findingsOf = async (files: Readonly<Record<string, string>>, address: string) => {
    const state = stateFacts({
      ...{ legacyResources: [legacyResource(address)], configuration: await configuration(files) },
    });
    const plan = planMigration([declaredZone], [state]);
    return { codes: plan.findings.map(({ code }) => code), manual: byHand(plan) };
  };
  const files = {
    'main.tf': call('waf', './waf') + call('far', 'example/far/cloudflare'),
    'waf/main.tf': call('waf', 'example/waf/cloudflare'),
  };

  it.each([
    'module.far.cloudflare_waf_rule.r',
    'module.far.module.inner.cloudflare_waf_rule.r',
    'module.waf.module.waf.cloudflare_waf_rule.r',
  ])('for %s', async (address) => {
    expect(await findingsOf(files, address)).toEqual({
      ...{ codes: ['MODULE_NOT_EDITED'], manual: [[address]] },
    });
  });

  it.each(['module.waf.cloudflare_waf_rule.r', 'module.inner.module.far.cloudflare_waf_rule.r'])(
    'and not for %s, of which no block is left',
    async (address) => {
      expect(await findingsOf(files, address)).toEqual({
        ...{ codes: ['BLOCK_ALREADY_GONE'], manual: [] },
      });
    },
  );
});

describe('a legacy data source', () => {
  it('without a block is not reported: nothing is destroyed', async () => {
    const state = stateFacts({
      legacyResources: [legacyResource('data.cloudflare_waf_rules.all')],
      configuration: await configuration({ 'main.tf': '\n' }),
    });
    expect(planMigration([declaredZone], [state]).findings).toEqual([]);
  });
});
