import { planMigration } from '../../src/plan/plan-migration';
import { declaredRulesets } from '../../src/project/declared-rulesets';
import {
  codesOf,
  configuration,
  kindsOf,
  legacyResource,
  OTHER_ZONE,
  planFiles,
  stateFacts,
  ZONE,
  zone,
  RULESET,
} from './support/state-facts';
import { type Finding } from '../../src/core/finding';
import { openDecisions, type Plan } from '../../src/plan/plan-schema';
import { type StateFacts, type PlannedZone } from '../../src/plan/facts/facts';

const empty = stateFacts({ name: 'empty', legacyResources: [] });
const phase = 'http_request_firewall_managed';
const moved = { legacyResources: [], rulesets: [{ address: 'a', zoneId: ZONE, id: 'r', phase }] };

const LOST = '9'.repeat(32);

it.each([
  ['has legacy resources of another zone', [empty, stateFacts()], [LOST], [LOST]],
  ['has the ruleset of the other selected zone', [stateFacts(moved)], [ZONE, LOST], [LOST]],
  ['has nothing of any zone', [empty, empty], [LOST], [LOST]],
])('where a state %s, the zones that are missing are told', (_, states, asked, missing) => {
  const { findings } = planMigration([], states, 'commands', asked);
  const told = findings.filter(({ code }) => code === 'ZONE_NOT_IN_STATE');
  expect(told.map(({ subject }) => subject)).toEqual(missing);
});

const finding = (code: string, severity: Finding['severity'] = 'decision'): Finding => ({
  ...{ code, severity, subject: 'cloudflare_waf_rule.a', message: 'so', remedy: 'do' },
});
const gone = finding('BLOCK_ALREADY_GONE');
const lasting = finding('OTHER_WORKSPACES');
const check = (state: string) => ({ kind: 'check', state, expects: { plan: 'empty' } });
const [one, two] = [check('one'), check('two')];

describe('a decision about what Terraform would do next', () => {
  const openOf = (steps: readonly object[], done: number): string[] => {
    const numbered = steps.map((step, at) => ({ id: String(at), ...step }));
    const findings = [gone, lasting, finding('NO_LEGACY_RESOURCES', 'info')];
    const plan = { states: [{ name: 'one' }, { name: 'two' }], steps: numbered, findings };
    const ids = numbered.slice(0, done).map(({ id }) => id);
    return openDecisions(plan as unknown as Plan, new Set(ids)).map(({ code }) => code);
  };

  it('is answered by an empty plan of every state, and no other one is', () => {
    expect(openOf([one, two], 2)).toEqual([lasting.code]);
  });

  it.each<[string, object[], number?]>([
    ['while a state is not checked', [one, two], 1],
    ['where a state has no check', [one]],
    ['where another step is done', [one, { ...two, expects: { plan: 'target-empty' } }]],
    ['where a step expects nothing', [one, { kind: 'manual', state: 'two' }]],
  ])('is open %s', (_, steps, done = steps.length) => {
    expect(openOf(steps, done)).toEqual([gone.code, lasting.code]);
  });
});

