import { parseTerraformVersion } from '../../src/terraform/subcommands';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStateBytes } from '../../src/plan/read/read-facts';
import { type Plan } from '../../src/plan/plan';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts, type PlannedZone } from '../../src/plan/facts';
import { RULESET, statesFolder, ZONE, zone } from './support/plans';

const read: StateFacts = readStateBytes(
  readFileSync(join(statesFolder, 'tainted-3.35.tfstate')),
  'default',
  { from: '3.35.0' },
);
const state: StateFacts = {
  ...read,
  legacyResources: read.legacyResources.map((one) => ({ ...one, provider: undefined })),
};
const OTHER = 'f'.repeat(32);
const planned = (changes: Partial<StateFacts>, one: PlannedZone = zone): Plan =>
  planMigration([one], [{ ...state, ...changes }]);
const finding = (plan: Plan, code: string) => plan.findings.find((one) => one.code === code);

describe('a hazard is a decision', () => {
  it('none in a state where nothing is wrong', () => {
    expect(planned({}).findings).toEqual([]);
  });

  it('two resources declare the entry point of one zone', () => {
    const declared = ['cloudflare_ruleset.a', 'module.b.cloudflare_ruleset.b'].map((address) => ({
      address,
      zoneId: ZONE,
    }));
    const plan = planned({ declared });
    expect(finding(plan, 'ENTRY_POINT_NOT_IMPORTED')).toMatchObject({
      severity: 'decision',
      subject: 'module.b.cloudflare_ruleset.b',
      remedy: expect.stringContaining('merge their rules'),
    });
  });

  it('trap 2.3: a ruleset of another zone is declared and in no state: to create it collides, and no plan warns', () => {
    const declared = [{ address: 'cloudflare_ruleset.other', zoneId: OTHER }];
    expect(finding(planned({ declared }), 'ENTRY_POINT_NOT_IMPORTED')).toMatchObject({
      severity: 'decision',
      subject: 'cloudflare_ruleset.other',
    });
    const rulesets = [{ address: 'cloudflare_ruleset.other["x"]', zoneId: OTHER, id: OTHER }];
    expect(finding(planned({ declared, rulesets }), 'ENTRY_POINT_NOT_IMPORTED')).toBeUndefined();
  });

  it('what is declared for another zone is no second one of this zone', () => {
    const declared = [{ address: 'cloudflare_ruleset.other', zoneId: OTHER }];
    expect(finding(planned({ declared }), 'ENTRY_POINT_MAY_BE_DECLARED')).toBeUndefined();
  });

  it('an entry of the state whose id nobody wrote down is not another one', () => {
    const rulesets = [{ address: zone.address, zoneId: ZONE, id: undefined }];
    expect(finding(planned({ rulesets }), 'ENTRY_POINT_DIFFERS')).toBeUndefined();
  });

  it('the ruleset of this zone is imported where it is declared, not a second time', () => {
    const declared = [{ address: 'module.edge.cloudflare_ruleset.waf', zoneId: ZONE }];
    const plan = planned({ declared });
    expect(plan.findings).toEqual([]);
    expect(plan.zones[0]!.ruleset.address).toBe('module.edge.cloudflare_ruleset.waf');
    const kinds = plan.steps.map(({ kind }) => kind);
    expect(kinds.slice(0, 2)).toEqual(['backup', 'import']);
  });

  it.each([
    [{ name: 'mine' }, 'name differs from'],
    [{ kind: 'custom', phase: 'http_request_firewall_custom' }, 'kind and phase differ from'],
  ])('the declared %j is not the live one: Terraform would replace the ruleset', (own, words) => {
    const live = { name: 'default', kind: 'zone', phase: 'http_request_firewall_managed' };
    const same = { address: zone.address, zoneId: ZONE, ...live };
    const calm = planned({ declared: [same] }, { ...zone, live });
    expect(calm.findings).toEqual([]);
    const plan = planned({ declared: [{ ...same, ...own }] }, { ...zone, live });
    expect(finding(plan, 'RULESET_WOULD_BE_REPLACED')!.message).toContain(words);
    const unknown = planned({ declared: [{ ...same, ...own }] });
    expect(finding(unknown, 'RULESET_WOULD_BE_REPLACED')).toBeUndefined();
    expect(planned({}, { ...zone, live }).findings).toEqual([]);
  });

  it('the state has another entry point of the zone: nothing is carried out before that is clear', () => {
    const phase = 'http_request_firewall_managed';
    const rulesets = [{ address: 'cloudflare_ruleset.there', zoneId: ZONE, id: OTHER, phase }];
    const plan = planned({ rulesets });
    expect(finding(plan, 'ENTRY_POINT_DIFFERS')).toMatchObject({
      severity: 'blocker',
      subject: 'cloudflare_ruleset.there',
      message: expect.stringContaining(OTHER),
    });
    expect(plan.steps.map(({ kind }) => kind)).not.toContain('import');
    const live = planned({ rulesets: [{ ...rulesets[0]!, id: RULESET }] });
    expect(finding(live, 'ENTRY_POINT_DIFFERS')).toBeUndefined();
  });

  it('the state has the ruleset of another zone where that of this one is declared', () => {
    const { address } = zone;
    const declared = [{ address, zoneId: ZONE }];
    const rulesets = [{ address, zoneId: OTHER, id: OTHER }];
    expect(finding(planned({ declared, rulesets }), 'ENTRY_POINT_DIFFERS')).toMatchObject({
      severity: 'blocker',
      subject: address,
    });
  });

  it('the declared ruleset has a key that nobody told', () => {
    const declared = [{ address: zone.address, zoneId: ZONE, isRepeated: true }];
    expect(finding(planned({ declared }), 'RULESET_NEEDS_KEY')).toMatchObject({
      severity: 'blocker',
      subject: zone.address,
    });
    const rulesets = [{ address: `${zone.address}[0]`, zoneId: ZONE, id: RULESET }];
    expect(planned({ declared, rulesets }).findings.map(({ code }) => code)).toEqual([
      'RULESET_IN_STATE',
    ]);
  });

  it('a ruleset whose phase is an expression is declared for the zone, and not one of another zone or an account', () => {
    const mayBe = (mayBeOf: string | null) => {
      const declared = [{ address: 'cloudflare_ruleset.generic', zoneId: undefined, mayBeOf }];
      return planned({ declared }).findings.map(({ code }) => code);
    };
    expect(mayBe(ZONE)).toEqual(['ENTRY_POINT_MAY_BE_DECLARED']);
    expect([...mayBe(OTHER), ...mayBe(null)]).toEqual([]);
  });

  it('an entry point is declared for a zone that is an expression', () => {
    const [address, zoneId] = ['cloudflare_ruleset.of_some_zone', undefined];
    const declared = [{ address, zoneId }];
    expect(finding(planned({ declared }), 'ENTRY_POINT_MAY_BE_DECLARED')).toMatchObject({
      severity: 'decision',
      subject: address,
      remedy: expect.stringContaining(`--address ${address}`),
    });
    // --address takes neither of these
    for (const other of [{ address: `module.rs.${address}` }, { address, isRepeated: true }]) {
      expect(
        finding(planned({ declared: [{ ...other, zoneId }] }), 'ENTRY_POINT_MAY_BE_DECLARED'),
      ).toMatchObject({ remedy: expect.stringMatching(/^then import it, with its key/) });
    }
    // that is the one which is meant, or one that the state has
    expect(planned({ declared }, { ...zone, address }).findings).toEqual([]);
    const rulesets = [{ address, zoneId: OTHER, id: OTHER }];
    expect(planned({ declared, rulesets }).findings).toEqual([]);
  });

  it('beside the declared entry point of a zone, or the one in the state, a second one of that zone may be declared', () => {
    const [first, second] = [zone.address, 'cloudflare_ruleset.generic'];
    const literal = { address: first, zoneId: ZONE };
    const generic = (mayBeOf?: string) => ({ address: second, zoneId: undefined, mayBeOf });
    const told = (changes: Partial<StateFacts>) =>
      finding(planned(changes), 'ENTRY_POINT_MAY_BE_DECLARED');
    const merge = { subject: second, remedy: expect.stringContaining('then merge their rules') };
    expect(told({ declared: [literal, generic(ZONE)] })).toMatchObject(merge);
    const rulesets = [{ address: first, zoneId: ZONE, id: RULESET }];
    expect(told({ declared: [literal, generic(ZONE)], rulesets })).toMatchObject(merge);
    // one that is of another zone, as a rule, and the one that is meant
    expect(told({ declared: [literal, generic()] })).toBeUndefined();
    expect(told({ declared: [{ ...generic(ZONE), address: first }] })).toBeUndefined();
  });

  it.each([
    ['3 and 4', [{ waf: 'off', ssl: '' }], true],
    ['5', { waf: 'on' }, true],
    ['3 and 4', [{ waf: '', ssl: 'full' }], false],
    ['5', { ssl: 'full' }, false],
  ])('page rules that switch the WAF, as provider %s writes them: %j', (_, actions, does) => {
    const document = JSON.parse(readFileSync(join(statesFolder, 'tainted-3.35.tfstate'), 'utf8'));
    document.resources.push({
      ...document.resources[0],
      type: 'cloudflare_page_rule',
      name: 'p',
      instances: [{ schema_version: 0, attributes: { id: OTHER, actions } }],
    });
    const bytes = Buffer.from(JSON.stringify(document));
    const plan = planMigration([zone], [readStateBytes(bytes, 'default', { from: '3.35.0' })]);
    expect(
      finding(plan, 'PAGE_RULE_SWITCHES_WAF')?.message.includes('cloudflare_page_rule.p'),
    ).toBe(does ? true : undefined);
  });
});

describe('method blocks needs a binary that takes removed blocks without destroying', () => {
  it.each([
    ['OpenTofu v1.9.1\non linux_amd64\n', 'OpenTofu 1.9.1'],
    ['Terraform v1.6.6\non linux_amd64\n', 'Terraform 1.6.6'],
    ['Using terraform 1.6.6 (by .terraform-version)\nTerraform v1.6.6\n', 'Terraform 1.6.6'],
    ['OpenTofu v1.12.6\n', 'OpenTofu 1.12.6'],
    ['Terraform v1.7.0-rc1\n', undefined],
    ['Terraform v2.0.0\n', undefined],
    ['something else', undefined],
  ])('%j', (printed, refused) => {
    const binary = parseTerraformVersion(printed);
    const plan = () => planMigration([zone], [{ ...state, binary }], 'blocks');
    // its configuration is not known: that is refused as well, and comes later
    expect(plan).toThrow(refused ?? '--dir');
  });
});
