import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPlans } from '../../src/fleet/read-plans';
import { terraformFileName } from '../../src/core/terraform-syntax';
import { groupByPlan } from '../../src/fleet/group-zones';
import { type StateFacts } from '../../src/plan/facts/facts';
import { type Plan } from '../../src/plan/plan-schema';
import { planFormats } from '../../src/plan/formats/plan-formats';
import { planMigration } from '../../src/plan/plan-migration';
import { stackOf } from '../generate/support/generate-files';
import { live } from '../generate/support/live-answer';
import { ZONE, statesFolder } from '../plan/support/plans';
import { MODULE, moduleFiles, otherZone, rootState } from '../plan/support/shared-module';
import { configuration, declaredZone } from '../plan/support/state-facts';
import { fakeTerraform } from '../support/fake-terraform';
import { nextCommands } from '../support/next-commands';
import { untilEnd } from '../support/run-process';
import { startCli } from '../support/spawn-cli';
import { temporaryFolder, writeInto } from '../support/temporary-folder';
import { cliWithEmulator, environmentOf, errorOf } from '../support/cli-lab';
import { deploy, entryPoint, MANAGED } from '../support/zones';
import { fleetScenario, zoneId } from './support/fleet-scenario';
import { planDir, works } from './support/plan-dir';
import { resourceOf, stateOf, terraformOf } from './support/states';

