import { type Client } from '../../src/cloudflare/client';
import { makePlan, listedZonesInStates, zonesToRead, defaultZones } from '../../src/plan/make-plan';
import { parseTerraformFlags } from '../../src/plan/steps/terraform-flags';
import { MANAGED_PHASE } from '../../src/core/ruleset';
import { type StateFacts } from '../../src/plan/facts/facts';
import { planMigration } from '../../src/plan/plan-migration';
import {
  configuration,
  legacyResource,
  OLD_BLOCKS,
  OTHER_ZONE,
  stateFacts,
  RULESET,
  ZONE,
  zone,
} from './support/state-facts';
import { clientOverEmulator } from '../support/over-emulator';
import { ENTERPRISE } from '../support/zones';

const { address } = zone;
/** The request of a plan for the zone, and one that needs no API. */
const asking = {
  ...{ folder: __dirname, zones: [ZONE], address },
  rulesetIds: new Map<string, string>(),
};
const known = { ...asking, rulesetIds: new Map([[ZONE, RULESET]]), client: undefined };

/** Whether the ruleset of a zone is requested. */
async function isAsked(changes: Partial<StateFacts>): Promise<boolean> {
  const asked: string[] = [];
  const client: Client = {
    request: (_, path) => {
      asked.push(path);
      return Promise.reject(new Error('not reachable'));
    },
    close: () => Promise.resolve(),
  };
  const states = [stateFacts({ legacyResources: [], ...changes })];
  await makePlan({ ...asking, states, client }).catch(() => undefined);
  return asked.length > 0;
}

it.each([
  ['without a flag', [], ['VARIABLES_UNSET']],
  ['with -parallelism', ['-parallelism=2'], ['VARIABLES_UNSET']],
])('reports variables without a value before the state changes, %s', async (_, flags, codes) => {
  const plan = await makePlan({
    ...known,
    states: [stateFacts({ unsetVariables: ['env'] })],
    flags: parseTerraformFlags(flags),
  });
  const open = plan.findings.filter(({ code }) => code === 'VARIABLES_UNSET');
  expect(open.map(({ code }) => code)).toEqual(codes);
});

it('refuses an edit that a second parser cannot prove, with all of the plan', async () => {
  // in HCL, two blocks do not fit on one line
  const text = 'resource "cloudflare_waf_rule" "a" {}\none {} two {}\n';
  const state = stateFacts({
    legacyResources: [legacyResource('cloudflare_waf_rule.a')],
    configuration: await configuration({ 'main.tf': text }),
  });
  await expect(makePlan({ ...known, states: [state] })).rejects.toMatchObject({
    code: 'CONFIG_EDIT_REFUSED',
    message: expect.stringMatching(/^the edit of main.tf cannot be proven: another parser/),
  });
});

it.each([
  ['each zone', [ZONE, OTHER_ZONE], 12],
  ['each of two zones whose ids begin alike', [ZONE, `${ZONE.slice(0, 31)}9`], 32],
])('has an address for %s', async (_, zones, length) => {
  const legacyResources = zones.map((zoneId, at) =>
    legacyResource(`cloudflare_waf_rule.r${at}`, { zoneId }),
  );
  const rulesetIds = new Map(zones.map((id, at) => [id, RULESET.slice(0, -1) + String(at)]));
  const states = [stateFacts({ legacyResources })];
  const plan = await makePlan({ ...known, zones, rulesetIds, states });
  expect(plan.zones.map(({ ruleset }) => ruleset.address).sort()).toEqual(
    zones.map((id) => `${address}_${id.slice(0, length)}`).sort(),
  );
});

it.each([
  ['those with legacy resources', {}, [ZONE]],
  ['else those whose ruleset waits for its import', { legacyResources: [] }, [OTHER_ZONE]],
  [
    'else those whose ruleset is in the state',
    {
      legacyResources: [],
      rulesets: [
        { address: 'a.moved', zoneId: OTHER_ZONE, id: RULESET, phase: MANAGED_PHASE },
        { address: 'a.custom', zoneId: ZONE, id: RULESET, phase: 'http_request_firewall_custom' },
      ],
    },
    [OTHER_ZONE],
  ],
])('plans by default for %s', (_, changes, zones) => {
  const declared = [{ address: 'cloudflare_ruleset.other', zoneId: OTHER_ZONE }];
  expect(defaultZones([stateFacts({ declared, ...changes })])).toEqual(zones);
});

