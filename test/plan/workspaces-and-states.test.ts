import { MANAGED_PHASE } from '../../src/core/ruleset';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts/facts';
import {
  codesOf,
  declaredZone,
  editsOf,
  kindsOf,
  legacyResource,
  OTHER_ZONE,
  stateFacts,
  RULESET,
  ZONE,
  zone,
  configuration,
  OLD_BLOCKS,
  firewallRule,
} from './support/state-facts';
import { type Plan, type Step } from '../../src/plan/plan';
import { MODULE, otherZone, rootState } from './support/shared-module';

describe('several states in order', () => {
  const zones = [declaredZone, otherZone];
  const told = ({ steps }: Plan): string[] =>
    steps.map(({ kind, state, states }) => `${states?.join(' and ') ?? state}: ${kind}`);
  const editOf = ({ steps }: Plan): Step =>
    steps.find(({ edits = [] }) => edits.some(({ file }) => file === MODULE))!;

  describe('two states that call one module', () => {
    it('both remove from state before the edit, also where removing goes first', async () => {
      const installed = { installed: '5.22.0' };
      const states = [await rootState('a', installed), await rootState('b', installed)];
      const kinds = told(planMigration(zones, states));
      const edited = kinds.indexOf('a and b: edit');
      expect(kinds.indexOf('a: remove')).toBeLessThan(edited);
      expect(kinds.indexOf('b: remove')).toBeLessThan(edited);
      expect(kinds.indexOf('a: import')).toBeGreaterThan(edited);
      expect(kinds.indexOf('b: import')).toBeGreaterThan(edited);
    });

    it('have one edit for the blocks of both', async () => {
      const [owasp, one] = ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one["a"]'];
      const states = [await rootState('a', {}, [owasp]), await rootState('b', {}, [one])];
      const [edit, ...others] = editOf(planMigration(zones, states)).edits!;
      expect(others).toEqual([]);
      expect(edit!.remove.map(({ startLine }) => startLine)).toEqual([1, 5]);
      const whole = planMigration(zones, [await rootState('a'), await rootState('b')]);
      expect(edit).toEqual(editOf(whole).edits![0]);
    });

    it('leave a third state alone, which has separate blocks', async () => {
      const states = [await rootState('a'), await rootState('c'), await rootState('b')];
      const plan = planMigration(zones, states);
      const kinds = told(plan).filter((step) => step.startsWith('c: '));
      expect(kinds).toEqual(
        ['backup', 'remove-dry-run', 'remove', 'edit', 'check'].map((kind) => `c: ${kind}`),
      );
      expect(plan.steps.at(-1)!.state).toBe('c');
    });
  });

  describe('a file that a link leads to', () => {
    const OWN = 'shared/main.tf';
    const linked = async (name: string): Promise<StateFacts> => {
      const files = await configuration({ [`${name}/main.tf`]: OLD_BLOCKS }, name);
      const linkedFiles = new Map([[`${name}/main.tf`, OWN]]);
      const linked = { ...files, linkedFiles };
      return stateFacts({ name, dir: name, lineage: name, configuration: linked });
    };

    it('is one file for the states of all links: all remove from state before it is edited', async () => {
      const plan = planMigration(zones, [await linked('a'), await linked('b')]);
      const kinds = told(plan);
      expect(kinds.indexOf('b: remove')).toBeLessThan(kinds.indexOf('a and b: edit'));
      expect(kinds.indexOf('b: remove')).toBeGreaterThan(-1);
    });

    it('has one edit for the blocks of all links', async () => {
      const whole = [await linked('a'), await linked('b')];
      const states = whole.map((state, at) => ({
        ...state,
        legacyResources: [state.legacyResources[at]!],
      }));
      const edits = editsOf(planMigration(zones, states)).filter(({ remove }) => remove.length > 0);
      expect(edits.map(({ file, remove }) => [file, remove.length])).toEqual([['a/main.tf', 2]]);
    });

    it('is outside the folder, where others may use it', async () => {
      const { findings } = planMigration([declaredZone], [await linked('a')]);
      expect(findings).toContainEqual(
        expect.objectContaining({ code: 'BLOCK_OF_SEVERAL_STATES', subject: OWN }),
      );
      // a folder that is a link itself has its own files
      const whole = await linked('a');
      const { configuration: files } = whole;
      const places = new Map([...files!.linkedFiles!, ['a', 'shared']]);
      const moved = { ...whole, configuration: { ...files!, linkedFiles: places } };
      const own = planMigration([declaredZone], [moved]).findings;
      expect(own.map(({ code }) => code)).not.toContain('BLOCK_OF_SEVERAL_STATES');
    });
  });

  it('states with blocks that are removed by hand both remove from state before', async () => {
    const files = {
      'roots/a/main.tf': 'module "waf" {\n  source = "../../modules/waf"\n}\n',
      'roots/b/main.tf': 'module "waf" {\n  source = "../../modules/waf"\n}\n',
      [MODULE]: `${OLD_BLOCKS}output "id" {\n  value = cloudflare_waf_package.owasp.id\n}\n`,
    };
    const state = async (name: 'a' | 'b') =>
      rootState(name, { configuration: await configuration(files, `roots/${name}`) });
    const phases = [
      ['backup', 'edit', 'import', 'check'],
      ['remove-dry-run', 'remove'],
      ['manual', 'check'],
    ];
    expect(told(planMigration(zones, [await state('a'), await state('b')]))).toEqual(
      phases.flatMap((kinds) => [
        ...(kinds[0] === 'manual' ? ['a and b: edit'] : []),
        ...['a', 'b'].flatMap((name) => kinds.map((kind) => `${name}: ${kind}`)),
      ]),
    );
  });

  it('the state that imports the ruleset of a zone comes before one that only removes', () => {
    const holding = stateFacts({ name: 'holding' });
    const declared = [{ address: 'cloudflare_ruleset.own', zoneId: declaredZone.zoneId }];
    const owning = stateFacts({ name: 'owning', lineage: 'other', declared });
    const kinds = told(planMigration([declaredZone], [holding, owning]));
    expect(kinds.indexOf('owning: import')).toBeGreaterThan(-1);
    expect(kinds.indexOf('owning: import')).toBeLessThan(kinds.indexOf('holding: remove'));
  });

  const shared = ({ findings }: Plan) =>
    findings.filter(({ code }) => code === 'BLOCK_OF_SEVERAL_STATES');

  it('a state whose module is outside its folder is not reported where the module is inside', async () => {
    const inside = await configuration({
      'main.tf': 'module "waf" {\n  source = "./modules/waf"\n}\n',
      [MODULE]: OLD_BLOCKS,
    });
    const state = await rootState('a', { dir: '.', configuration: inside });
    expect(shared(planMigration([declaredZone], [state]))).toEqual([]);
  });
});