describe('plan many', () => {
  const NEIGHBOUR = 'fedcba9876543210fedcba9876543210';
  const cli = cliWithEmulator('old-waf');
  const rule = 'resource "cloudflare_waf_rule" "r" {\n  zone_id = "z"\n}\n';
  const program = JSON.stringify({
    resource: { cloudflare_waf_rule: { r: { '//': { metadata: { path: 'edge/r' } } } } },
  });
  const stateOfZone = (zone_id: string): string =>
    JSON.stringify({
      ...stateOf(resourceOf('cloudflare_waf_rule', 'r', { id: '100000', zone_id })),
      lineage: `8a8b9d74-1bbc-5b46-8c8b-${zone_id.slice(-12)}`,
    });
  const BLOCKS = ['--from', '3.35.0', '--method', 'blocks'];
  let cwd: string;
  let environment: Record<string, string>;

  beforeEach(() => {
    cwd = temporaryFolder();
    environment = { PATH: terraformOf(cwd, 'state.json').searchPath };
    list(`${ZONE},a`, `${NEIGHBOUR},b`);
  });

  function list(...lines: string[]): void {
    writeFileSync(join(cwd, 'zones.csv'), ['zone,dir', ...lines, ''].join('\n'));
  }

  function folder(name: string, zone: string, file: string, text: string): void {
    writeInto(join(cwd, name), { 'state.json': stateOfZone(zone), [file]: text });
  }

  const plan = (...args: string[]) =>
    cli.run(['plan', '--zones', 'zones.csv', '--out', 'plans', ...args], { cwd, environment });
  const planned = async (...args: string[]) => JSON.parse((await plan(...args, '--json')).stdout);

  describe('plan --write for the zones of many states', () => {
    it('makes the edits also where a run without it has made the plan', async () => {
      folder('a', ZONE, 'main.tf', rule);
      cli.emulator().clearRequests();
      const without = await planned(...BLOCKS);
      expect(without.summary).toMatchObject({ zones: 2, failed: 1 });
      const asked = cli.emulator().requests();
      expect(
        asked.filter(({ path }) => path === `/zones/${ZONE}/waf_migration/status`),
      ).toHaveLength(1);
      expect(readFileSync(join(cwd, 'a/main.tf'), 'utf8')).toBe(rule);
      const made = await planned(...BLOCKS, '--write');
      expect(made.summary).toMatchObject({ failed: 1, earlier: 0 });
      expect(readFileSync(join(cwd, 'a/main.tf'), 'utf8')).not.toContain(
        'cloudflare_waf_rule" "r"',
      );
    });

    it('keeps the plan of edits that are made, and makes them again if their files are gone', async () => {
      folder('a', ZONE, 'main.tf', rule);
      const files = () => readdirSync(join(cwd, 'a')).map((name) => `a/${name}`);
      const before = files();
      await planned(...BLOCKS, '--write');
      const created = files().filter((file) => !before.includes(file));
      expect(created).not.toEqual([]);
      const plans = () => readFileSync(join(cwd, 'plans/a.plan.json'), 'utf8');
      const made = plans();
      const again = await planned(...BLOCKS, '--write');
      expect(again.zones[0].line).toMatch(/^kept plans\/a\.plan\.json: /);
      expect(plans()).toBe(made);
      // as a checkout of another branch does
      for (const file of created) rmSync(join(cwd, file));
      folder('a', ZONE, 'main.tf', rule);
      await planned(...BLOCKS, '--write');
      for (const file of created) expect(existsSync(join(cwd, file))).toBe(true);
    });

    it('keeps no value of -var in the ledger', async () => {
      folder('a', ZONE, 'main.tf', rule);
      const flags = ['--', '-var=one=hunter2', '-var', 'two=hunter3'];
      expect((await plan('--from', '3.35.0', ...flags)).stderr).toContain(': done: ');
      const ledger = readFileSync(join(cwd, 'cf-waf-migrate-fleet/ledger.jsonl'), 'utf8');
      expect(ledger).not.toMatch(/hunter/);
      expect(ledger).toContain("-- '-var=one=…' -var 'two=…'");
    });

    it('needs attention where the program of a CDKTF stack is a manual step', async () => {
      folder('a', ZONE, 'cdk.tf.json', program);
      list(`${ZONE},a`);
      expect((await plan(...BLOCKS)).code).toBe(0);
      const { code, stdout, stderr } = await plan(...BLOCKS, '--write');
      expect(code).toBe(2);
      expect(stdout).toMatch(/^attention .*: a manual step changes a program$/m);
      expect(stderr).toContain('is manual: change the program\n');
      const quiet = await plan(...BLOCKS, '--write', '--quiet');
      expect([quiet.code, quiet.stderr]).toEqual([2, '']);
    });
  });

  it('plan saves the plan before it edits, for of edited files it cannot be made again', async () => {
    folder('a', ZONE, 'main.tf', rule);
    writeFileSync(join(cwd, 'notes.txt'), 'mine');
    const args = ['--zone', ZONE, '--dir', 'a', '--write', '--out', 'notes.txt', '--json'];
    const ran = await cli.run(['plan', ...BLOCKS, ...args], { cwd, environment });
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_EXISTS']);
    expect(readFileSync(join(cwd, 'a/main.tf'), 'utf8')).toBe(rule);
  });

  describe('plan for the zones of many states', () => {
    it.each([
      ['--terraform-timeout', 'long'],
      ['--from', 'newest'],
    ])('refuses a wrong %s once, before any zone', async (flag, value) => {
      const ran = await plan(flag, value, '--json');
      expect([ran.code, errorOf(ran).code]).toEqual([64, 'USAGE']);
      expect(existsSync(join(cwd, 'cf-waf-migrate-fleet'))).toBe(false);
    });

    it('has to be named to apply', async () => {
      list(`${ZONE},a`);
      const ran = await cli.run('apply --zones zones.csv --yes --json', { cwd, environment });
      expect([ran.code, errorOf(ran)]).toEqual([
        64,
        expect.objectContaining({
          message: expect.stringMatching(/^name the folder of the plans,/),
        }),
      ]);
    });

    it('says how to read one plan, if asked for a document', async () => {
      const { code, stderr } = await plan('--format', 'markdown');
      expect([code, stderr]).toEqual([
        64,
        expect.stringContaining('\n    cf-waf-migrate plan --dir <folder> --format markdown\n'),
      ]);
    });

    it('says once what is not passed on to Terraform', async () => {
      environment = { ...environment, TF_CLI_ARGS: '-no-color' };
      expect((await plan()).stderr.match(/is ignored/g)).toHaveLength(1);
    });

    it('plans all folders again after a run with a failure: a state can have changed', async () => {
      folder('a', ZONE, 'main.tf', rule);
      expect((await planned(...BLOCKS)).summary).toMatchObject({ done: 1, failed: 1 });
      const before = readFileSync(join(cwd, 'plans/a.plan.json'), 'utf8');
      const state = stateOfZone(ZONE).replace('"name":"r"', '"name":"renamed"');
      const main = rule.replace('"r"', '"renamed"');
      writeInto(join(cwd, 'a'), { 'state.json': state, 'main.tf': main });
      expect((await planned(...BLOCKS)).summary).toMatchObject({ done: 1, failed: 1, earlier: 0 });
      expect(readFileSync(join(cwd, 'plans/a.plan.json'), 'utf8')).not.toBe(before);
    });

    it('runs the other plans where one is blocked', async () => {
      folder('a', ZONE, 'main.tf', `${rule}variable "token" {}\n`);
      folder('b', NEIGHBOUR, 'main.tf', rule);
      list(`${ZONE},a`, `${NEIGHBOUR},b`);
      const again = 'cf-waf-migrate plan --zones zones.csv --out plans --from 3.35.0';
      const { stdout } = await plan('--from', '3.35.0');
      const rehearse = 'cf-waf-migrate rehearse plans --zones zones.csv';
      expect(nextCommands(stdout)).toEqual([again, rehearse]);
      const status = await cli.run('status --zones zones.csv', { cwd, environment });
      expect(nextCommands(status.stdout)).toEqual([rehearse]);
      const ran = await cli.run('apply plans --zones zones.csv --yes --json', { cwd, environment });
      const { refused, zones } = JSON.parse(ran.stdout);
      expect([refused, zones]).toMatchObject([
        [{ error: { code: 'PLAN_INVALID', hint: expect.stringContaining('TF_VAR_<name>') } }],
        [{ zone: NEIGHBOUR }],
      ]);
    });

    it('names the folder that one of its zones keeps from being planned', async () => {
      folder('a', ZONE, 'main.tf', rule);
      list(`${ZONE},a`, `${NEIGHBOUR},a`);
      const path = `/zones/${NEIGHBOUR}/rulesets/*`;
      cli.emulator().setFaults([{ kind: 'status', path, status: 403, code: 10000 }]);
      const { code, stdout } = await plan(...BLOCKS);
      expect([code, stdout]).toEqual([1, expect.stringContaining('the folder a is not planned: ')]);
    });

    it('refuses a folder without the file of variables that another folder of the list has', async () => {
      folder('a', ZONE, 'main.tf', rule);
      folder('b', NEIGHBOUR, 'main.tf', rule);
      writeInto(cwd, { 'a/prod.tfvars': '' });
      const { stdout } = await plan('--from', '3.35.0', '--', '-var-file=prod.tfvars');
      expect(stdout).toContain('Terraform runs in b, and prod.tfvars is not there');
      expect(stdout).toContain('wrote plans/a.plan.json');
    });

    it('leads to the same command where every plan is blocked', async () => {
      folder('a', ZONE, 'main.tf', `${rule}variable "token" {}\n`);
      list(`${ZONE},a`);
      const { code, stdout, stderr } = await plan('--from', '3.35.0');
      expect([code, stderr]).toEqual([2, expect.stringContaining('VARIABLES_UNSET')]);
      // its text and remedy, once
      expect(stdout.match(/^blocker: .* \(VARIABLES_UNSET\)$/gm)).toHaveLength(1);
      expect(stdout).toContain('→ set each as TF_VAR_<name> for all commands,');
      expect(nextCommands(stdout)[0]).toBe(
        'cf-waf-migrate plan --zones zones.csv --out plans --from 3.35.0',
      );
    });

    const rulesetOf = (zone: string): string => `resource "cloudflare_ruleset" "waf" {
  zone_id = "${zone}"
  name    = "waf"
  kind    = "zone"
  phase   = "http_request_firewall_managed"
  rules {
    action     = "execute"
    expression = "true"
    action_parameters {
      id = "efb7b8c949ac4650a09736fc376e9aee"
    }
  }
}
`;

    it('prints the command of a finding for each folder', async () => {
      folder('a', ZONE, 'main.tf', rule + rulesetOf(ZONE));
      folder('b', NEIGHBOUR, 'main.tf', rule + rulesetOf(NEIGHBOUR));
      const { stdout } = await plan('--from', '3.35.0', '--to', '5.22.0');
      expect(stdout).toMatch(/^ +cloudflare_ruleset.waf and 1 more$/m);
      expect(stdout.match(/^ +cf-waf-migrate generate .*$/gm)).toEqual([
        expect.stringMatching(new RegExp(`--zone ${ZONE} .* --out a/example$`)),
        expect.stringMatching(new RegExp(`--zone ${NEIGHBOUR} .* --out b/example$`)),
      ]);
    });

    it('prints the command of a finding for the working directory', async () => {
      folder('a', ZONE, 'main.tf', rule);
      writeFileSync(join(cwd, 'a/waf.tf'), rulesetOf(ZONE));
      list(`${ZONE},a`);
      const { stdout } = await plan('--from', '3.35.0', '--to', '5.22.0');
      expect(stdout).toContain('(RULESET_OF_OTHER_PROVIDER)');
      const [, generate = ''] =
        /^ +cf-waf-migrate (generate .* --out a\/example)$/m.exec(stdout) ?? [];
      const ran = await cli.run(generate, { cwd, environment });
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      expect(readdirSync(join(cwd, 'a'))).toContain('example');
      const saved = JSON.parse(readFileSync(join(cwd, 'plans/a.plan.json'), 'utf8'));
      expect(saved.findings.at(-1).remedy).toMatch(/ --out \.\.\/a\/example$/);
      const refused = await cli.run('apply plans/a.plan.json --yes', { cwd, environment });
      expect(refused.stderr).toContain(`\n        cf-waf-migrate ${generate}\n`);
      expect(refused.stderr).toContain(' (paths are relative to plans) (DECISIONS_OPEN)\n');
      const shown = await cli.run('plan --dir a --out plans/b.json --from 3 --to 5.22.0', {
        cwd,
        environment,
      });
      expect(shown.stdout).toContain(
        '\nIts paths, and the commands of its steps, are relative to plans.\n',
      );
      expect(shown.stdout).toContain(`\n      cf-waf-migrate ${generate}\n`);
    });

    it('rehearse, apply and verify print the command of a blocked plan for the working directory', async () => {
      folder('a', ZONE, 'main.tf', rule);
      list(`${ZONE},a`);
      await plan('--from', '3.35.0');
      const saved: Plan = JSON.parse(readFileSync(join(cwd, 'plans/a.plan.json'), 'utf8'));
      const { id } = saved.zones[0]!.ruleset;
      const ruleset = { id, zone_id: ZONE, phase: MANAGED, kind: 'zone' };
      const state = stateOf(
        resourceOf('cloudflare_waf_rule', 'r', { id: '100000', zone_id: ZONE }),
        resourceOf('cloudflare_ruleset', 'waf', ruleset),
      );
      writeFileSync(join(cwd, 'a/state.json'), JSON.stringify(state));
      await plan('--from', '3.35.0');
      for (const command of ['rehearse', 'apply --yes', 'verify']) {
        const line = `${command} plans --zones zones.csv`;
        const { stdout } = await cli.run(line, { cwd, environment });
        expect(stdout).toMatch(/^refused .*\(PLAN_INVALID\)$/m);
        expect(stdout).toMatch(/^ +cf-waf-migrate generate .* --out a$/m);
      }
    });

    it('status reads the same folders, and ends with a summary', async () => {
      folder('a', ZONE, 'main.tf', rule);
      list(`${ZONE},a`);
      const { stdout } = await cli.run('status --zones zones.csv', { cwd, environment });
      expect(stdout).toContain('\n1 zone: 1 to plan\n');
      const [next = ''] = nextCommands(stdout);
      expect(next).toBe('cf-waf-migrate plan --zones zones.csv --out plans');
      const made = await cli.run(next.replace('cf-waf-migrate ', ''), { cwd, environment });
      expect(nextCommands(made.stdout)).toEqual([
        'cf-waf-migrate rehearse plans --zones zones.csv',
      ]);
      const dir = await cli.run('status --zones zones.csv --dir a', { cwd, environment });
      expect(nextCommands(dir.stdout)).toEqual([
        'cf-waf-migrate plan --zones zones.csv --dir a --out plan.json',
      ]);
    });

    it('leads from a plan that is out of date to a new one, in apply, status and verify', async () => {
      folder('a', ZONE, 'main.tf', rule);
      list(`${ZONE},a`);
      const next = async (line: string): Promise<string[]> =>
        nextCommands((await cli.run(`${line} --zones zones.csv`, { cwd, environment })).stdout);
      await plan('--from', '3.35.0');
      expect(await next('verify plans')).toEqual(['cf-waf-migrate status --zones zones.csv']);
      expect(await next('status')).toEqual(['cf-waf-migrate rehearse plans --zones zones.csv']);
      const later = stateOfZone(ZONE).replace('"serial":3', '"serial":4');
      writeFileSync(join(cwd, 'a/state.json'), later);
      const again = ['cf-waf-migrate plan --zones zones.csv --out plans --from 3.35.0'];
      expect(await next('apply plans --yes')).toEqual(again);
      expect(await next('status')).toEqual(again);
    });

    it('leads from a zone that no plan includes to a plan', async () => {
      folder('a', ZONE, 'main.tf', rule);
      list(`${ZONE},a`);
      await plan('--from', '3.35.0');
      folder('b', NEIGHBOUR, 'main.tf', rule);
      list(`${ZONE},a`, `${NEIGHBOUR},b`, 'mistyped.example.com,b');
      const ran = await cli.run('verify plans --zones zones.csv', { cwd, environment });
      expect(ran.stdout).toContain('(ZONE_NOT_PLANNED)');
      expect(nextCommands(ran.stdout)[0]).toBe(
        'cf-waf-migrate plan --zones zones.csv --out plans --from 3.35.0',
      );
    });

    it('status of a folder resumes the interrupted apply of its list', async () => {
      folder('a', ZONE, 'main.tf', rule);
      const command = 'apply plans --zones zones.csv';
      const run = { stage: 'apply', request: '{}', at: '2026-01-01T00:00:00.000Z' };
      const zone = { zone: ZONE, name: 'a.example' };
      const entries = [
        { event: 'begin', ...run, command, list: 'zones.csv', zones: [zone] },
        { event: 'start', ...run, ...zone },
      ];
      const status = async () =>
        nextCommands((await cli.run('status --dir a', { cwd, environment })).stdout);
      expect(await status()).toEqual(['cf-waf-migrate plan --dir a']);
      const ledger = entries.map((one) => `${JSON.stringify(one)}\n`).join('');
      writeInto(cwd, { 'cf-waf-migrate-fleet/ledger.jsonl': ledger });
      expect(await status()).toEqual([`cf-waf-migrate ${command}`]);
      const result = { plan: 'plans/a.plan.json' };
      const planned = { ...run, ...zone, event: 'zone', stage: 'plan', outcome: 'done', line: '' };
      const first = `${JSON.stringify({ ...planned, result })}\n`;
      writeInto(cwd, { 'cf-waf-migrate-fleet/ledger.jsonl': `${first}${ledger}` });
      expect(await status()).toEqual(['cf-waf-migrate apply plans/a.plan.json']);
    });

    it('does not repeat a method that does not work for a folder', async () => {
      folder('a', ZONE, 'main.tf', rule);
      list(`${ZONE},a`);
      const { code, stdout } = await plan('--from', '4.52.0', '--method', 'blocks', '--write');
      expect([code, stdout]).toEqual([1, expect.stringContaining('(METHOD_UNSUITABLE)')]);
      expect(stdout.replace(/\s+/g, ' ')).toContain(
        'hint: omit --method; to change the flags for only this folder, put its zones into another list, and plan it with another --out',
      );
      expect(nextCommands(stdout)).toEqual(['cf-waf-migrate status --zones zones.csv']);
      const status = await cli.run('status --zones zones.csv', { cwd, environment });
      expect(status.stdout).toContain('decision: METHOD_UNSUITABLE ');
      expect(nextCommands(status.stdout)).toEqual([]);
    });

    it('leads from a provider that cannot import rulesets to the plan after its upgrade', async () => {
      folder('a', ZONE, 'main.tf', rule);
      list(`${ZONE},a`);
      const lockOf = (version: string): string =>
        `provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "${version}"\n}\n`;
      writeInto(cwd, { 'a/.terraform.lock.hcl': lockOf('3.27.0') });
      expect((await plan()).stdout).toContain('provider 3.27.0 cannot import rulesets');
      writeInto(cwd, { 'a/.terraform.lock.hcl': lockOf('3.35.0') });
      const { stdout } = await cli.run('status --zones zones.csv', { cwd, environment });
      expect(stdout.replace(/\s+/g, ' ')).toContain(
        'the last `plan` failed: the folder a is not planned: state a: provider 3.27.0 cannot import',
      );
      expect(stdout).toMatch(
        /When that is done:\n +cf-waf-migrate plan --zones zones\.csv --out plans\n/,
      );
    });

    it('of status runs the plans that are made, where the method does not work for another folder', async () => {
      folder('a', ZONE, 'main.tf', rule);
      folder('b', NEIGHBOUR, 'main.tf', rule);
      for (const [dir, version] of [
        ['a', '3.35.0'],
        ['b', '4.52.0'],
      ]) {
        const lock = `provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "${version}"\n}\n`;
        writeFileSync(join(cwd, `${dir}/.terraform.lock.hcl`), lock);
      }
      const made = await plan('--method', 'blocks');
      expect([made.code, made.stdout]).toEqual([1, expect.stringContaining('1 done, 1 failed')]);
      const { stdout } = await cli.run('status --zones zones.csv', { cwd, environment });
      expect(nextCommands(stdout)).toEqual(['cf-waf-migrate rehearse plans --zones zones.csv']);
    });

    it('numbers the plans of folders that would have one name', async () => {
      folder('edge/a', ZONE, 'main.tf', rule);
      folder('Edge-a', NEIGHBOUR, 'main.tf', rule);
      list(`${ZONE},edge/a`, `${NEIGHBOUR},Edge-a`);
      await plan(...BLOCKS);
      const plans = readdirSync(join(cwd, 'plans'));
      expect(plans.filter((name) => name.endsWith('.json'))).toEqual([
        'edge-a.plan.json',
        'edge-a_2.plan.json',
      ]);
    });

    it('refuses a zone that is not there, and not the column of its folder', async () => {
      list('mistyped.example.com,a');
      const { code, stdout } = await plan();
      expect(code).toBe(1);
      expect(stdout).toContain('zone mistyped.example.com is not found, or not accessible');
    });

    it('declares the ruleset first in a folder that was never applied', async () => {
      writeInto(join(cwd, 'edge/a'), { 'state.json': '', 'main.tf': '' });
      list(`${ZONE},edge/a`);
      const { code, stdout } = await plan();
      expect([code, stdout]).toEqual([1, expect.stringContaining('there is no state in edge/a')]);
      expect(stdout).toMatch(/^ +cf-waf-migrate generate --zone \S+ --format hcl --out edge\/a$/m);
    });

    const SHARED = /cf-waf-migrate plan --zone \S+ --dir a --dir b --out shared\.json$/m;

    it('refuses a zone with several folders', async () => {
      list(`${ZONE},a`, `${ZONE},b`);
      const { code, stdout } = await plan();
      expect([code, stdout]).toEqual([1, expect.stringContaining('has several folders')]);
      expect(stdout).toMatch(SHARED);
    });

    it('does not fail for a zone with several folders in the runs of the other plans', async () => {
      folder('a', ZONE, 'main.tf', rule);
      folder('b', NEIGHBOUR, 'main.tf', rule);
      list(`${ZONE},a`, `${NEIGHBOUR},b`, `${NEIGHBOUR},c`);
      await plan(...BLOCKS);
      const ran = await cli.run('verify plans --zones zones.csv', { cwd, environment });
      expect(ran.stdout).toMatch(/^skipped .*: no plan here, because it has several folders/m);
      expect([ran.code, ran.stdout]).toEqual([2, expect.not.stringContaining('refused')]);
    });

    it('of status plans a zone together in the folder of its row and in that of another zone', async () => {
      folder('a', ZONE, 'main.tf', rule);
      folder('b', ZONE, 'main.tf', rule);
      const { stdout } = await cli.run('status --zones zones.csv', { cwd, environment });
      expect(stdout).toMatch(/ 2 in state/);
      expect(nextCommands(stdout)).toEqual([expect.stringMatching(SHARED)]);
    });

    it('skips a zone without a folder, also in the runs of the plans, and does not fail for it', async () => {
      folder('a', ZONE, 'main.tf', rule);
      list(`${ZONE},a`, `${NEIGHBOUR},`);
      const { code, stdout } = await plan(...BLOCKS);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^skipped {4}.*: no Terraform folder in the list: `generate` makes its stack$/m,
      );
      expect(stdout).toContain('\n2 zones: 1 done, 1 skipped\n');
      const line = 'verify plans --zones zones.csv --json';
      const { summary, zones } = JSON.parse((await cli.run(line, { cwd, environment })).stdout);
      expect(summary).toMatchObject({ zones: 2, refused: 0, skipped: 1 });
      expect(zones[1]).toMatchObject({ zone: NEIGHBOUR, outcome: 'skipped' });
    });

    it('refuses a zone without a folder that is in the folder of another zone, as status and generate do', async () => {
      folder('a', NEIGHBOUR, 'main.tf', rule);
      list(`${ZONE},a`, `${NEIGHBOUR},`);
      for (const line of ['plan --out plans', 'status', 'generate --source config --out stacks']) {
        const ran = await cli.run(`${line} --zones zones.csv`, { cwd, environment });
        expect([line, ran.code]).toEqual([line, 1]);
        expect(ran.stdout).toContain(' is in a, and the list names no folder for it');
      }
      expect(existsSync(join(cwd, 'stacks'))).toBe(false);
    });

    it('is a usage error for a list without a column dir', async () => {
      writeFileSync(join(cwd, 'zones.csv'), `zone\n${ZONE}\n`);
      const ran = await plan('--json');
      expect([ran.code, errorOf(ran).code]).toEqual([64, 'USAGE']);
    });
  });
});

