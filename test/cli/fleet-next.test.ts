import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { deploy, entryPoint, MANAGED } from '../support/zones';
import { appliedFolder, OLD } from '../support/applied-folder';
import { CliLab, cliWithEmulator, environmentOf } from '../support/cli-lab';
import { closeAfterTest } from '../support/close-after-test';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder, writeInto } from '../support/temporary-folder';
import { nextCommands } from '../support/next-commands';
import { fleetScenario, OURS, zoneId, zoneName } from './support/fleet-scenario';
import { resourceOf, stateOf, terraformOf } from './support/states';

/** Zone 0 is migrated, zone 1 is blocked, the others are eligible. */
describe('the next command for many zones', () => {
  const cli = cliWithEmulator(
    fleetScenario({ count: 5, moved: (n) => n === 0, blocked: (n) => n === 1 }),
  );
  const refuse = (number: number, what = '*') => ({
    ...({ kind: 'status', status: 403, code: 10000 } as const),
    path: `/zones/${zoneId(number)}/${what}`,
  });

  function list(...numbers: number[]): string {
    cli.write({ 'zones.txt': numbers.map((number) => `${zoneName(number)}\n`).join('') });
    return '--zones zones.txt';
  }

  /**
   * The next commands, without the program's name: the same one, if zones are unfinished, and the one after it. `finish`
   * is confirmed with the list that it prints.
   */
  async function allNextOf(line: string): Promise<string[]> {
    const ran = await cli.run(`${line}${line.startsWith('finish') ? ' --pause 0' : ''}`);
    const [, confirm] = /--confirm (\S+)/.exec(ran.stderr) ?? [];
    if (ran.code === 3 && confirm !== undefined) return allNextOf(`${line} --confirm ${confirm}`);
    return nextCommands(ran.stdout).map((next) => next.replace('cf-waf-migrate ', ''));
  }

  // `status` names one command for each kind of work that is left
  const nextOf = async (line: string) =>
    (await allNextOf(line)).at(line.startsWith('status') ? 0 : -1);

  /** Follows the next commands to the end, which must come: only `status` can be the first and the last. */
  async function follow(first: string): Promise<string[]> {
    const lines: string[] = [];
    let line: string | undefined = first;
    while (line !== undefined) {
      expect(lines.slice(1)).not.toContain(line);
      if (!line.startsWith('status')) expect(lines).not.toContain(line);
      lines.push(line);
      const next = await nextOf(line);
      // a blocked zone stays with its check
      line = next === line ? undefined : next;
    }
    return lines.map((one) => one.replace(' --zones zones.txt', ''));
  }

  const TO_THE_END = ['report --out reports', 'finish', 'generate --project waf', 'plan'];

  it.each([
    ['eligible zones', [2, 3], ['status', ...TO_THE_END]],
    ['migrated and eligible zones', [0, 2], ['status', ...TO_THE_END]],
    ['migrated zones', [0], ['status', 'generate --project waf', 'plan']],
    ['blocked and eligible zones', [1, 2], ['status', ...TO_THE_END]],
  ])('leads %s from status to the end', async (_, numbers, lines) => {
    expect(await follow(`status ${list(...numbers)}`)).toEqual(lines);
  });

  it('leads from check to the end', async () => {
    expect(await follow(`check ${list(2)}`)).toEqual(['check', ...TO_THE_END]);
    expect(await nextOf(`check ${list(0)}`)).toBe('status --zones zones.txt');
  });

  it('leads from a saved configuration over the provisional stacks to finish', async () => {
    const zones = list(2, 3);
    const report = `report ${zones} --out reports`;
    const saved = `fetch-config ${zones} --out configs`;
    expect([await nextOf(saved), await nextOf(`check ${zones}`)]).toEqual([
      `check ${zones}`,
      report,
    ]);
    const lines = [`generate ${zones}`, `finish ${zones}`];
    for (const [at, line] of lines.entries()) {
      expect(await nextOf(line)).toBe(lines[at + 1] ?? `generate ${zones} --project waf`);
    }
    // a provisional stack that was edited is kept
    const edited = 'stacks/zone-2_example_com.ts';
    cli.write({ [edited]: cli.read(edited).replace('enabled: true', 'enabled: false') });
    const again = await cli.run(`generate ${zones}`);
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('pass --force')]);
    const { code, stdout } = await cli.run(`generate ${zones} --force`);
    expect([code, nextCommands(stdout)]).toEqual([0, [`cf-waf-migrate status ${zones}`]]);
  });

  it('compares both WAFs of an Enterprise zone before it finishes the list', async () => {
    const plan = (number: number): string => (number === 3 ? 'enterprise' : 'pro');
    const lab = await CliLab.of(fleetScenario({ count: 4, moved: () => false, plan }));
    closeAfterTest(() => lab.emulator.stop());
    const line = `report --account ${OURS} --out reports`;
    const { stdout } = await lab.cli(line);
    expect(nextCommands(stdout)).toEqual([
      `cf-waf-migrate start-validation --zone ${zoneName(3)} --log-only`,
      `cf-waf-migrate finish --account ${OURS} --source config`,
    ]);
    expect(stdout).toContain('`finish` needs --source config');
    // a report of zones that are named one by one has no ledger
    const named = `--zone ${zoneName(1)} --zone ${zoneName(2)}`;
    const checked = await lab.cli(`check ${named} --ledger l.jsonl`);
    expect(nextCommands(checked.stdout)).toEqual([`cf-waf-migrate report ${named}`]);
    await lab.cli(`start-validation --zone ${zoneName(3)} --log-only --yes`);
    const several = await lab.cli(`report --zone ${zoneName(2)} ${zoneName(3)}`);
    const review = `cf-waf-migrate review --zone ${zoneName(3)} --since 6h`;
    expect(nextCommands(several.stdout)).toEqual([review]);
  });

  it('compares no zone whose WAF is off', async () => {
    const zone = { id: zoneId(0), name: zoneName(0), account: { id: OURS, name: 'Ours' } };
    const oldWaf = { enabled: false };
    const lab = await CliLab.of({ name: 'off', zones: [{ ...zone, plan: 'enterprise', oldWaf }] });
    closeAfterTest(() => lab.emulator.stop());
    const { stdout } = await lab.cli(`report --account ${OURS} --out reports`);
    expect(nextCommands(stdout)).toEqual([`cf-waf-migrate finish --account ${OURS}`]);
  });

  it('repeats the place that generate used, after finish', async () => {
    const zones = list(2);
    const first = `generate ${zones} --format hcl --out waf`;
    expect(await nextOf(first)).toBe(`finish ${zones}`);
    const again = await nextOf(`finish ${zones}`);
    expect(again).toBe(`generate ${zones} --format hcl --out waf`);
    expect(await nextOf(`${again} --force`)).toBe('plan --dir waf');
  });

  it('repeats the flags of generate, also of a list that was named with =', async () => {
    const [, name] = list(2).split(' ');
    await cli.run(`generate --zones=${name} --format hcl --out waf`);
    expect(await nextOf(`finish ${list(2)}`)).toBe(
      'generate --zones=zones.txt --format hcl --out waf',
    );
    const generate = `generate --account=${OURS} --format hcl --out all --force`;
    await cli.run(generate);
    expect(await nextOf(`finish --account ${OURS}`)).toBe(generate);
  });

  it('does not repeat the command of a list whose name only begins alike', async () => {
    cli.write({ 'zones.txt.old': `${zoneName(2)}\n` });
    await cli.run('generate --zones zones.txt.old --format hcl --out old');
    expect(await nextOf(`finish ${list(2)}`)).toBe('generate --zones zones.txt --project waf');
  });

  it.each([
    ['HCL', { 'waf/main.tf': '' }, '--format hcl --out waf'],
    ['a program', { 'waf/cdktf.json': '{}', 'waf/main.tf': '' }, '--project waf'],
    ['no folder', { waf: '' }, '--project waf'],
  ])('keeps what the folder waf is: %s', async (_, files, flags) => {
    cli.write(files);
    expect(await nextOf(`finish ${list(2)}`)).toBe(`generate --zones zones.txt ${flags}`);
  });

  it('makes a project for stacks that no program has', async () => {
    const { stdout } = await cli.run(`generate ${list(0)} --provider 4`);
    expect(stdout).toContain('\nNo CDKTF project is here: --project waf creates one with');
    expect(await nextOf(`generate ${list(0)} --provider 4`)).toBe('status --zones zones.txt');
    const line = 'generate --zones zones.txt --provider 4 --project waf';
    expect(await allNextOf('status --zones zones.txt')).toEqual([line]);
    expect(await nextOf(line)).toBe('plan');
  });

  it('plans the project that generate wrote', async () => {
    const { stdout } = await cli.run(`generate ${list(0)} --project waf`);
    expect(stdout).toContain(
      [
        'Synthesise it:',
        '  cd waf',
        '  npm install',
        '  npm run synth',
        '  for stack in cdktf.out/stacks/*; do terraform -chdir="$stack" init; done',
      ].join('\n'),
    );
    expect(stdout).toContain(
      '\nNext, when all of this is done, in the folder waf:\n  cf-waf-migrate plan\n',
    );
    const status = await cli.run('status --zones zones.txt');
    expect(status.stdout).toContain('1 zone: 1 with a stack in an unknown folder\n');
    expect(nextCommands(status.stdout)).toEqual([]);
  });

  it('plans the stacks of a project, although a zone of the list is not found', async () => {
    cli.write({ 'zones.txt': `${zoneName(0)}\nmistyped.example.com\n` });
    const line = 'generate --zones zones.txt --project waf';
    const { stdout } = await cli.run(line);
    expect(stdout).toContain('Synthesise it:');
    expect(nextCommands(stdout)).toEqual(['cf-waf-migrate plan']);
  });

  it('of status shows what blocks a zone if no other one is left', async () => {
    expect(await nextOf(`status ${list(1)}`)).toBe('check --zone zone-1.example.com');
  });

  it('of status checks the list again if several zones are blocked', async () => {
    const lab = await CliLab.of(
      fleetScenario({ count: 2, moved: () => false, blocked: () => true }),
    );
    closeAfterTest(() => lab.emulator.stop());
    writeFileSync(join(lab.cwd, 'z'), `${zoneName(0)}\n${zoneName(1)}\n`);
    const { stdout } = await lab.cli('status --zones z');
    expect(nextCommands(stdout)).toEqual(['cf-waf-migrate check --zones z']);
  });

  it('of finish names the plan of zones in a Terraform folder, which it cannot see', async () => {
    const line = `finish ${list(2)} --pause 0 --confirm`;
    const { stderr } = await cli.run(`finish ${list(2)}`);
    const [, confirm = ''] = /--confirm (\S+)/.exec(stderr) ?? [];
    const { stdout } = await cli.run(`${line} ${confirm}`);
    expect(stdout).toContain(
      '\nIf a Terraform folder has legacy resources of these zones, run `plan` there.',
    );
  });

  it('is not stopped by a migrated zone that has no migration configuration', async () => {
    const { code, stdout } = await cli.run(`fetch-config ${list(0, 2)} --out configs`);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `(${zoneId(0)}): already migrated: it has no migration configuration\n`,
    );
    const blocked = await cli.run(`fetch-config ${list(1, 2)} --out configs`);
    expect([blocked.code, blocked.stdout]).toEqual([1, expect.stringContaining('check --zone')]);
  });

  it('is the same one for a zone that fails or is blocked, and then the one of the others', async () => {
    cli.emulator().setFaults([refuse(3)]);
    expect(await follow(`status ${list(2, 3)}`)).toEqual(['status', ...TO_THE_END]);
    const { stdout } = await cli.run(`check ${list(1, 2, 3)}`);
    expect(stdout).toContain(
      `\nNext, for the unfinished zones:
  cf-waf-migrate check --zones zones.txt

When the unfinished zones are done:
  cf-waf-migrate report --zones zones.txt --out reports\n`,
    );
    expect(stdout).toContain('cf-waf-migrate firewall overrides delete --zone');
    expect(await allNextOf(`check ${list(2)}`)).toHaveLength(1);
  });

  it('is the one of the others, where a line of the list is no zone', async () => {
    for (const line of ['check', 'report --out reports']) {
      const others = await allNextOf(`${line} ${list(2)}`);
      cli.write({ 'zones.txt': `${zoneName(2)}\nmistyped.example.com\n` });
      expect(await allNextOf(`${line} --zones zones.txt`)).toEqual(others);
    }
    // without another zone, the command itself is next
    cli.write({ 'zones.txt': 'mistyped.example.com\n' });
    expect((await allNextOf('check --zones zones.txt'))[0]).toBe('check --zones zones.txt');
  });

  it('names the failed zones last, each with its hint', async () => {
    cli.emulator().setFaults([refuse(2)]);
    const { stdout } = await cli.run(`check ${list(2, 3)}`);
    expect(stdout).toMatch(/^done .*zone-3.*\nfailed .*zone-2.*\(API_UNAUTHORIZED\)\n {2}hint: /);
  });

  it('plans in a Terraform folder after finish', async () => {
    cli.write({ 'main.tf': '' });
    const zones = list(0);
    expect(await nextOf(`finish ${zones}`)).toBe(`plan ${zones} --dir . --out plan.json`);
    expect(await nextOf(`finish --account ${OURS}`)).toBe('plan --dir . --out plan.json');
    cli.write({ 'zones.txt': `zone,dir\n${zoneName(0)},.\n` });
    expect(await nextOf('finish --zones zones.txt')).toBe('plan --zones zones.txt --out plans');
  });

  it('of finish repeats it for the zones that it did not migrate', async () => {
    cli.emulator().setFaults([{ ...refuse(3), method: 'PUT' }]);
    expect(await allNextOf(`finish ${list(2, 3)}`)).toEqual([
      expect.stringMatching(/^finish --zones zones\.txt --confirm \S+ --pause 0$/),
      'generate --zones zones.txt --project waf',
    ]);
    // the zones to migrate are still the same
    expect((await allNextOf(`finish ${list(1, 3)}`))[0]).toMatch(/ --confirm \S+ --pause 0$/);
    // a refused zone counts later in what is confirmed
    expect((await allNextOf(`finish ${list(1, 2)}`))[0]).toBe('finish --zones zones.txt --pause 0');
  });

  it('of status generates the zones of the list, where others are blocked', async () => {
    expect(await nextOf(`status ${list(0, 1)}`)).toBe('generate --zones zones.txt --project waf');
  });

  it('of status is one of several, where zones of the list have different work', async () => {
    cli.write({
      'edge/main.tf': 'resource "cloudflare_waf_rule" "r" {\n  zone_id = var.zone\n}\n',
      'zones.txt': `zone,dir\n${zoneName(0)},edge\n${[1, 2, 3].map((one) => `${zoneName(one)},\n`).join('')}`,
    });
    const environment = { PATH: fakeTerraform(temporaryFolder(), '').searchPath };
    const { stdout } = await cli.run('status --zones zones.txt', { environment });
    expect(stdout).toContain('\n4 zones: 1 to plan, 1 blocked, 2 eligible\n');
    expect(stdout).toContain('\nNext, one of:\n');
    expect(nextCommands(stdout)).toEqual([
      'cf-waf-migrate plan --zones zones.txt --out plans',
      'cf-waf-migrate report --zones zones.txt --out reports',
      `cf-waf-migrate check --zone ${zoneName(1)}`,
    ]);
  });

  it('of status names a folder of the list that does not exist, and plans one that has nothing of the zone', async () => {
    cli.write({
      'other/main.tf': '',
      'zones.txt': `zone,dir\n${zoneName(0)},typo\n${zoneName(2)},typo\n`,
    });
    const ran = await cli.run('status --zones zones.txt');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('2 zones: 1 that cannot be read, 1 eligible\n');
    expect(ran.stdout).toContain('the folder typo does not exist');
    expect((await cli.run(`status --zone ${zoneId(0)} --dir typo`)).code).toBe(1);
    cli.write({ 'zones.txt': `zone,dir\n${zoneName(0)},other\n` });
    const environment = { PATH: fakeTerraform(temporaryFolder(), '').searchPath };
    const { code, stdout } = await cli.run('status --zones zones.txt', { environment });
    expect([code, nextCommands(stdout)]).toEqual([
      0,
      ['cf-waf-migrate plan --zones zones.txt --out plans'],
    ]);
  });

  it('of status shows as unknown what a folder has that it cannot read, and names what it did not find', async () => {
    cli.write({
      'broken/main.tf': 'resource "cloudflare_waf_rule" {',
      'zones.txt': `zone,dir\n${zoneName(0)},broken\n`,
    });
    const { code, document } = await cli.json('status --zones zones.txt');
    const unknown = { state: null, configuration: null };
    expect([code, document.zones]).toMatchObject([
      1,
      [{ legacy: unknown, ruleset: { declared: null, inState: null }, next: null }],
    ]);
    const { stdout } = await cli.run('status --zones zones.txt');
    expect(stdout).toMatch(/^zone-0\S+ +new +- +\? in state, \? in files +\?$/m);
    cli.write({ 'zones.txt': 'mistyped.example.com\n' });
    const lost = await cli.run('status --zones zones.txt');
    expect([lost.code, lost.stdout]).toEqual([
      1,
      expect.stringContaining('0 zones: 1 refused (mistyped.example.com)\n'),
    ]);
  });

  it('of status plans no zone for the blocks of another folder', async () => {
    cli.write({
      'other/main.tf': 'resource "cloudflare_waf_rule" "r" {\n  zone_id = var.zone\n}\n',
      'zones.txt': `zone,dir\n${zoneName(0)},\n${zoneName(2)},other\n`,
    });
    const environment = { PATH: fakeTerraform(temporaryFolder(), '').searchPath };
    const { stdout } = await cli.run('status --zones zones.txt', { environment });
    expect(stdout).toContain('\n2 zones: 1 to generate, 1 eligible\n');
    // as the folders of the list
    const generate = 'cf-waf-migrate generate --zones zones.txt --format hcl --out waf';
    expect(nextCommands(stdout)).toContain(generate);
  });

  it('of status applies the blocks of a merged pull request, if nothing else is left', async () => {
    const zone_id = zoneId(0);
    const rule = resourceOf('cloudflare_waf_rule', 'r', { id: '100000', zone_id });
    const folder = temporaryFolder({ 'state.json': JSON.stringify(stateOf(rule)) });
    const environment = { PATH: terraformOf(folder, join(folder, 'state.json')).searchPath };
    cli.write({
      'waf/main.tf': `import {\n  to = cloudflare_ruleset.a\n  id = "zone/${zone_id}/x"\n}\nremoved {\n  from = cloudflare_waf_rule.r\n  lifecycle {\n    destroy = false\n  }\n}\nresource "cloudflare_ruleset" "a" {\n  zone_id = "${zone_id}"\n}\n`,
      'zones.txt': `zone,dir\n${zoneName(0)},waf\n`,
    });
    const { stdout } = await cli.run('status --zones zones.txt', { environment });
    expect(stdout).toContain('\n1 zone: 1 to apply with Terraform\n');
    expect(stdout.endsWith('\nNext:\n  terraform -chdir=waf apply\n')).toBe(true);
    expect(stdout).not.toContain('FOLDER_UNKNOWN');
  });

  it('of status reads the folders of --dir for the zones of an account', async () => {
    const zone_id = zoneId(0);
    const rule = resourceOf('cloudflare_waf_rule', 'r', { id: '100000', zone_id });
    const folder = temporaryFolder({ 'state.json': JSON.stringify(stateOf(rule)) });
    const environment = { PATH: terraformOf(folder, join(folder, 'state.json')).searchPath };
    cli.write({ 'infra/main.tf': '' });
    const { stdout } = await cli.run(`status --account ${OURS} --dir infra`, { environment });
    expect(stdout).not.toContain('ZONE_NOT_PLANNED');
    expect(stdout).toMatch(
      /\(FOLDER_UNKNOWN\)\n +account\n +only named folders are read: 4 zones to generate /,
    );
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toMatch(/→ pass --zones with a list that has [^,]* its column dir (?!, or)/);
  });

  it('of status generates stacks of an account only if no Terraform folder has its zones', async () => {
    const { stdout } = await cli.run(`status --account ${OURS}`);
    const generate = `generate\\s+their\\s+stacks:\n +cf-waf-migrate generate --account ${OURS} --project waf\n`;
    expect(stdout).toMatch(new RegExp(`only if no Terraform folder has them, ${generate}`));
    expect(nextCommands(stdout).join()).not.toContain('generate');
  });

  it('of status names --dir only for a list without folders, because it replaces them', async () => {
    const remedy = async (text: string): Promise<string> => {
      cli.write({ 'zones.txt': text, 'infra/main.tf': '' });
      return (await cli.run('status --zones zones.txt')).stdout.replace(/\s+/g, ' ');
    };
    const column = 'the column dir of the list';
    expect(await remedy(`${zoneName(2)}\n`)).toContain(`${column}, or pass --dir`);
    const some = await remedy(`zone,dir\n${zoneName(0)},infra\n${zoneName(2)},\n`);
    expect(some).toContain(column);
    expect(some).not.toContain('--dir');
  });

  it('of status says that it read no Terraform folder', async () => {
    const { stdout } = await cli.run(`status ${list(2, 3)}`);
    expect(stdout).toMatch(
      /\(FOLDER_UNKNOWN\)\n +zones\.txt\n +only named folders are read: 2 zones to generate /,
    );
  });

  it('of status generates only the zones that this folder does not have', async () => {
    const lab = await CliLab.of(fleetScenario({ count: 2 }));
    closeAfterTest(() => lab.emulator.stop());
    const ruleset = `resource "cloudflare_ruleset" "a" {\n  zone_id = "${zoneId(0)}"\n  phase = "http_request_firewall_managed"\n}\n`;
    const zones = `${zoneName(0)}\n${zoneName(1)}\n`;
    writeInto(lab.cwd, { 'main.tf': ruleset, 'zones.txt': zones });
    const environment = {
      ...environmentOf(lab.emulator),
      PATH: fakeTerraform(temporaryFolder(), '').searchPath,
    };
    const { stdout } = await lab.cli('status --zones zones.txt', { environment });
    expect(stdout).toContain(
      `:\n      cf-waf-migrate generate --zone ${zoneName(1)} --format hcl --out waf\n`,
    );
    expect(stdout).toMatch(
      /only\s+if\s+no\s+Terraform\s+folder\s+has\s+them,\s+generate\s+their\s+stacks:/,
    );
    expect(stdout.split('\n').slice(-3)).toEqual([
      'Next:',
      '  cf-waf-migrate plan --zones zones.txt --dir . --out plan.json',
      '',
    ]);
    expect(stdout).toMatch(/ 1 zone to generate can have a stack in another\n +folder/);
  });

  it('generates no stack for a zone with a Terraform folder', async () => {
    cli.write({ 'zones.txt': `zone,dir\n${zoneName(0)},edge\n` });
    const { code, stdout } = await cli.run('generate --zones zones.txt --source live');
    const line = `skipped    zone-0.example.com (${zoneId(0)}): its ruleset belongs to its folder in the list: plan it\n`;
    expect([code, stdout]).toEqual([0, expect.stringContaining(line)]);
    expect(cli.list()).not.toContain('stacks');
    expect(stdout).not.toContain('If Terraform folders have');
    expect(nextCommands(stdout)).toEqual(['cf-waf-migrate plan --zones zones.txt --out plans']);
  });

  it.each([
    ['of generate for a list without folders', () => list(0)],
    ['of generate for an account', () => `--account ${OURS}`],
  ])('%s names the plan of zones in a Terraform folder, which it cannot see', async (_, zones) => {
    const { stdout } = await cli.run(`generate ${zones()} --source live`);
    expect(stdout).toContain(
      '\nIf a Terraform folder has legacy resources of these zones, run `plan` there.',
    );
  });

  it('plans no zone that has not migrated', async () => {
    cli.write({ 'zones.txt': `zone,dir\n${zoneName(2)},edge\n` });
    const { code, stdout } = await cli.run('plan --zones zones.txt --out plans');
    const line = `skipped    zone-2.example.com (${zoneId(2)}): not migrated: finish it first\n`;
    expect([code, stdout]).toEqual([0, expect.stringContaining(line)]);
    // the runs of the plans skip it too
    const zone_id = zoneId(0);
    const rule = resourceOf('cloudflare_waf_rule', 'r', { id: '100000', zone_id });
    const folder = temporaryFolder({ 'state.json': JSON.stringify(stateOf(rule)) });
    const environment = { PATH: terraformOf(folder, join(folder, 'state.json')).searchPath };
    cli.write({
      'other/main.tf': '',
      'zones.txt': `zone,dir\n${zoneName(0)},other\n${zoneName(2)},edge\n${zoneName(3)},\n`,
    });
    await cli.run('plan --zones zones.txt --out plans --from 4.52.0', { environment });
    const verified = await cli.run('verify plans --zones zones.txt', { environment });
    expect([verified.code, verified.stdout]).toEqual([2, expect.stringContaining(line)]);
    expect(verified.stdout).toContain('\n3 zones: 0 done, 1 needs attention, 2 skipped\n');
  });

  it('of status resumes an interrupted apply of one of the zones, which plan refuses', async () => {
    const run = { stage: 'apply', request: '{}', at: '2026-01-01T00:00:00.000Z' };
    const zone = { zone: zoneId(0), name: zoneName(0) };
    const zones = list(0, 2);
    const ledger = 'cf-waf-migrate-fleet/ledger.jsonl';
    const begin = { event: 'begin', ...run, command: `apply plans ${zones}`, zones: [zone] };
    const start = { event: 'start', ...run, ...zone };
    cli.write({ [ledger]: `${JSON.stringify(begin)}\n` });
    expect(await nextOf(`status ${zones}`)).toBe(`report ${zones} --out reports`);
    cli.write({ [ledger]: `${JSON.stringify(begin)}\n${JSON.stringify(start)}\n` });
    const { stdout } = await cli.run(`status ${zones}`);
    expect(stdout).toContain('2 zones: 1 to continue, 1 eligible\n');
    expect(nextCommands(stdout)).toEqual([
      `cf-waf-migrate apply plans ${zones}`,
      `cf-waf-migrate report ${zones} --out reports`,
    ]);
    cli.write({ 'zones.txt': `zone,dir\n${zoneName(0)},edge\n` });
    const planned = await cli.run(`plan ${zones} --out plans`);
    expect([planned.code, planned.stdout]).toEqual([
      1,
      expect.stringContaining(`resume it, also after a rollback:\n    cf-waf-migrate apply plans`),
    ]);
    expect(nextCommands(planned.stdout)).toEqual([`cf-waf-migrate apply plans ${zones}`]);
    // a run that was rolled back is not interrupted, also after the plan that was refused
    const digest = 'd'.repeat(64);
    const made = { ...start, stage: 'plan', event: 'zone', outcome: 'done', line: '' };
    const result = { plan: 'plans/edge.plan.json', digest, ready: true };
    const lines = [begin, { ...made, result }, start, { ...made, outcome: 'failed' }];
    const killed = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const archive = `plans/cf-waf-migrate-backup/${digest.slice(0, 12)}.rolled-back.jsonl`;
    cli.write({ [ledger]: killed, [archive]: '' });
    const rolledBack = await cli.run(`plan ${zones} --out plans`);
    expect(rolledBack.stdout).not.toContain('RUN_INTERRUPTED');
    cli.write({ 'edge/main.tf': '' });
    const environment = { PATH: fakeTerraform(temporaryFolder(), '').searchPath };
    const after = await cli.run(`status ${zones}`, { environment });
    expect(after.stdout).toContain('\n1 zone: 1 to plan\n');
    expect(nextCommands(after.stdout)).toEqual([`cf-waf-migrate plan ${zones} --out plans`]);
    // a run that ended is not interrupted
    const ended = { ...start, event: 'zone', outcome: 'attention', line: '' };
    cli.write({ 'zones.txt': `${zoneName(2)}\n` });
    cli.write({ [ledger]: `${cli.read(ledger)}${JSON.stringify(ended)}\n` });
    expect(await nextOf(`status ${zones}`)).toBe(`report ${zones} --out reports`);
  });

  it('of status resumes an apply that waits for a manual step or failed, with its waves', async () => {
    const zone = { zone: zoneId(0), name: zoneName(0) };
    cli.write({ 'zones.txt': `zone,dir\n${zoneName(0)},edge\n`, 'edge/main.tf': '' });
    const command = 'apply plans --zones zones.txt --canary zone-0.example.com --wave 2 --pause 5';
    const result = { plan: 'plans/edge.plan.json', digest: 'd'.repeat(64), ready: true };
    const entryOf = (stage: string, more: object) => ({ stage, request: '{}', ...zone, ...more });
    const environment = { PATH: fakeTerraform(temporaryFolder(), '').searchPath };
    const statusAfter = async (end: object, typed = command) => {
      const entries = [
        { event: 'zone', at: '2026-01-01T00:00:00.000Z', ...entryOf('plan', { result }) },
        {
          event: 'begin',
          stage: 'apply',
          request: '{}',
          command: typed,
          list: 'zones.txt',
          zones: [zone],
        },
        { event: 'start', ...entryOf('apply', {}) },
        { event: 'zone', ...entryOf('apply', end) },
      ].map((one) => ({ at: '2026-01-01T00:00:01.000Z', outcome: 'done', line: '', ...one }));
      const ledger = entries.map((one) => `${JSON.stringify(one)}\n`).join('');
      cli.write({ 'cf-waf-migrate-fleet/ledger.jsonl': ledger });
      return (await cli.run('status --zones zones.txt', { environment })).stdout;
    };
    const manual = { id: '4', title: 'Take the old blocks out' };
    const waiting = await statusAfter({ outcome: 'attention', result: { ...result, manual } });
    expect(waiting).toContain('\n1 zone: 1 waiting at step 4 (Take the old blocks out)\n');
    expect(nextCommands(waiting)).toEqual([`cf-waf-migrate ${command}`]);
    // an apply that is done is not interrupted, also where no WAF is on
    const findings = [{ code: 'ZONE_UNPROTECTED', subject: zone.zone }];
    expect(await statusAfter({ result: { ...result, findings } })).not.toContain('interrupted');
    const failed = await statusAfter({ outcome: 'failed' });
    expect(failed).toContain('\n1 zone: 1 to plan\n');
    expect(nextCommands(failed)).toEqual([`cf-waf-migrate ${command}`]);
    // a canary that is no longer listed is refused
    for (const removed of [
      `${command} --canary removed.example.com`,
      command.replace('--canary', '--canary removed.example.com'),
    ])
      expect(nextCommands(await statusAfter({ outcome: 'failed' }, removed))).toEqual([
        `cf-waf-migrate ${command}`,
      ]);
  });

  it('resumes the plan of a zone alone whose apply was interrupted before the list dropped it', async () => {
    const zones = [0, 1].map((n) => ({ zone: zoneId(n), name: zoneName(n) }));
    const result = { plan: 'plans/edge.plan.json', digest: 'd'.repeat(64), ready: true };
    const at = '2026-01-01T00:00:00.000Z';
    const apply = { at, stage: 'apply', request: '{}' };
    const begin = { event: 'begin', ...apply, list: 'zones.txt' };
    const command = 'apply plans --zones zones.txt';
    const planned = { at, event: 'zone', stage: 'plan', request: '{}', outcome: 'done', line: '' };
    const entries = [
      { ...planned, ...zones[0], result },
      { ...begin, command, zones },
      { event: 'start', ...apply, ...zones[0] },
    ];
    const again = async (more: object[]) => {
      const ledger = [...entries, ...more].map((one) => `${JSON.stringify(one)}\n`).join('');
      cli.write({ l: ledger });
      return (await cli.run('fleet status --ledger l')).stdout;
    };
    const told = '\nIf no run is active, run again:\n  cf-waf-migrate ';
    expect(await again([])).toContain(`${told}${command}\n`);
    const later = { ...begin, request: '{"wave":1}', command, zones: zones.slice(1) };
    expect(await again([later])).toContain(`${told}apply plans/edge.plan.json\n`);
  });

  it('of status first finishes what a rollback in a folder of the list left to undo', async () => {
    const applied = appliedFolder({
      steps: [{ kind: 'manual', title: 'Take the old blocks out', addresses: [`${OLD}.b`] }],
    });
    expect((await applied.cli('rollback', '--yes')).code).toBe(2);
    const id = applied.plan.zones[0]?.zoneId ?? '';
    const scenario = JSON.stringify(fleetScenario({ count: 1 })).replaceAll(zoneId(0), id);
    const lab = await CliLab.of(JSON.parse(scenario));
    closeAfterTest(() => lab.emulator.stop());
    writeFileSync(join(lab.cwd, 'zones.txt'), `zone,dir\n${zoneName(0)},${applied.folder}\n`);
    const environment = { ...environmentOf(lab.emulator), ...applied.environment };
    const { stdout } = await lab.cli('status --zones zones.txt', { environment });
    expect(stdout).toContain('(ROLLBACK_INCOMPLETE)');
    const journal = applied.journal.replace('.journal.', '.rolled-back.');
    const command = `cf-waf-migrate rollback ${join(relative(lab.cwd, applied.folder), journal)}`;
    expect(nextCommands(stdout)).toEqual([command]);
    expect(stdout).toContain(`\n      ${command}\n`);
  });

  it('is the same one while zones of a wave wait', async () => {
    cli.emulator().setFaults([{ ...refuse(2), method: 'PUT' }]);
    const [again] = await allNextOf(`finish ${list(2, 3)} --wave 1 --concurrency 1`);
    expect(again).toMatch(
      /^finish --zones zones\.txt --wave 1 --concurrency 1 --confirm \S+ --pause 0$/,
    );
  });
});