describe('a hazard is a decision', () => {
  const planned = (changes: Partial<StateFacts>, one: PlannedZone = zone): Plan =>
    planMigration([one], [stateFacts(changes)]);
  const finding = (plan: Plan, code: string) => plan.findings.find((one) => one.code === code);

  it('trap 2.3: a ruleset of another zone is declared and in no state: to create it collides, and no plan warns', () => {
    const declared = [{ address: 'cloudflare_ruleset.other', zoneId: OTHER_ZONE }];
    const severityOf = (isRepeated: boolean) => {
      const plan = planned({ declared: declared.map((one) => ({ ...one, isRepeated })) });
      return finding(plan, 'ENTRY_POINT_NOT_IMPORTED')?.severity;
    };
    expect([severityOf(false), severityOf(true)]).toEqual(['blocker', undefined]);
    const rulesets = [
      { address: 'cloudflare_ruleset.other["x"]', zoneId: OTHER_ZONE, id: OTHER_ZONE },
    ];
    expect(finding(planned({ declared, rulesets }), 'ENTRY_POINT_NOT_IMPORTED')).toBeUndefined();
  });

  it('a ruleset of a zone whose legacy resources stay is declared: the last check would fail', () => {
    const other = legacyResource('cloudflare_waf_rule.b', { zoneId: OTHER_ZONE });
    const legacyResources = [...stateFacts().legacyResources, other];
    const declared = [{ address: 'cloudflare_ruleset.other', zoneId: OTHER_ZONE }];
    const plan = planned({ declared, legacyResources });
    expect(plan.steps.at(-1)?.expects).toEqual({ plan: 'empty' });
    expect(finding(plan, 'ENTRY_POINT_NOT_IMPORTED')).toMatchObject({
      severity: 'blocker',
      remedy: expect.stringContaining('until that zone has migrated'),
    });
  });

  it('a ruleset that two states have is named with both places, also in a folder that was only found', () => {
    const rulesets = [{ address: zone.address, zoneId: ZONE, id: RULESET, phase }];
    const states = ['a', 'b'].map((dir) =>
      stateFacts({ name: dir, dir, lineage: dir, rulesets, legacyResources: [], isFound: true }),
    );
    const { findings } = planMigration([zone], states);
    const told = findings.filter(({ code }) => code === 'ENTRY_POINT_DECLARED_TWICE');
    expect(told).toMatchObject([
      {
        severity: 'decision',
        message: expect.stringMatching(
          /: cloudflare_ruleset\.waf in a, cloudflare_ruleset\.waf in b$/,
        ),
        remedy: expect.stringContaining('terraform state rm'),
      },
    ]);
  });

  it.each([
    ['has no rules, and the state has some', '', true, true],
    ['has no rules, and the live ruleset was read', '', undefined, true],
    ['has no rules, and neither has the state', '', false, false],
    ['has rules', 'rules {}', true, false],
    ['has dynamic rules', 'dynamic "rules" {}', true, false],
    ['ignores the live ones', 'lifecycle {\n ignore_changes = [rules]\n}', true, false],
  ])('a block that %s', async (_, more, hasRules, isRefused) => {
    const text = `resource "cloudflare_ruleset" "waf" {\n  zone_id = "${ZONE}"\n  phase = "http_request_firewall_managed"\n${more}\n}\n`;
    const declared = declaredRulesets(await configuration({ 'waf.tf': text }));
    const ruleset = { address: zone.address, zoneId: ZONE, id: RULESET, hasRules };
    const rulesets = hasRules === undefined ? [] : [ruleset];
    const read = hasRules === undefined ? { ...zone, declare: () => undefined } : zone;
    const refused = finding(planned({ declared, rulesets }, read), 'RULESET_WITHOUT_RULES');
    const command = `generate --zone ${ZONE} --source live --force --address ${zone.address} --out .`;
    expect(refused?.remedy.endsWith(command) ?? false).toBe(isRefused);
  });

  it.each([true, false])('a tainted ruleset is a blocker (tainted: %s)', (isTainted) => {
    const { address } = zone;
    const rulesets = [{ address, zoneId: ZONE, id: RULESET, isTainted }];
    const found = finding(planned({ rulesets }), 'RULESET_TAINTED');
    expect([found?.severity, found?.remedy.includes(`\`terraform untaint ${address}\``)]).toEqual(
      isTainted ? ['blocker', true] : [undefined, undefined],
    );
  });

  describe('a ruleset that an expression may make the entry point of the zone', () => {
    const CODE = 'ENTRY_POINT_MAY_BE_DECLARED';
    const address = 'cloudflare_ruleset.generic';
    const generic = (more: object = {}) => ({ address, zoneId: undefined, ...more });
    const mayBe = generic({ mayBeOf: ZONE });
    const inPart = generic({ isRepeated: true });
    const another = {
      rulesets: [{ address: `${address}["b"]`, zoneId: OTHER_ZONE, id: OTHER_ZONE }],
    };
    const literal = { address: zone.address, zoneId: ZONE };
    const held = { rulesets: [{ address, zoneId: OTHER_ZONE, id: OTHER_ZONE }] };
    const owned = { rulesets: [{ ...literal, id: RULESET }] };
    const [NAME, KEY] = [
      `--zone ${ZONE} --address ${address} --out plan.json`,
      'import it, with its key',
    ];
    const MERGE = 'merge their rules';

    it.each<[string, Partial<StateFacts>, string]>([
      ['its zone', { declared: [generic()] }, NAME],
      ['its phase, of the zone,', { declared: [mayBe] }, NAME],
      // --address takes neither of these
      ['its zone, in a module', { declared: [generic({ address: `module.m.${address}` })] }, KEY],
      ['its zone, with a key', { declared: [generic({ isRepeated: true })] }, KEY],
      ['its zone, of which the state has another,', { declared: [inPart], ...another }, KEY],
      ['its phase, beside the declared one,', { declared: [literal, mayBe] }, MERGE],
      ['its phase, beside that in the state,', { declared: [literal, mayBe], ...owned }, MERGE],
    ])('by %s is named, with what to do', (_, changes, remedy) => {
      expect(finding(planned(changes), CODE)).toMatchObject({
        severity: 'decision',
        remedy: expect.stringContaining(remedy),
      });
    });

    it.each<[string, Partial<StateFacts>, PlannedZone?]>([
      ['its phase is one, of another zone', { declared: [generic({ mayBeOf: OTHER_ZONE })] }],
      ['its phase is one, of an account', { declared: [generic({ mayBeOf: null })] }],
      ['the plan is for it', { declared: [generic()] }, { ...zone, address }],
      ['the state has it, of another zone', { declared: [generic()], ...held }],
      ['its zone is one, and another is declared', { declared: [literal, generic()] }],
      ['it is that of the plan', { declared: [{ ...mayBe, address: zone.address }] }],
    ])('is not named where %s', (_, changes, one = zone) => {
      expect(finding(planned(changes, one), CODE)).toBeUndefined();
    });
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
    'is a blocker, whether or not the plan has steps: the next apply would destroy it',
    async (legacyResources) => {
      const plan = await planWith({ 'main.tf': nothing }, zone.address, { legacyResources });
      expect(kindsOf(plan).length > 1).toBe(legacyResources.length > 0);
      const found = plan.findings.find(({ code }) => code === CODE);
      expect(found).toMatchObject({
        ...{ severity: 'blocker', subject: zone.address },
        message: expect.stringMatching(/the files do not declare it: .*no WAF$/),
        remedy: expect.stringContaining('apply nothing in this folder before'),
      });
    },
  );

  it('is declared again by the revert of a revert, if the legacy blocks are back', async () => {
    const legacy = `resource "cloudflare_waf_rule" "a" {\n  zone_id = "${ZONE}"\n}\n`;
    const { findings } = await planWith({ 'main.tf': legacy });
    const remedies = [CODE, 'LEGACY_BLOCKS_DECLARED'].map(
      (code) => findings.find((one) => one.code === code)?.remedy,
    );
    for (const remedy of remedies) expect(remedy).toContain('revert the revert');
    expect(remedies[1]).not.toContain('in no state');
  });

  it('is written again as a construct if CDKTF writes the folder', async () => {
    const { findings } = await planWith({ 'cdk.tf.json': '{}' }, `${zone.address}["a"]`);
    expect(findings.find(({ code }) => code === CODE)?.remedy).toMatch(
      / and synthesised: [^]* --force --format construct --address cloudflare_ruleset\.waf --out \S*constructs$/,
    );
  });

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
    [
      'before the upgrade',
      { wanted: '4.52.8' },
      'before you plan or apply again, write its file again:\ncf-waf-migrate',
    ],
    ['where none is installed', { installed: undefined, wanted: '5.22.0' }, '--source live'],
    ['where that one is installed already', { installed: '5.22.0' }, '--provider 5 --force'],
    [
      'where its zone is not known',
      { wanted: '5.22.0', declared: [{ address, zoneId: undefined, majors: [3] }] },
      'rewrite its block by hand for provider 5 before you plan or apply again',
    ],
    [
      'by an example where the state tells the zone of a variable',
      {
        wanted: '5.22.0',
        declared: [{ address, zoneId: undefined, majors: [3] }],
        rulesets: [{ address, zoneId: ZONE, id: RULESET }],
      },
      `generate --zone ${ZONE} --source live --provider 5`,
    ],
    [
      'with the folder of its module',
      { wanted: '5.22.0', declared: [{ address, zoneId: ZONE, majors: [3], dir: 'modules/m' }] },
      `--provider 5 --force --address ${address} --out modules/m`,
    ],
  ])('is told %s', (_, changes, words) => {
    expect(said([3], changes)?.remedy).toContain(words);
  });

  it.each([
    ['by its stack, if it is directly in one', 'edge/managed_rules', '--force --out infra/'],
    [
      'by hand, with an example, if the user wrote it into a stack',
      'edge/waf',
      '--format construct --address cloudflare_ruleset.managed_rules --out example',
    ],
    [
      'by its construct',
      'edge/waf-of-zone/managed_rules',
      '--force --format construct --address cloudflare_ruleset.managed_rules --out infra/constructs',
    ],
    [
      'by hand, with an example, if its class takes the zone',
      'edge/managed/managed_rules',
      '--format construct --address cloudflare_ruleset.managed_rules --out example',
      '${data.cloudflare_zone.zone.id}',
    ],
    [
      'by hand, with an example, if its class is not one that generate writes',
      'edge/managed/waf',
      '--format construct --address cloudflare_ruleset.managed_rules --out example',
    ],
  ])('is written again in a CDKTF program: %s', async (_, path, flags, zone_id = ZONE) => {
    const dir = 'infra/cdktf.out/stacks/edge';
    const rules = [{ logging: [{ status: 'enabled' }] }];
    const waf = { zone_id, kind: 'zone', phase, rules, '//': { metadata: { path } } };
    const stack = {
      '//': { metadata: { stackName: 'edge', version: '0.21.0' } },
      resource: { cloudflare_ruleset: { managed_rules: waf } },
    };
    const files = { [`${dir}/cdk.tf.json`]: JSON.stringify(stack) };
    const found = said([3], {
      ...{ wanted: '5.22.0', dir },
      rulesets: [{ address: 'cloudflare_ruleset.managed_rules', zoneId: ZONE, id: RULESET }],
      configuration: await configuration(files, dir),
    });
    const command = `cf-waf-migrate generate --zone ${ZONE} --source live --provider 5 ${flags}`;
    expect(found?.remedy).toContain(command);
  });

  it('is nothing to tell of where it is written for that, or the provider is not known', () => {
    expect(said([5], { wanted: '5.22.0' })).toBeUndefined();
    expect(said([4], { installed: undefined })).toBeUndefined();
    expect(said([3, 4], { wanted: '4.52.8' })).toBeUndefined();
  });
});

it.each([
  ['another major version', '~> 4.52', {}, true],
  ['the installed version', '~> 3.35', {}, false],
  ['another one, which the plan installs', '~> 4.52', { wanted: '4.52.8' }, false],
  [
    'an earlier one than the installed target of the plan',
    '~> 3.35',
    { installed: '5.22.0', wanted: '5.22.0' },
    true,
  ],
])(
  'where the configuration requires %s, it is a blocker only if no step installs it (%s)',
  async (_, version, facts, blocks) => {
    const required = { cloudflare: { source: 'cloudflare/cloudflare', version } };
    const files = { 'a.tf.json': JSON.stringify({ terraform: { required_providers: required } }) };
    const plan = await planFiles(files, { installed: '3.35.0', ...facts });
    expect(codesOf(plan).includes('PROVIDER_NOT_INSTALLED')).toBe(blocks);
  },
);