describe('zones of one state', () => {
  const { zones } = fleetScenario({ count: 2 }) as { zones: object[] };
  const disabled = entryPoint(deploy(MANAGED, { enabled: false }));
  const off = { ...zones[1], rulesets: [{ ...disabled, id: 'a'.repeat(32), name: 'default' }] };
  const cli = cliWithEmulator({ name: 'off', zones: [zones[0], off] });

  it('need attention only where a decision names them', async () => {
    const rules = [0, 1].map((at) =>
      resourceOf('cloudflare_waf_rule', `r${at}`, { id: '1', zone_id: zoneId(at) }),
    );
    const blocks = [0, 1].map((at) => `resource "cloudflare_waf_rule" "r${at}" {}\n`);
    const cwd = temporaryFolder({
      'zones.csv': `zone,dir\n${zoneId(0)},a\n${zoneId(1)},a\n`,
      'a/main.tf': blocks.join(''),
      'a/state.json': JSON.stringify(stateOf(...rules)),
    });
    const environment = { PATH: terraformOf(cwd, 'state.json').searchPath };
    const line = 'plan --zones zones.csv --from 3.35.0 --out plans --json';
    const { stdout } = await cli.run(line, { cwd, environment });
    const wrote = expect.stringMatching(/^wrote plans\/a\.plan\.json: \d+ steps$/);
    const unprotected = expect.stringMatching(/ steps: ZONE_UNPROTECTED$/);
    expect(JSON.parse(stdout).zones).toMatchObject([
      { outcome: 'done', line: wrote },
      { outcome: 'attention', line: unprotected },
    ]);
  });
});

