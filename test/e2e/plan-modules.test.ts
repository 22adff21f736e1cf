import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan } from '../../src/plan/plan-schema';
import { inLab, type Lab } from '../support/lab';
import { oldWafScenario, oldWafState, withoutData, writeOldWaf } from '../support/legacy-waf-case';
import { acceptAll } from '../support/plans';
import { type Major } from '../support/provider/schema/load-schema';

const ZONES = [
  '0123456789abcdef0123456789abcdef',
  'fedcba9876543210fedcba9876543210',
  ...['1', '2', '3'].map((digit) => digit.repeat(32)),
];
const OLD = /(^|\.)cloudflare_waf_/;

const migrated = oldWafScenario({ alive: false });

/** Plans in the folder of a lab; the exit code is the test's to judge. */
async function planIn(lab: Lab, zoneIds: readonly string[], ...args: readonly string[]) {
  const zones = zoneIds.flatMap((zone) => ['--zone', zone]);
  const { code, stdout, stderr } = await lab.cli(['plan', ...zones, ...args, '--json']);
  if (stdout === '') throw new Error(stderr);
  return { code, plan: JSON.parse(stdout) as Plan };
}

/** Applies a plan: no legacy resource is left in the state, no legacy API was called, and the next plan is empty. */
async function expectMigrated(lab: Lab, plan: Plan): Promise<void> {
  lab.write('plan.json', plan);
  lab.asked();
  const applied = await lab.cli(['apply', 'plan.json', '--yes', '--json', ...acceptAll(plan)]);
  expect([applied.code, applied.stderr.includes('"error"')]).toEqual([0, false]);
  expect((await lab.stateList()).filter((address) => OLD.test(address))).toEqual([]);
  expect(
    lab
      .asked()
      .filter((line) => /\/firewall\/waf|\/waf_migration/.test(line) || !/^GET /.test(line)),
  ).toEqual([]);
  expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
  expect((await lab.cli(['verify', 'plan.json'])).code).toBe(0);
}

describe('five zones in one state: modules, count, for_each with awkward keys', () => {
  const inOld = (major: Major, use: (lab: Lab) => Promise<void>) =>
    inLab({ major, scenario: migrated }, async (lab) => {
      await writeOldWaf(lab);
      lab.write('terraform.tfstate', oldWafState());
      await use(lab);
    });

  it('leave by blocks under provider 3, data sources with them, and filters stay', () =>
    inOld(3, async (lab) => {
      const { plan, code } = await planIn(lab, ZONES, '--from', '3', '--method', 'blocks');
      expect([code, plan.states[0]!.method]).toEqual([0, 'blocks']);
      await expectMigrated(lab, plan);
      expect(await lab.stateList()).toContain('cloudflare_filter.bad');
    }));

  it('trap 0.11: leave by commands, import first, once no data source is in the way', () =>
    inOld(3, async (lab) => {
      withoutData(lab);
      const state = JSON.parse(oldWafState());
      state.resources = state.resources.filter(
        ({ mode, name }: any) => mode !== 'data' && !/^from_/.test(name),
      );
      lab.write('terraform.tfstate', state);
      const { plan } = await planIn(lab, ZONES, '--from', '3');
      const kinds = plan.steps.map(({ kind }) => kind);
      expect(kinds.indexOf('import')).toBeLessThan(kinds.indexOf('remove'));
      await expectMigrated(lab, plan);
    }));

  // test/e2e/whole-way.test.ts upgrades a module from 3 to 5
  it('leave under provider 5', () =>
    inOld(5, async (lab) => {
      const { plan } = await planIn(lab, ZONES, '--from', '5');
      await expectMigrated(lab, plan);
    }));
});

describe('old resources that are bound to a provider alias, and to one inside of a module', () => {
  const state = readFileSync(
    join(__dirname, '../fixtures/terraform/states/provider-alias-3.35.tfstate'),
    'utf8',
  );
  const requirement =
    'terraform {\n  required_providers {\n    cloudflare = { source = "cloudflare/cloudflare" }\n  }\n}\n';
  const rule = (name: string, alias: string) =>
    `resource "cloudflare_waf_rule" "${name}" {\n  provider = cloudflare.${alias}\n  zone_id = "${ZONES[0]!}"\n  rule_id = "100000"\n  mode = "disable"\n}\n`;
  const alias = (name: string) => `provider "cloudflare" {\n  alias = "${name}"\n}\n`;
  const inAlias = (whole: boolean, use: (lab: Lab) => Promise<void>) =>
    inLab({ major: 3, scenario: migrated }, async (lab) => {
      lab.write('terraform.tfstate', state);
      mkdirSync(join(lab.dir, 'a'));
      const inner = whole ? alias('inner') + rule('r', 'inner') : '';
      lab.write('a/main.tf', requirement + inner);
      const outer = whole ? alias('eu') + rule('aliased', 'eu') : '';
      lab.write('main.tf', `${requirement}module "a" {\n  source = "./a"\n}\n${outer}`);
      await lab.terraform('init');
      await use(lab);
    });

  it.each([['blocks'], ['commands']])('leave by %s while these are there', (method) =>
    inAlias(true, async (lab) => {
      const { plan } = await planIn(lab, ZONES.slice(0, 1), '--from', '3', '--method', method);
      expect(plan.states[0]!.method).toBe(method);
      await expectMigrated(lab, plan);
    }),
  );

  it('trap 0.13: leave by commands alone once these are gone: no block works then', () =>
    inAlias(false, async (lab) => {
      const blocks = planIn(lab, ZONES.slice(0, 1), '--from', '3', '--method', 'blocks');
      await expect(blocks).rejects.toThrow(/METHOD_UNSUITABLE|is gone/);
      const { plan, code } = await planIn(lab, ZONES.slice(0, 1), '--from', '3');
      expect(code).toBe(2);
      expect(plan.findings.map(({ code: finding }) => finding)).toContain('BLOCK_ALREADY_GONE');
      await expectMigrated(lab, plan);
    }));
});