describe('a zone whose WAF is unknown', () => {
  const cli = cliWithEmulator(fleetScenario({ count: 2, moved: () => false }));

  it('is no zone to plan, but one that cannot be read', async () => {
    const path = `/zones/${zoneId(0)}/waf_migration/*`;
    cli.emulator().setFaults([{ kind: 'status', status: 403, code: 10000, path }]);
    const many = await cli.run(`status --account ${OURS}`);
    expect(many.code).toBe(1);
    expect(many.stdout).toContain('2 zones: 1 that cannot be read, 1 eligible\n');
    expect(many.stdout).toContain('cannot read the migration status: ');
    const alone = await cli.run(`status --zone ${zoneId(0)}`);
    expect([alone.code, alone.stdout]).toEqual([
      1,
      expect.stringContaining('1 that cannot be read'),
    ]);
  });
});

describe('status of a large fleet', () => {
  const unprotected = (number: number) => ({
    ...{ id: zoneId(number), name: zoneName(number), plan: 'pro' },
    ...{ account: { id: OURS, name: 'Ours' }, migration: { state: 'complete' } },
  });
  const scenario: any = fleetScenario({
    ...{ count: 24, moved: (n: number) => n < 20, blocked: (n: number) => n === 23 },
  });
  const off = { ...unprotected(25), rulesets: [entryPoint(deploy(MANAGED))] };
  const cli = cliWithEmulator({ ...scenario, zones: [...scenario.zones, unprotected(24), off] });

  it('shows the zones that need the user first, by name, and none with nothing to do', async () => {
    await cli.run(`generate --account ${OURS} --source live`);
    const path = `/zones/${zoneId(22)}/waf_migration/*`;
    cli.emulator().setFaults([{ kind: 'status', status: 500, path }]);
    const { stdout } = await cli.run(`status --account ${OURS}`);
    const shown = [...stdout.matchAll(/^(zone-\d+)\.example\.com /gm)].map(([, zone]) => zone);
    expect(shown).toEqual(['zone-24', 'zone-23', 'zone-22', 'zone-20', 'zone-21', 'zone-25']);
    // one of the two has a stack to generate
    expect(stdout).toMatch(/^26 zones: .*; 2 without a WAF$/m);
    expect(stdout).toMatch(/\(ZONE_UNPROTECTED\)\n +zone-24\.example\.com and 1 more$/m);
    expect(stdout).toMatch(/\(?API_UNAVAILABLE\)? +zone-22\.example\.com$/m);
    expect(stdout).not.toContain(zoneId(22).concat(' '));
  });
});
