import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits } from '../../src/apply/steps/edit';
import { type Plan, type Step } from '../../src/plan/plan-schema';
import { judgePlan } from '../../src/terraform/judge-plan';
import { inLab, type Lab } from '../support/lab';
import { oldWafScenario, oldWafState, withoutData, writeOldWaf } from '../support/legacy-waf-case';
import { type Major } from '../support/provider/schema/load-schema';

const ZONES = [
  '0123456789abcdef0123456789abcdef',
  'fedcba9876543210fedcba9876543210',
  ...['1', '2', '3'].map((digit) => digit.repeat(32)),
];
const OLD = /(^|\.)cloudflare_waf_/;

/** The requests to the legacy API, and all writes. */
const forbidden = (lab: Lab): string[] =>
  lab.asked().filter((line) => /\/firewall\/waf|\/waf_migration/.test(line) || !/^GET /.test(line));

const migrated = oldWafScenario({ alive: false });

async function finish(lab: Lab): Promise<void> {
  expect((await lab.stateList()).filter((address) => OLD.test(address))).toEqual([]);
  expect(forbidden(lab)).toEqual([]);
  expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
}

/** Plans by the command line, in the folder of a lab; its exit code is the test's to judge. */
async function planIn(
  lab: Lab,
  zoneIds: readonly string[],
  ...args: readonly string[]
): Promise<{ code: number; plan: Plan; stderr: string }> {
  const zones = zoneIds.flatMap((zone) => ['--zone', zone]);
  const dirs = args.includes('--dir') ? [] : ['--dir', lab.dir];
  const run = await lab.cli(['plan', ...zones, ...dirs, ...args, '--json']);
  if (run.stdout === '') throw new Error(run.stderr);
  return { code: run.code, plan: JSON.parse(run.stdout), stderr: run.stderr };
}

/**
 * Does what a plan says, step by step, with the real Terraform. After each step, and once more at
 * the end, its `expects` is what the state has; at the end the state has nothing else new or lost.
 */
async function carryOut(lab: Lab, plan: Plan): Promise<void> {
  const dirs = new Map(plan.states.map(({ name, dir }) => [name, dir]));
  const expected = new Map<string, Set<string>>();
  for (const [name, dir] of dirs) expected.set(name, new Set(await lab.stateList(dir)));
  for (const step of plan.steps) {
    await carryOutStep(lab, step);
    const { gone = [], present = [] } = step.expects ?? {};
    const now = expected.get(step.state)!;
    for (const address of gone) now.delete(address);
    for (const address of present) now.add(address);
    if (gone.length + present.length > 0) {
      expect(await lab.stateList(dirs.get(step.state))).toEqual([...now].sort(byText));
    }
  }
  for (const [name, dir] of dirs) {
    expect((await lab.stateList(dir)).sort(byText)).toEqual([...expected.get(name)!].sort(byText));
  }
}

async function carryOutStep(lab: Lab, step: Step): Promise<void> {
  if (step.kind === 'upgrade-provider') {
    const to = step.provider!;
    await lab.use({ major: to.startsWith('4') ? 4 : 5 });
  }
  for (const { argv, saveTo } of step.runs ?? []) {
    const [binary, ...args] = argv;
    const ran = binary === 'terraform' ? await lab.terraform(...args) : await lab.cli(args);
    expect([argv.join(' '), ran.stderr, ran.code]).toEqual([argv.join(' '), '', 0]);
    if (saveTo !== undefined) expect(JSON.parse(ran.stdout)).toHaveProperty('lineage');
    if (args.includes('show')) {
      expect(judgePlan(JSON.parse(ran.stdout), 'import-and-forget').differences).toEqual([]);
    }
  }
  if (step.edits) await applyEdits(step.edits, lab.dir);
}

const byText = (a: string, b: string): number => (a < b ? -1 : 1);

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
      lab.asked();
      await carryOut(lab, plan);
      expect(await lab.stateList()).toContain('cloudflare_filter.bad');
      await finish(lab);
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
      lab.asked();
      await carryOut(lab, plan);
      await finish(lab);
    }));

  it.each([3, 5] as const)('end under provider 5, planned under provider %s', (from) =>
    inOld(from, async (lab) => {
      const { plan } = await planIn(lab, ZONES, '--from', String(from), '--to', '5');
      lab.asked();
      await carryOut(lab, plan);
      await finish(lab);
    }),
  );
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
      lab.asked();
      await carryOut(lab, plan);
      await finish(lab);
    }),
  );

  it('trap 0.13: leave by commands alone once these are gone: no block works then', () =>
    inAlias(false, async (lab) => {
      const blocks = planIn(lab, ZONES.slice(0, 1), '--from', '3', '--method', 'blocks');
      await expect(blocks).rejects.toThrow(/METHOD_UNSUITABLE|is gone/);
      const { plan, code } = await planIn(lab, ZONES.slice(0, 1), '--from', '3');
      expect(code).toBe(2);
      expect(plan.findings.map(({ code: finding }) => finding)).toContain('BLOCK_ALREADY_GONE');
      lab.asked();
      await carryOut(lab, plan);
      await finish(lab);
    }));
});