describe('folders that share a file with legacy blocks', () => {
  const cli = cliWithEmulator(fleetScenario({ count: 2, moved: (number) => number === 0 }));

  it('have one plan, which keeps the blocks of a zone that has not migrated', async () => {
    const names = ['a', 'b'];
    const cwd = temporaryFolder({
      'zones.csv': ['zone,dir', ...names.map((dir, at) => `${zoneId(at)},${dir}`), ''].join('\n'),
      'a/main.tf': 'resource "cloudflare_waf_rule" "r" {\n  zone_id = var.zone_id\n}\n',
    });
    for (const [at, dir] of names.entries()) {
      const rule = resourceOf('cloudflare_waf_rule', 'r', { id: '1', zone_id: zoneId(at) });
      const state = JSON.stringify({ ...stateOf(rule), lineage: dir });
      writeInto(join(cwd, dir), { 'state.json': state });
    }
    symlinkSync('../a/main.tf', join(cwd, 'b/main.tf'));
    const environment = { PATH: terraformOf(cwd, 'state.json').searchPath };
    const line = 'plan --zones zones.csv --from 3.35.0 --out plans --json';
    const ran = await cli.run(line, { cwd, environment });
    expect(JSON.parse(ran.stdout).summary).toMatchObject({ attention: 1, skipped: 1 });
    expect(readdirSync(join(cwd, 'plans'))).toEqual(['a.plan.json']);
    const plan: Plan = JSON.parse(readFileSync(join(cwd, 'plans/a.plan.json'), 'utf8'));
    expect(plan.states.map(({ name }) => name)).toEqual(names);
    expect(plan.findings.map(({ code }) => code)).toContain('BLOCK_SHARED');
    expect(plan.steps.flatMap(({ edits = [] }) => edits.flatMap(({ remove }) => remove))).toEqual(
      [],
    );
  });
});

