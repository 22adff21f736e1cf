import { planMigration } from '../../src/plan/plan-migration';
import {
  codesOf,
  kindsOf,
  legacyResource,
  OTHER_ZONE,
  planFiles,
  stateFacts,
  ZONE,
  zone,
  RULESET,
} from './support/state-facts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStateBytes } from '../../src/plan/facts/read-facts';
import { statesFolder, zone as managedZone } from './support/plans';
import { type Finding } from '../../src/core/finding';
import { openDecisions } from '../../src/plan/decisions';
import { type Plan, type Step } from '../../src/plan/plan';
import { type StateFacts, type PlannedZone } from '../../src/plan/facts/facts';

describe('zones', () => {
  const third = '3'.repeat(32);
  const state = stateFacts({
    legacyResources: [third, OTHER_ZONE, OTHER_ZONE, ZONE].map((zoneId, at) =>
      legacyResource(`cloudflare_waf_rule.r${at}`, { zoneId }),
    ),
  });

  it('names the other zones', () => {
    const { findings } = planMigration([zone], [state]);
    const finding = findings.find(({ code }) => code === 'OTHER_ZONES');
    expect(finding!.message).toContain(`not selected: ${third} (1), ${OTHER_ZONE} (2)`);
  });

  it('a zone is missing if no state has anything of it, and others are in one', () => {
    const lost = '9'.repeat(32);
    const phase = 'http_request_firewall_managed';
    const moved = stateFacts({ rulesets: [{ address: 'a', zoneId: ZONE, id: 'r', phase }] });
    const missed = (one: typeof state, zones = [zone]) =>
      planMigration(zones, [one], 'commands', [ZONE, lost]).findings.flatMap(({ code, subject }) =>
        code === 'ZONE_NOT_IN_STATE' ? subject : [],
      );
    const empty = stateFacts({ legacyResources: [] });
    expect(missed(state)).toEqual([lost]);
    expect(missed(empty, [])).toEqual([]);
    expect(missed(moved, [])).toEqual([lost]);
  });

  it('a zone is missing if one of several states has legacy resources of other zones', () => {
    const empty = stateFacts({ name: 'empty', legacyResources: [] });
    const missed = (states: (typeof state)[]) =>
      planMigration([], states, 'commands', ['9'.repeat(32)]).findings.filter(
        ({ code }) => code === 'ZONE_NOT_IN_STATE',
      ).length;
    expect(missed([empty, state])).toBe(1);
    expect(missed([empty, empty])).toBe(0);
  });
});

const finding = (code: string, severity: Finding['severity'] = 'decision'): Finding => ({
  ...{ code, severity, subject: 'cloudflare_waf_rule.a', message: 'so', remedy: 'do' },
});
const gone = finding('BLOCK_ALREADY_GONE');
const lasting = finding('OTHER_WORKSPACES');
const check = (id: string, state: string, ...flags: string[]): Step => ({
  ...{ id, kind: 'check', state, title: '', why: '', expects: { plan: 'empty' } },
  runs: [{ argv: ['terraform', 'plan', ...flags] }],
});

const twice = (step: Step, flag: string): Step => ({
  ...step,
  runs: [...step.runs!, { argv: ['terraform', 'plan', flag] }],
});
const bare = (id: string, state: string): Step => ({
  ...{ id, kind: 'manual', state, title: '', why: '' },
});

const openOf = (steps: readonly Step[], done: readonly string[], code = gone.code): string[] => {
  const states = [{ name: 'one' }, { name: 'two' }];
  const findings = [finding(code), lasting, finding('NO_LEGACY_RESOURCES', 'info')];
  const plan = { states, steps, findings } as unknown as Plan;
  return openDecisions(plan, new Set(done)).map(({ code }) => code);
};

