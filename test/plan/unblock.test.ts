import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProviderVersions, readStateBytes } from '../../src/plan/read/read-facts';
import { type Plan } from '../../src/plan/plan';
import { parsePlan } from '../../src/plan/parse-plan';
import { type StateFacts } from '../../src/plan/facts';
import { planMigration } from '../../src/plan/plan-migration';
import {
  configuration,
  firewallRule,
  OLD_BLOCKS,
  legacyResource,
  stateFacts,
  zone,
  workspace,
  declaredZone,
  OTHER_ZONE,
  ZONE,
} from './support/state-facts';
import { statesFolder } from './support/plans';

describe('a plan without zones', () => {
  const stateOf = (file: string, versions: ProviderVersions = {}): StateFacts =>
    readStateBytes(readFileSync(join(statesFolder, file)), 'default', versions);
  const unblocked = (file: string, from?: string): Plan =>
    planMigration([], [stateOf(file, { from })]);
  const blockages = ({ findings }: Plan): string[] =>
    findings
      .filter(({ code }) => code === 'PLANNING_BLOCKED')
      .map(({ message }) => message.replace('these are in the way: ', ''));
  const kinds = ({ steps }: Plan): string[] => steps.map(({ kind }) => kind);

  describe('a plan without a zone', () => {
    it('counts old resources by type', () => {
      expect(blockages(unblocked('old-waf-3.35.tfstate', '3.35.0'))).toEqual([
        expect.stringMatching(/cloudflare_waf_rule \(\d+\)/),
      ]);
    });

    it('takes out what blocks, checks, and imports nothing', () => {
      const plan = unblocked('old-waf-3.35.tfstate', '4.52.8');
      expect(kinds(plan)).toEqual(['backup', 'remove-dry-run', 'remove', 'manual', 'check']);
      expect(plan.zones).toEqual([]);
      expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
    });

    it.each([
      ['3.35.0', []],
      [undefined, []],
      ['5.22.0', ['2 legacy resources that only the files declare']],
    ])(
      'takes old blocks out that are in the files alone, under provider %s',
      async (from, words) => {
        const files = await configuration({ 'main.tf': OLD_BLOCKS });
        const state = stateFacts({ legacyResources: [], installed: from, configuration: files });
        const plan = planMigration([], [state]);
        expect(blockages(plan)).toEqual(words);
        expect(kinds(plan)).toEqual(words.length === 0 ? ['check'] : ['backup', 'edit', 'check']);
      },
    );

    it('says what in the folder stands in the way, where something is to be done', () => {
      const inTheWay = {
        otherWorkspaces: [workspace('staging')],
        pendingMoves: [{ from: 'a.b', to: 'a.d', file: 'main.tf', line: 3 }],
      };
      const codes = (state: Partial<StateFacts>): string[] =>
        planMigration([], [stateFacts({ ...inTheWay, ...state })]).findings.map(({ code }) => code);
      expect(codes({ installed: '4.52.8' })).toEqual(
        expect.arrayContaining(['MOVE_PENDING', 'OTHER_WORKSPACES']),
      );
      expect(codes({ legacyResources: [] })).toEqual(['NOTHING_BLOCKS']);
    });

    it('removes firewall rules under provider 5 alone, and their filters with them', () => {
      const leaving = (from: string) =>
        unblocked('old-waf-3.35.tfstate', from)
          .steps.find(({ kind }) => kind === 'remove')!
          .addresses!.filter((address) => /^cloudflare_(filter|firewall)/.test(address));
      expect(leaving('4.52.8')).toEqual([]);
      expect(leaving('5.22.0')).toEqual([
        ...['cloudflare_filter.bad', 'cloudflare_filter.office'],
        ...['cloudflare_firewall_rule.bad', 'cloudflare_firewall_rule.bypass'],
      ]);
      const alone = unblocked('filter-fwrule-4.52.8.tfstate', '5.22.0');
      expect(blockages(alone)).toEqual(['cloudflare_firewall_rule.a']);
    });

    it.each([
      ['ruleset-v3-after-import.tfstate', '5.22.0', 1],
      ['ruleset-v3-after-import.tfstate', '4.52.8', 0],
      ['ruleset-v4-after-import.tfstate', '5.22.0', 1],
      ['ruleset-v4-after-import.tfstate', '4.52.8', 0],
      ['ruleset-v5-after-import.tfstate', '5.22.0', 0],
    ])(
      'of %s under %s: a ruleset that provider 3 or 4 wrote is imported again under provider 5 alone',
      (file, from, count) => {
        const plan = unblocked(file, from);
        expect(blockages(plan)).toHaveLength(count);
        expect(kinds(plan)).toEqual(
          count === 0 ? ['check'] : ['backup', 'remove-dry-run', 'remove', 'import', 'check'],
        );
        if (count === 0) expect(plan.findings.map(({ code }) => code)).toEqual(['NOTHING_BLOCKS']);
      },
    );

    it('imports a ruleset of an account as one', () => {
      const state = stateOf('ruleset-v3-after-import.tfstate', { from: '5.22.0' });
      const [one] = state.rulesets;
      const ofAccount = { ...one!, zoneId: undefined, accountId: 'c'.repeat(32) };
      const plan = planMigration([], [{ ...state, rulesets: [ofAccount] }]);
      expect(plan.steps.find(({ kind }) => kind === 'import')!.importId).toBe(
        `accounts/${'c'.repeat(32)}/${one!.id!}`,
      );
    });

    it('of several states has the steps of each', () => {
      const states = ['old-waf-3.35.tfstate', 'tainted-3.35.tfstate'].map((file, at) => ({
        ...stateOf(file),
        name: `s${at}`,
      }));
      const plan = planMigration([], states);
      expect(new Set(plan.steps.map(({ state }) => state))).toEqual(new Set(['s0', 's1']));
      expect(plan.steps.map(({ id }) => id)).toEqual(plan.steps.map((_, at) => String(at + 1)));
    });

    it('names eight of a kind, and counts the others', () => {
      const unblock = (count: number) => {
        const retired = Array.from({ length: count }, (_, at) => ({
          type: 'cloudflare_firewall_rule',
          address: `a.r${at}`,
        }));
        return blockages(
          planMigration([], [stateFacts({ legacyResources: [], installed: '5.22.0', retired })]),
        );
      };
      const eight = 'a.r0, a.r1, a.r2, a.r3, a.r4, a.r5, a.r6, a.r7';
      expect(unblock(8)).toEqual([eight]);
      expect(unblock(9)).toEqual([`${eight} and 1 more`]);
    });

    it('is blocked by data sources alone, and names no folder of data', () => {
      const data = legacyResource('data.cloudflare_waf_rules.d');
      const retired = [firewallRule];
      const plan = planMigration(
        [],
        [stateFacts({ legacyResources: [data], installed: '5.22.0', retired })],
      );
      expect(blockages(plan)).not.toEqual([]);
      expect(plan.findings).not.toContainEqual(expect.any(String));
      for (const { states } of [plan, planMigration([zone], [stateFacts()])]) {
        expect(states[0]).not.toHaveProperty('dataDir');
      }
    });

    const edited = async (changes: Partial<StateFacts>): Promise<string[]> => {
      const names = [
        ...['cloudflare_waf_rule" "old', 'cloudflare_waf_rule" "never_applied'],
        ...['cloudflare_firewall_rule" "r', 'cloudflare_firewall_rule" "never_applied'],
      ];
      const blocks = names.map((name) => `resource "${name}" {}\n`);
      const files = {
        'main.tf': [...blocks, 'data "cloudflare_waf_groups" "all" {}\n'].join('\n'),
      };
      const state = stateFacts({ configuration: await configuration(files), ...changes });
      const edits = planMigration([], [state]).steps.flatMap((step) => step.edits ?? []);
      return edits.flatMap(({ remove }) => remove.map(({ address }) => address));
    };

    it.each([
      ['4.52.8', []],
      ['5.22.0', ['cloudflare_firewall_rule.r', 'cloudflare_firewall_rule.never_applied']],
    ])(
      'takes blocks out of the files that were never applied, under %s',
      async (installed, also) => {
        const retired = [firewallRule];
        const legacyResources = [legacyResource('cloudflare_waf_rule.old')];
        const gone = await edited({ installed, retired, legacyResources });
        expect(gone.sort()).toEqual(
          [
            ...['cloudflare_waf_rule.old', 'cloudflare_waf_rule.never_applied'],
            ...['data.cloudflare_waf_groups.all', ...also],
          ].sort(),
        );
      },
    );

    it('takes data sources out of the files where nothing leaves the state', async () => {
      expect(await edited({ legacyResources: [] })).toContain('data.cloudflare_waf_groups.all');
      const alone = await configuration({ 'main.tf': 'data "cloudflare_waf_groups" "all" {}\n' });
      const state = stateFacts({
        ...{ installed: '5.22.0', legacyResources: [], configuration: alone },
      });
      expect(blockages(planMigration([], [state]))).toEqual(['1 legacy data sources']);
    });
  });
});

