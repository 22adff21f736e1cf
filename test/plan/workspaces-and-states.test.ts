import { MANAGED_PHASE } from '../../src/core/ruleset';
import { zonesToRead } from '../../src/plan/make-plan';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts/facts';
import {
  byHand,
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
import { type Plan } from '../../src/plan/plan-schema';
import { MODULE, otherZone, rootState } from './support/shared-module';

const CALL = 'module "waf" {\n  source = "../../modules/waf"\n}\n';

describe('several states in order', () => {
  const zones = [declaredZone, otherZone];
  const told = ({ steps }: Plan): string[] =>
    steps.map(({ kind, state, states }) => `${states?.join(' and ') ?? state}: ${kind}`);

  describe('two states that call one module', () => {
    it('leave a third state alone, which has separate blocks', async () => {
      const states = [await rootState('a'), await rootState('c'), await rootState('b')];
      const plan = planMigration(zones, states);
      const kinds = told(plan).filter((step) => step.startsWith('c: '));
      expect(kinds).toEqual(
        ['backup', 'remove-dry-run', 'remove', 'edit', 'check'].map((kind) => `c: ${kind}`),
      );
      expect(plan.steps.at(-1)!.state).toBe('c');
    });

    it('have no block that stays where one of them removes it', async () => {
      const files = {
        'roots/a/main.tf': CALL,
        'roots/b/main.tf': CALL,
        [MODULE]: `${OLD_BLOCKS}resource "cloudflare_waf_override" "x" {\n  zone_id = var.other\n}\n`,
      };
      const [a, b] = [
        await rootState('a', { configuration: await configuration(files, 'roots/a') }),
        await rootState('b', { configuration: await configuration(files, 'roots/b') }),
      ];
      const [like] = a.legacyResources;
      const override = { ...like!, address: 'module.waf.cloudflare_waf_override.x' };
      const alone = planMigration([otherZone], [b]);
      expect(codesOf(alone)).toContain('LEGACY_BLOCKS_DECLARED');
      const both = [{ ...a, legacyResources: [...a.legacyResources, override] }, b];
      expect(codesOf(planMigration(zones, both))).not.toContain('LEGACY_BLOCKS_DECLARED');
      // also not in a state that was migrated before
      const [first, second] = both;
      const migrated = [first!, { ...second!, legacyResources: [] }];
      expect(codesOf(planMigration(zones, migrated))).not.toContain('LEGACY_BLOCKS_DECLARED');
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

    it('edits the linked file once, after the removal from both states', async () => {
      const whole = [await linked('a'), await linked('b')];
      const states = whole.map((state, at) => ({
        ...state,
        legacyResources: [state.legacyResources[at]!],
      }));
      const plan = planMigration(zones, states);
      const kinds = told(plan);
      expect(kinds.indexOf('b: remove')).toBeLessThan(kinds.indexOf('a and b: edit'));
      expect(kinds.indexOf('b: remove')).toBeGreaterThan(-1);
      const edits = editsOf(plan).filter(({ remove }) => remove.length > 0);
      expect(edits.map(({ file, remove }) => [file, remove.length])).toEqual([['a/main.tf', 2]]);
    });
  });

  describe('the output of a shared module', () => {
    const output = (value: string) => `output "id" {\n  value = ${value}\n}\n`;
    const planOf = async (readsOfB: string): Promise<Plan> => {
      const files = {
        'roots/a/main.tf': CALL + output('module.waf.id'),
        'roots/b/main.tf': CALL + readsOfB,
        [MODULE]: OLD_BLOCKS + output('cloudflare_waf_package.owasp.id'),
      };
      const state = async (name: 'a' | 'b') =>
        rootState(name, { configuration: await configuration(files, `roots/${name}`) });
      return planMigration(zones, [await state('a'), await state('b')]);
    };

    it.each(['', output('module.waf.id')])('leaves with its block: %j', async (readsOfB) => {
      const plan = await planOf(readsOfB);
      expect(byHand(plan)).toEqual([]);
      const [edit] = editsOf(plan).filter(({ file }) => file === MODULE);
      expect(edit?.remove.map(({ address }) => address)).toContain('output.id');
    });

    it('stays with its block where one of the states reads it', async () => {
      const phases = [
        ['backup', 'edit', 'import', 'check'],
        ['remove-dry-run', 'remove'],
        ['manual', 'check'],
      ];
      const plan = await planOf('locals {\n  id = module.waf.id\n}\n');
      expect(told(plan)).toEqual(
        phases.flatMap((kinds) => [
          ...(kinds[0] === 'manual' ? ['a and b: edit'] : []),
          ...['a', 'b'].flatMap((name) => kinds.map((kind) => `${name}: ${kind}`)),
        ]),
      );
      expect(editsOf(plan).flatMap(({ remove }) => remove)).not.toContainEqual(
        expect.objectContaining({ address: 'output.id' }),
      );
    });
  });
});

describe('the plan of each state', () => {
  describe('a block of a module of which another zone has something', () => {
    const RULE = 'resource "cloudflare_waf_rule" "r" {\n  zone_id = var.zone\n}\n';
    const own = legacyResource('module.a.cloudflare_waf_rule.r');
    const others = legacyResource('module.b.cloudflare_waf_rule.r', { zoneId: OTHER_ZONE });
    const calls = (a: string, b: string): string =>
      [a, b].map((name, at) => `module "${'ab'[at]}" {\n  source = "./${name}"\n}\n`).join('');
    const once = () => configuration({ 'main.tf': calls('waf', 'waf'), 'waf/main.tf': RULE });
    /** Two modules, with one file by a link. */
    const linked = async () => ({
      ...(await configuration({ 'main.tf': calls('a', 'b'), 'a/waf.tf': RULE, 'b/waf.tf': RULE })),
      linkedFiles: new Map([['b/waf.tf', 'a/waf.tf']]),
    });
    const edited = (plan: Plan) => editsOf(plan).map(({ file }) => file);

    it.each([
      ['in the same state', once, [[own, others]]],
      ['in another state', once, [[own], [others]]],
      ['under the other name of a linked file', linked, [[own, others]]],
    ])('stays, %s', async (_, files, held) => {
      const read = await files();
      const states = held.map((legacyResources, at) =>
        stateFacts({ name: `state ${at}`, legacyResources, configuration: read }),
      );
      const plan = planMigration([declaredZone], states);
      expect(plan.findings).toContainEqual(
        expect.objectContaining({
          code: 'BLOCK_SHARED',
          message: expect.stringContaining(`: ${own.address}`),
        }),
      );
      expect(edited(plan)).toEqual(['waf.tf']);
    });
  });

  it('imports the rulesets of several zones into the only state, which has no legacy resources', async () => {
    const other = { ...zone, zoneId: OTHER_ZONE, rulesetId: 'b'.repeat(32) };
    const address = 'cloudflare_ruleset.other';
    const state = stateFacts({
      legacyResources: [],
      configuration: await configuration({ 'main.tf': 'locals {}\n' }),
    });
    const zones = [ZONE, OTHER_ZONE];
    expect(zonesToRead({ zones, rulesetIds: new Map(), states: [state] })).toEqual(zones);
    const plan = planMigration([declaredZone, { ...other, address }], [state]);
    expect(kindsOf(plan).filter((kind) => kind === 'import')).toHaveLength(2);
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

  it('imports no ruleset with provider 5 while legacy resources of other zones stay', () => {
    const state = stateFacts({
      ...{ wanted: '5.22.0', retired: [firewallRule] },
      rulesets: [{ ...zone, id: RULESET, phase: MANAGED_PHASE }],
      legacyResources: [legacyResource('cloudflare_waf_rule.two', { zoneId: OTHER_ZONE })],
    });
    const plan = planMigration([zone], [state], 'commands', [ZONE]);
    expect([kindsOf(plan), codesOf(plan)]).toEqual([['check'], ['OTHER_ZONES']]);
    // otherwise nothing would tell that the provider is not upgraded
    expect(plan.findings.at(-1)?.severity).toBe('blocker');
  });
});