describe('no file is written that Terraform would merge into others', () => {
  const cli = cliWithEmulator('old-waf');

  it.each([
    ['override', 'override_ruleset.tf'],
    ['waf_override', 'waf_override_ruleset.tf'],
    ['overrides', 'overrides.tf'],
    ['wafoverride', 'wafoverride.tf'],
  ])('the file for %s is %s', (name, file) => {
    expect(terraformFileName(name, '.tf')).toBe(file);
  });

  it('generate, for a zone below .override', () => {
    const answer = live({});
    const fileOf = (format: 'hcl' | 'tfjson'): string =>
      stackOf(answer, { zone: 'shop.override', format }).resourceFile.path;
    expect(fileOf('hcl')).toBe('shop_override_ruleset.tf');
    expect(fileOf('tfjson')).toBe('shop_override_ruleset.tf.json');
  });

  it('plan, for an address that ends so', async () => {
    const cwd = temporaryFolder();
    const fake = terraformOf(cwd, join(statesFolder, 'old-waf-3.35.tfstate'));
    writeFileSync(join(cwd, 'main.tf'), '');
    const zone = cli.emulator().zones[0]!.id;
    const address = 'cloudflare_ruleset.waf_override';
    const args = ['plan', '--zone', zone, '--dir', '.', '--address', address, '--json'];
    const { stdout } = await cli.run(args, { cwd, environment: { PATH: fake.searchPath } });
    const { steps }: Plan = JSON.parse(stdout);
    const files = steps.flatMap(({ edits = [] }) => edits.map(({ file }) => file));
    expect(files).toEqual(['waf_override_ruleset.tf']);
  });
});