describe('a decision about what Terraform would do next', () => {
  const all = [gone.code, lasting.code];

  it('is answered by an empty plan of every state, and no other one is', () => {
    expect(openOf([check('1', 'one'), check('2', 'two')], ['1', '2'])).toEqual([lasting.code]);
  });

  it('is answered so in a folder whose name has a target in it, too', () => {
    const steps = ['one', 'two'].map((state, at) =>
      check(String(at), state, `-chdir=${state}-target`),
    );
    expect(openOf(steps, ['0', '1'])).toEqual([lasting.code]);
  });

  it.each([
    ['while a state is not checked', [check('1', 'one'), check('2', 'two')], ['1']],
    ['where a state has no check', [check('1', 'one')], ['1']],
    ['where one is of targets', [check('1', 'one'), check('2', 'two', '-target=a')], ['1', '2']],
    [
      'where one of several runs is of targets alone',
      [check('1', 'one'), twice(check('2', 'two'), '-target=a')],
      ['1', '2'],
    ],
    [
      'where another step is done',
      [check('1', 'one'), { ...check('2', 'two'), expects: { plan: 'target-empty' } }],
      ['1', '2'],
    ],
    ['where a step expects nothing', [check('1', 'one'), bare('2', 'two')], ['1', '2']],
  ] as const)('is open %s', (_, steps, done) => {
    expect(openOf(steps, done)).toEqual(all);
  });
});

