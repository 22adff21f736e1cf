import { planMigration } from '../../src/plan/plan-migration';
import { openDecisions, type Plan } from '../../src/plan/plan-schema';
import {
  configuration,
  declaredZone,
  legacyResource,
  OTHER_ZONE,
  stateFacts,
} from './support/state-facts';

const blockers = ({ findings }: Plan) =>
  findings.flatMap(({ code, severity }) => (severity === 'blocker' ? code : []));

describe('a count over zones, of which one is planned', () => {
  const RULE = 'cloudflare_waf_rule.r';
  const main = { 'main.tf': 'resource "cloudflare_waf_rule" "r" {\n  count = 3\n}\n' };
  const planOf = async (...zones: readonly (string | undefined)[]) =>
    planMigration(
      [declaredZone],
      [
        stateFacts({
          configuration: await configuration(main),
          legacyResources: zones.map((zoneId, at) =>
            legacyResource(`${RULE}[${at}]`, zoneId === undefined ? {} : { zoneId }),
          ),
        }),
      ],
    );

  it.each([
    ['before another', [undefined, OTHER_ZONE], ['BLOCK_SHARED']],
    ['after the others', [OTHER_ZONE, undefined], []],
    ['alone', [undefined, undefined], []],
  ])('is refused where it comes %s', async (_, zones, codes) => {
    const plan = await planOf(...zones);
    expect(blockers(plan)).toEqual(codes);
    const [found] = plan.findings.filter(({ severity }) => severity === 'blocker');
    if (codes.length > 0)
      expect(found?.message).toMatch(/ another index, .*: cloudflare_waf_rule\.r\[1\]$/);
  });

  it.each([
    ['module.z[1].cloudflare_waf_rule.r[0]', 'module.z[0].cloudflare_waf_rule.r[1]', []],
    [
      'module.z[0].cloudflare_waf_rule.r[1]',
      'module.z[1].cloudflare_waf_rule.r[0]',
      ['BLOCK_SHARED'],
    ],
  ])('is one of a module too: %s, and %s stays', (own, other, codes) => {
    const legacyResources = [legacyResource(own), legacyResource(other, { zoneId: OTHER_ZONE })];
    expect(blockers(planMigration([declaredZone], [stateFacts({ legacyResources })]))).toEqual(
      codes,
    );
  });

  it('may have keys in place of numbers', async () => {
    const legacyResources = [
      legacyResource(`${RULE}["1"]`),
      legacyResource(`${RULE}["2"]`, { zoneId: OTHER_ZONE }),
    ];
    const state = stateFacts({ configuration: await configuration(main), legacyResources });
    expect(blockers(planMigration([declaredZone], [state]))).toEqual([]);
  });
});

it('asks about an output that is removed, which another folder may read', async () => {
  const files = {
    'zones/main.tf':
      'resource "cloudflare_waf_rule" "r" {}\noutput "rules" {\n  value = cloudflare_waf_rule.r.id\n}\n',
    'waf/main.tf': 'locals {\n  a = data.terraform_remote_state.z.outputs.rules\n}\n',
  };
  const stateOf = async (name: string, ...addresses: readonly string[]) =>
    stateFacts({
      ...{ name, dir: name, lineage: name },
      configuration: await configuration(files, name),
      legacyResources: addresses.map((address) => legacyResource(address)),
    });
  const states = [await stateOf('zones', 'cloudflare_waf_rule.r'), await stateOf('waf')];
  expect(openDecisions(planMigration([declaredZone], states))).toMatchObject([
    { code: 'OUTPUTS_REMOVED', subject: 'output.rules (zones/main.tf:2)' },
  ]);
});

it.each([
  [['edit', 'manual'], 1, true],
  [['edit', 'manual'], 2, false],
  [['edit'], 1, true],
])('a reference of %j is open after %d steps: %s', (kinds, done, isOpen) => {
  const steps = kinds.map((kind, at) => ({ id: String(at), kind, state: 'main' }));
  const reference = { code: 'BLOCK_REFERENCED', severity: 'decision' };
  const plan = { states: [{ name: 'main' }], steps, findings: [reference] } as unknown as Plan;
  const ids = new Set(steps.slice(0, done).map(({ id }) => id));
  expect(openDecisions(plan, ids)).toHaveLength(isOpen ? 1 : 0);
});