describe('read plans', () => {
  const zones = [declaredZone, otherZone];
  const listed = zones.map(({ zoneId }) => ({ id: zoneId, name: zoneId }));

  describe('where a link leads', () => {
    const refusedTogether = async (folder: string, states: readonly StateFacts[]) => {
      for (const [at, state] of states.entries()) {
        const plan = planMigration([zones[at]!], [state]);
        writeFileSync(join(folder, `${at}.plan.json`), JSON.stringify(plan));
      }
      const { refused } = groupByPlan(listed, await readPlans(folder, folder), false);
      return refused.map(({ error }) => `${error.code} ${error.message}`);
    };
    /** A folder, and a link to it that lies beside it. */
    const linked = (at: string, link: string): string => {
      const folder = realpathSync(temporaryFolder());
      mkdirSync(join(folder, at), { recursive: true });
      symlinkSync(basename(at), join(folder, link));
      return folder;
    };
    const overlap = (what: string) =>
      expect.stringMatching(`^PLANS_OVERLAP .* are both for ${what}`);

    it('two plans for one state are refused together', async () => {
      const folder = linked('roots/a', 'roots/b');
      const said = await refusedTogether(folder, [await rootState('a'), await rootState('b')]);
      const both = overlap(`the state of ${folder}/roots/a \\(default\\)`);
      expect(said).toEqual([both, both]);
    });

    it('two plans that remove blocks of one module are refused together', async () => {
      const folder = linked('modules', 'linked');
      const files = {
        'roots/b/main.tf': 'module "waf" {\n  source = "../../linked/waf"\n}\n',
        'linked/waf/main.tf': moduleFiles[MODULE],
      };
      const other = { configuration: await configuration(files, 'roots/b') };
      const said = await refusedTogether(folder, [
        await rootState('a'),
        await rootState('b', other),
      ]);
      const both = overlap(`the blocks of ${folder}/${MODULE}`);
      expect(said).toEqual([both, both]);
    });
  });

  it('a plan is found under any JSON name, among other files', async () => {
    const folder = temporaryFolder({ 'package.json': '{}', 'tfplan.json': '[' });
    const plan = planMigration([declaredZone], [await rootState('a')]);
    writeFileSync(join(folder, 'shared.json'), planFormats.json.render(plan));
    const found = await readPlans(folder, folder);
    expect(found.map(({ file }) => file)).toEqual(['shared.json']);
  });

  it('a folder that is not there leads to the command that makes it', async () => {
    await expect(readPlans('plans', temporaryFolder())).rejects.toMatchObject({
      message: 'there is no plan in plans',
      hint: 'make them:\ncf-waf-migrate plan --zones <file> --out <dir>',
    });
  });

  it('one that cannot be read is named, with the hint and the causes that it has alone', async () => {
    const folder = temporaryFolder({ 'cut.plan.json': '{"format":' });
    const error = await readPlans(folder, folder).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      hint: expect.stringContaining('cf-waf-migrate plan --out plan.json'),
    });
    expect(String(error)).toContain('cut.plan.json: ');
    expect(error).not.toHaveProperty('cause');
  });
});