describe('a hazard is a decision', () => {
  const zone = managedZone;
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

  it('none in a state where nothing is wrong', () => {
    expect(planned({}).findings).toEqual([]);
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

  it('a ruleset without an id in the state is not another one', () => {
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
      remedy: 'then pass its address with --address',
    });
    // --address takes neither of these
    for (const other of [{ address: `module.rs.${address}` }, { address, isRepeated: true }]) {
      expect(
        finding(planned({ declared: [{ ...other, zoneId }] }), 'ENTRY_POINT_MAY_BE_DECLARED'),
      ).toMatchObject({ remedy: expect.stringMatching(/^then import it, with its key/) });
    }
    // one finding for all of them
    const many = Array.from({ length: 70 }, (_, at) => ({ address: `${address}_${at}`, zoneId }));
    expect(planned({ declared: many }).findings).toMatchObject([
      { subject: expect.stringMatching(/_0, .*_7 and 62 more$/) },
    ]);
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
});

describe('a ruleset in the state that the files do not declare', () => {
  const CODE = 'ENTRY_POINT_NOT_DECLARED';
  const nothing = '# nothing of Cloudflare\n';
  const inModule = 'module.edge["a"].cloudflare_ruleset.waf[0]';
  const call = (source: string): string => `module "edge" {\n  source = "${source}"\n}\n`;
  const block = (name = 'waf'): string => `resource "cloudflare_ruleset" "${name}" {}\n`;
  const removed = (from: string, keeps = true): string =>
    `removed {\n  from = ${from}\n  lifecycle {\n    destroy = ${keeps ? 'false' : 'true'}\n  }\n}\n`;
  const moved = `moved {\n  from = ${zone.address}\n  to   = cloudflare_ruleset.b\n}\n`;

  /** The plan for a ruleset in the state, in a folder with these files. */
  const planWith = (
    files: Readonly<Record<string, string>>,
    address = zone.address,
    changes: Partial<StateFacts> = {},
  ) => {
    const rulesets = [{ address, zoneId: ZONE, id: RULESET }];
    return planFiles(files, { rulesets, legacyResources: [], ...changes });
  };

  it.each([[[]], [stateFacts().legacyResources]])(
    'is a decision, whether or not the plan has steps: the next apply would destroy it',
    async (legacyResources) => {
      const plan = await planWith({ 'main.tf': nothing }, zone.address, { legacyResources });
      expect(kindsOf(plan).length > 1).toBe(legacyResources.length > 0);
      const found = plan.findings.find(({ code }) => code === CODE);
      expect(found).toMatchObject({
        ...{ severity: 'decision', subject: zone.address },
        message: expect.stringMatching(/the files do not declare it: .*no WAF$/),
        remedy: expect.stringContaining('apply nothing in this folder before'),
      });
      expect(openDecisions(plan, new Set())).toContain(found);
    },
  );

  it.each<[isTold: boolean, where: string, address: string, files: Record<string, string>]>([
    [true, 'no call of its module', 'module.edge.cloudflare_ruleset.waf', { 'main.tf': nothing }],
    [true, 'a block has another name', zone.address, { 'main.tf': block('w') }],
    [
      true,
      'a removed block destroys it',
      zone.address,
      { 'main.tf': removed(zone.address, false) },
    ],
    [true, 'a removed block names another', zone.address, { 'main.tf': removed('a.b') }],
    [false, 'a block declares it', zone.address, { 'main.tf': block() }],
    [false, 'a block declares its instances', `${zone.address}["a"]`, { 'main.tf': block() }],
    [false, 'a module declares it', inModule, { 'main.tf': call('./m'), 'm/main.tf': block() }],
    [false, 'its module is remote', inModule, { 'main.tf': call('edge/waf/cloudflare') }],
    [false, 'a removed block keeps it', zone.address, { 'main.tf': removed(zone.address) }],
    [false, 'a removed block keeps its module', inModule, { 'main.tf': removed('module.edge') }],
    [false, 'a moved block names it', zone.address, { 'main.tf': moved }],
  ])('is reported (%s) where %s', async (isTold, _, address, files) => {
    expect(codesOf(await planWith(files, address)).includes(CODE)).toBe(isTold);
  });

  it.each([
    ['only the state is known', { configuration: undefined }],
    ['the plan imports it, and so declares it', { rulesets: [] }],
  ])('is not reported where %s', async (_, changes) => {
    const plan = await planWith({ 'main.tf': nothing }, zone.address, changes);
    expect(codesOf(plan)).not.toContain(CODE);
  });
});

describe('a ruleset that is declared for another provider than the one of the plan', () => {
  const { address } = zone;

  /** What a plan says of a ruleset that is declared for some providers. */
  function said(majors: readonly number[], changes: Partial<StateFacts>) {
    const declared = [{ address, zoneId: ZONE, majors }];
    const { findings } = planMigration([zone], [stateFacts({ declared, ...changes })]);
    return findings.find(({ code }) => code === 'RULESET_OF_OTHER_PROVIDER');
  }

  it.each([
    ['before the upgrade', { wanted: '4.52.8' }, 'before you plan or apply again: cf-waf-migrate'],
    ['where none is installed', { installed: undefined, wanted: '5.22.0' }, '--source live'],
    ['where that one is installed already', { installed: '5.22.0' }, '--provider 5 --force'],
    [
      'where its zone is not known',
      { wanted: '5.22.0', declared: [{ address, zoneId: undefined, majors: [3] }] },
      'generate --zone <zone> --source live',
    ],
    [
      'with the folder of its module',
      { wanted: '5.22.0', declared: [{ address, zoneId: ZONE, majors: [3], dir: 'modules/m' }] },
      `--address ${address} --provider 5 --force --out modules/m`,
    ],
  ])('is told %s', (_, changes, words) => {
    expect(said([3], changes)?.remedy).toContain(words);
  });

  it('names the construct to generate if CDKTF writes the folder', async () => {
    const declared = [{ address, zoneId: ZONE, majors: [3] }];
    const { findings } = await planFiles({ 'cdk.tf.json': '{}' }, { declared, wanted: '5.22.0' });
    const found = findings.find(({ code }) => code === 'RULESET_OF_OTHER_PROVIDER');
    expect(found?.remedy).toContain('--format construct');
  });

  it('is nothing to tell of where it is written for that, or the provider is not known', () => {
    expect(said([5], { wanted: '5.22.0' })).toBeUndefined();
    expect(said([4], { installed: undefined })).toBeUndefined();
    expect(said([3, 4], { wanted: '4.52.8' })).toBeUndefined();
  });
});