const FINISH = `deploy a managed ruleset:\ncf-waf-migrate status --zone ${ENTERPRISE}`;
it.each([
  ['alone', [ENTERPRISE], '3.35.0', FINISH],
  ['beside one that can go alone', [ENTERPRISE, ZONE], '3.35.0', `other zones:\nplan ${ZONE}`],
  ['beside one that it holds back', [ENTERPRISE, ZONE], '4.52.8', FINISH],
])('says what to do for a zone without an entry point: %s', async (_, zones, installed, hint) => {
  const [client] = await clientOverEmulator({ scenario: 'enterprise' });
  const legacyResources = zones.map((zoneId, at) =>
    legacyResource(`cloudflare_waf_rule.r${at}`, { zoneId }),
  );
  const states = [stateFacts({ legacyResources, installed })];
  const commandFor = (others: readonly string[]) => `plan ${others.join(' ')}`;
  const request = { ...asking, rulesetIds: known.rulesetIds, zones, states, client, commandFor };
  await expect(makePlan(request)).rejects.toMatchObject({
    code: 'ENTRY_POINT_MISSING',
    hint: expect.stringContaining(hint),
  });
});

describe('where no state has legacy resources, the API is called', () => {
  const declared = [{ address: zone.address, zoneId: ZONE }];

  it('for a ruleset that is declared, and not in the state', async () => {
    expect(await isAsked({ declared })).toBe(true);
  });

  it('for the one zone of the one folder, which the old resources can have left before', async () => {
    const files = await configuration({ 'main.tf': OLD_BLOCKS });
    expect(await isAsked({ configuration: files })).toBe(true);
    const rulesets = [
      { address: 'cloudflare_ruleset.other', zoneId: ZONE, id: RULESET, phase: MANAGED_PHASE },
    ];
    expect(await isAsked({ configuration: files, rulesets })).toBe(false);
    const states = [stateFacts({ legacyResources: [], configuration: files })];
    expect(zonesToRead({ ...asking, zones: [ZONE, OTHER_ZONE], states })).toHaveLength(2);
  });

  it.each([
    ['nothing is declared', {}],
    ['the ruleset of another zone is', { declared: [{ ...declared[0]!, zoneId: OTHER_ZONE }] }],
    [
      'it is in the state, with a key',
      { declared, rulesets: [{ address: `${zone.address}[0]`, zoneId: ZONE, id: RULESET }] },
    ],
  ])('not where %s', async (_, changes) => {
    expect(await isAsked(changes)).toBe(false);
  });
});

it('a ruleset that the state has under a key is read, and not declared again', async () => {
  const rules = [
    { action: 'execute', action_parameters: { id: RULESET }, expression: 'true', enabled: true },
  ];
  const client: Client = {
    request: () =>
      Promise.resolve({
        result: { id: RULESET, name: 'default', kind: 'zone', phase: MANAGED_PHASE, rules },
        ...{ resultInfo: {}, text: '', isWrite: false, rayId: undefined },
      }),
    close: () => Promise.resolve(),
  };
  const rulesets = [
    { address: `${zone.address}[0]`, zoneId: ZONE, id: RULESET, phase: MANAGED_PHASE },
  ];
  const states = [stateFacts({ rulesets })];
  const { zones, steps } = await makePlan({ ...asking, states, client });
  expect(zones[0]!.ruleset.address).toBe(`${address}[0]`);
  expect(steps.map(({ kind }) => kind)).not.toContain('import');
});

it('plans the zones of a list that the states have, or all if one declares a ruleset of an unknown zone', () => {
  const zones = [ZONE, OTHER_ZONE, 'e'.repeat(32)];
  const address = 'cloudflare_ruleset.other';
  const declared = [{ address, zoneId: OTHER_ZONE }];
  expect(listedZonesInStates(zones, [stateFacts({ declared })])).toEqual([ZONE, OTHER_ZONE]);
  const unknown = [{ address, zoneId: undefined }];
  expect(listedZonesInStates(zones, [stateFacts({ declared: unknown })])).toEqual(zones);
});

it('plans and lists a zone of a for_each with a variable whose resources the state has lost', async () => {
  const text =
    'resource "cloudflare_waf_rule" "r" {\n  for_each = var.zones\n  zone_id  = each.value\n}\n';
  const ids = { a: ZONE, b: OTHER_ZONE };
  const state = stateFacts({
    configuration: await configuration({ 'main.tf': text }),
    values: new Map([['var.zones', new Map(Object.entries(ids))]]),
    legacyResources: [legacyResource('cloudflare_waf_rule.r["a"]')],
  });
  const zones = [ZONE, OTHER_ZONE, 'e'.repeat(32)];
  expect(listedZonesInStates(zones, [state])).toEqual([ZONE, OTHER_ZONE]);
  const other = { ...zone, zoneId: OTHER_ZONE, address: 'cloudflare_ruleset.other' };
  const plan = planMigration([zone, other], [state]);
  expect(plan.zones.map(({ zoneId }) => zoneId)).toEqual([ZONE, OTHER_ZONE]);
  const codes = plan.findings.map(({ code }) => code);
  expect(codes).toContain('LEGACY_RESOURCES_GONE');
  expect(codes).not.toContain('OTHER_ZONES');
});