describe('plans stopped', () => {
  const cli = cliWithEmulator('old-waf');

  it('a run over plans whose Terraform is waited for says at its end how to resume', async () => {
    const { cwd, stderr } = await planDir(works, {
      args: ['--dir', 'tf', '--from', '3.35.0', '--format', 'json', '--out', 'a.plan.json'],
    });
    expect(stderr).toBe('wrote a.plan.json\n');
    writeFileSync(join(cwd, 'zones.txt'), ZONE);
    const waits = `trap 'exit 1' INT; touch '${cwd}/up'; while :; do sleep 0.1; done`;
    const { searchPath } = fakeTerraform(cwd, waits);
    const environment = {
      ...environmentOf(cli.emulator()),
      PATH: searchPath,
      TF_WORKSPACE: 'prod',
    };
    const child = startCli(['verify', 'a.plan.json', '--zones', 'zones.txt'], { cwd, environment });
    const ended = untilEnd(child);
    while (!existsSync(join(cwd, 'up'))) await sleep(5);
    child.kill('SIGINT');
    const run = await ended;
    expect(run.code).toBe(130);
    expect(run.stderr).toMatch(
      /: unknown: interrupted: .* was interrupted\nstopped; `fleet status` shows what is done; to resume, run the same command again:\n {2}TF_WORKSPACE=prod cf-waf-migrate verify a\.plan\.json --zones zones\.txt\n$/,
    );
  });
});