describe('the plan of each state', () => {
  it.each([
    ['has nothing of the zone', [], 'NO_LEGACY_RESOURCES'],
    [
      'does not show the zone of its legacy resources',
      [legacyResource('cloudflare_waf_rule.r', { zoneId: undefined })],
      'ZONE_NOT_IN_STATE',
    ],
  ])('only checks a state that %s', (_, legacyResources, code) => {
    const plan = planMigration([zone], [stateFacts({ legacyResources })]);
    expect([kindsOf(plan), codesOf(plan)]).toEqual([['check'], [code]]);
  });

  it.each(['in the same state', 'in another state'])(
    'leaves a block of a module alone of which another zone has something %s',
    async (where) => {
      const call = (name: string): string => `module "${name}" {\n  source = "./waf"\n}\n`;
      const files = await configuration({
        'main.tf': `${call('a')}${call('b')}`,
        'waf/main.tf': 'resource "cloudflare_waf_rule" "r" {\n  zone_id = var.zone\n}\n',
      });
      const own = legacyResource('module.a.cloudflare_waf_rule.r');
      const others = legacyResource('module.b.cloudflare_waf_rule.r', { zoneId: OTHER_ZONE });
      const state = (name: string, ...legacyResources: (typeof own)[]) =>
        stateFacts({ name, legacyResources, configuration: files });
      const states =
        where === 'in another state'
          ? [state('main', own), state('second', others)]
          : [state('main', own, others)];
      const plan = planMigration([declaredZone], states);
      expect(plan.findings).toContainEqual(
        expect.objectContaining({
          code: 'BLOCK_SHARED',
          message: expect.stringContaining(`: ${own.address}`),
        }),
      );
      expect(editsOf(plan).map(({ file }) => file)).toEqual(['waf.tf']);
    },
  );

  describe('where links give one file of a module two names', () => {
    const RULE = 'resource "cloudflare_waf_rule" "r" {\n  zone_id = var.zone\n}\n';
    const linked = async () => ({
      ...(await configuration({
        'main.tf': ['shop', 'blog']
          .map((name) => `module "${name}" {\n  source = "./${name}"\n}\n`)
          .join(''),
        'shop/waf.tf': RULE,
        'blog/waf.tf': RULE,
      })),
      linkedFiles: new Map([['blog/waf.tf', 'shop/waf.tf']]),
    });
    const own = legacyResource('module.shop.cloudflare_waf_rule.r');
    const others = legacyResource('module.blog.cloudflare_waf_rule.r', { zoneId: OTHER_ZONE });
    const edited = (plan: Plan) => editsOf(plan).map(({ file }) => file);

    it('leaves the block alone of which another zone has something under the other name', async () => {
      const state = stateFacts({ legacyResources: [own, others], configuration: await linked() });
      const plan = planMigration([declaredZone], [state]);
      expect(plan.findings).toContainEqual(
        expect.objectContaining({
          code: 'BLOCK_SHARED',
          message: expect.stringContaining(`: ${own.address}`),
        }),
      );
      expect(edited(plan)).toEqual(['waf.tf']);
    });

    it('removes the block once where both zones leave', async () => {
      const state = stateFacts({ legacyResources: [own, others], configuration: await linked() });
      const other = { ...zone, zoneId: OTHER_ZONE, address: 'cloudflare_ruleset.other' };
      expect(edited(planMigration([declaredZone, other], [state]))).toEqual([
        ...['waf.tf', 'blog/waf.tf'],
      ]);
    });
  });

  it('imports the ruleset and removes the blocks where the legacy resources were removed before', async () => {
    const files = await configuration({ 'main.tf': OLD_BLOCKS });
    const emptied = { legacyResources: [], configuration: files };
    const plan = planMigration([declaredZone], [stateFacts(emptied)]);
    expect(
      plan.steps.map(({ kind, edits = [] }) => [kind, ...edits.map(({ file }) => file)]),
    ).toEqual([['backup'], ['edit', 'main.tf'], ['edit', 'waf.tf'], ['import'], ['check']]);
    expect(codesOf(plan)).toEqual(['LEGACY_RESOURCES_GONE']);
    const workspaces = stateFacts({ ...emptied, otherWorkspaces: ['prod'] });
    expect(planMigration([declaredZone], [workspaces]).findings).toContainEqual(
      expect.objectContaining({ code: 'OTHER_WORKSPACES' }),
    );

    const elsewhere = stateFacts({ ...emptied, name: 'second' });
    expect(kindsOf(planMigration([declaredZone], [stateFacts(emptied), elsewhere]))).toEqual([
      ...['check', 'check'],
    ]);
    const two = [declaredZone, { ...zone, zoneId: OTHER_ZONE, rulesetId: 'b'.repeat(32) }];
    expect(kindsOf(planMigration(two, [stateFacts(emptied)]))).toEqual(['check']);
    const unread = stateFacts({ legacyResources: [] });
    expect(kindsOf(planMigration([declaredZone], [unread]))).toEqual(['check']);
  });

  it('keeps legacy blocks where another zone has their resources, or the ruleset is imported', async () => {
    const neverApplied = 'resource "cloudflare_waf_group" "g" {}\n';
    const files = await configuration({ 'main.tf': OLD_BLOCKS + neverApplied });
    const edited = (changes: Partial<StateFacts>) =>
      editsOf(planMigration([declaredZone], [stateFacts({ configuration: files, ...changes })]))
        .map(({ file }) => file)
        .filter((file) => file === 'main.tf');
    const declared = [{ address: declaredZone.address, zoneId: declaredZone.zoneId }];
    const others = ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one["a"]'].map((one) =>
      legacyResource(one, { zoneId: OTHER_ZONE }),
    );
    expect(edited({ declared, legacyResources: others })).toEqual([]);
    const { address, zoneId, rulesetId: id } = declaredZone;
    const there = { legacyResources: [], rulesets: [{ address, zoneId, id }] };
    expect(edited(there)).toEqual([]);
    const state = stateFacts({ configuration: files, ...there });
    expect(codesOf(planMigration([declaredZone], [state]))).toContain('LEGACY_BLOCKS_DECLARED');
    expect(edited({ declared, legacyResources: [] })).toEqual(['main.tf']);
  });

  it('puts a new state before one that imports and removes', () => {
    const declared = [{ address: 'cloudflare_ruleset.own', zoneId: zone.zoneId }];
    const others = [legacyResource('cloudflare_waf_rule.two', { zoneId: OTHER_ZONE })];
    const states = [
      stateFacts({ name: 'declaring', declared }),
      stateFacts({ name: 'removing', legacyResources: others }),
      stateFacts({ name: 'new', legacyResources: [], exists: false }),
    ];
    const other = { ...zone, zoneId: OTHER_ZONE, rulesetId: 'b'.repeat(32) };
    const { steps } = planMigration([zone, other], states);
    expect([...new Set(steps.map(({ state }) => state))]).toEqual([
      ...['new', 'declaring', 'removing'],
    ]);
  });

  it('keeps firewall rules where no legacy resource leaves', () => {
    const nothingOld = { installed: '5.22.0', legacyResources: [], retired: [firewallRule] };
    expect(codesOf(planMigration([zone], [stateFacts(nothingOld)]))).toEqual([
      'NO_LEGACY_RESOURCES',
    ]);
  });

  it.each([
    ['3.35.0', 'found', [zone]],
    ['3.35.0', 'not looked up', []],
  ])(
    'imports no ruleset with provider 5 while legacy resources of other zones stay (%s installed, ruleset %s)',
    (installed, _, zones) => {
      const state = stateFacts({
        ...{ installed, wanted: '5.22.0', retired: [firewallRule] },
        rulesets: [{ ...zone, id: RULESET, phase: MANAGED_PHASE }],
        legacyResources: [legacyResource('cloudflare_waf_rule.two', { zoneId: OTHER_ZONE })],
      });
      const plan = planMigration(zones, [state], 'commands', [ZONE]);
      expect([kindsOf(plan), codesOf(plan)]).toEqual([['check'], ['NO_LEGACY_RESOURCES']]);
    },
  );
});
