import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStateBytes } from '../../src/plan/facts/read-facts';
import { type Plan } from '../../src/plan/plan';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts/facts';

const states = join(__dirname, '../fixtures/terraform/states');
const ZONE = '0123456789abcdef0123456789abcdef';
const RULESET = 'a'.repeat(32);
const zone = { zoneId: ZONE, rulesetId: RULESET, address: 'cloudflare_ruleset.managed_rules' };

function stateOf(file: string, versions: { from?: string; to?: string } = {}): StateFacts {
  return readStateBytes(readFileSync(join(states, file)), 'default', versions);
}
const kinds = (plan: Plan): string[] => plan.steps.map(({ kind }) => kind);
const codes = (plan: Plan): string[] => plan.findings.map(({ code }) => code);

describe('what leaves the state', () => {
  const listed = readFileSync(join(states, 'old-waf-3.35.list.txt'), 'utf8')
    .split('\n')
    .filter((line) => /(^|\.)cloudflare_waf_/.test(line));

  it('is every old address, as terraform state list prints it', () => {
    const plan = planMigration([zone], [stateOf('old-waf-3.35.tfstate')]);
    const removal = plan.steps.find(({ kind }) => kind === 'remove')!;
    expect([...removal.addresses!].sort()).toEqual([...listed].sort());
    expect(removal.expects!.gone).toEqual(removal.addresses);
    expect(removal.runs!.flatMap(({ argv }) => argv.slice(3)).sort()).toEqual([...listed].sort());
  });

  it('trap 0.14: takes filters and firewall rules along to provider 5, which cannot read them, as a decision', () => {
    const plan = planMigration([zone], [stateOf('old-waf-3.35.tfstate', { from: '5.22.0' })]);
    expect(plan.steps.find(({ kind }) => kind === 'remove')!.addresses).toContain(
      'cloudflare_firewall_rule.bad',
    );
    expect(codes(plan)).toContain('FIREWALL_RULES_LEAVE');
  });
});

describe('a state that is not what it seems', () => {
  it('holds neither anything old nor the ruleset: says so, and asks nothing', () => {
    const empty = { ...stateOf('tainted-3.35.tfstate'), legacyResources: [], rulesets: [] };
    expect(codes(planMigration([zone], [empty]))).toEqual(['NO_LEGACY_RESOURCES']);
    expect(codes(planMigration([], [empty], 'auto', [ZONE]))).toEqual(['NO_LEGACY_RESOURCES']);
  });

  it('holds an old resource without a zone: it leaves with the others', () => {
    const state = stateOf('tainted-3.35.tfstate');
    const lost = {
      ...state.legacyResources[0]!,
      address: 'cloudflare_waf_rule.lost',
      zoneId: undefined,
    };
    const plan = planMigration(
      [zone],
      [{ ...state, legacyResources: [...state.legacyResources, lost] }],
    );
    expect(plan.steps.find(({ kind }) => kind === 'remove')!.addresses).toContain(
      'cloudflare_waf_rule.lost',
    );
  });
});

it('leaves a state alone that says of no old resource which zone it belongs to', () => {
  const state = stateOf('tainted-3.35.tfstate');
  const legacyResources = state.legacyResources.map((one) => ({ ...one, zoneId: undefined }));
  const plan = planMigration([zone], [{ ...state, legacyResources }]);
  expect([kinds(plan), codes(plan)]).toEqual([['check'], ['ZONE_NOT_IN_STATE']]);
});

describe('two states', () => {
  it('that both hold old resources of a zone import its ruleset once', () => {
    const second = { ...stateOf('tainted-3.35.tfstate'), name: 'second' };
    const plan = planMigration([zone], [stateOf('provider-alias-3.35.tfstate'), second]);
    expect(plan.steps.filter(({ kind }) => kind === 'import').map(({ state }) => state)).toEqual([
      'main',
    ]);
    expect(plan.steps.filter(({ kind }) => kind === 'remove').map(({ state }) => state)).toEqual([
      'main',
      'second',
    ]);
  });
});