describe('absent blocks', () => {
  const rule = (name: string, zone: string, more = '') =>
    `resource "cloudflare_waf_rule" "${name}" {\n  zone_id = ${zone}\n${more}}\n`;

  /** What a plan that leaves provider 3 takes out of the files, and what it says that it does not. */
  async function planned(files: Record<string, string>, changes: Partial<StateFacts> = {}) {
    const state = stateFacts({
      legacyResources: [legacyResource('cloudflare_waf_rule.held')],
      configuration: await configuration(files),
      ...changes,
    });
    const { steps, findings } = planMigration([declaredZone], [state]);
    const edits = steps.flatMap(({ edits: own = [] }) => own);
    const said = findings.find(({ code }) => code === 'LEGACY_BLOCKS_DECLARED');
    return {
      removed: edits.flatMap(({ remove }) => remove.map(({ address }) => address)),
      said: said?.message.split(': ').at(-1),
    };
  }

  describe('a block of which the state holds nothing, where something else leaves it', () => {
    const held = rule('held', 'var.zone');

    it('stays, and is named by each address, also in a module: another workspace may have it', async () => {
      const files = {
        'main.tf': `${held}${rule('gone', `"${ZONE}"`)}module "m" {\n  source = "./m"\n}\n`,
        'm/main.tf': rule('none', 'var.zone', '  count = 0\n'),
      };
      expect(await planned(files)).toEqual({
        removed: ['cloudflare_waf_rule.held'],
        said: 'cloudflare_waf_rule.gone, module.m.cloudflare_waf_rule.none',
      });
    });

    it('is not what a data source is, which leaves with the provider', async () => {
      const data = `data "cloudflare_waf_rules" "all" {\n  zone_id = "${OTHER_ZONE}"\n}\n`;
      expect(await planned({ 'main.tf': held + data })).toEqual({
        removed: ['cloudflare_waf_rule.held', 'data.cloudflare_waf_rules.all'],
        said: undefined,
      });
    });

    it('leaves in any case where the provider that comes does not know its type', async () => {
      const files = { 'main.tf': held + rule('gone', 'local.zone') };
      expect(await planned(files, { wanted: '4.52.8' })).toEqual({
        removed: ['cloudflare_waf_rule.held', 'cloudflare_waf_rule.gone'],
        said: undefined,
      });
    });
  });
});
