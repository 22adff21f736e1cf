import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliLab, errorOf, jsonOf } from '../support/cli-lab';
import {
  ENTERPRISE,
  FINISH,
  MANAGED,
  NAME,
  PRO,
  deploy,
  entryPoint,
  idOf,
  oneZone,
} from '../support/zones';
import { nextCommands } from '../support/next-commands';
import { seen } from '../support/over-emulator';
import { temporaryFolder } from '../support/temporary-folder';

let lab: CliLab;
afterEach(() => lab.emulator.stop());

describe('a zone that nothing blocks', () => {
  test('moves, and the answer says where to go on', async () => {
    lab = await CliLab.of('enterprise');
    const run = await lab.cli(`finish --zone ${ENTERPRISE} --confirm ${NAME}`);
    expect(run.code).toBe(0);
    const { oldWaf, newWaf, migrationState } = await lab.status(ENTERPRISE);
    expect({ oldWaf, newWaf, migrationState }).toEqual({
      oldWaf: 'off',
      newWaf: 'on',
      migrationState: 'complete',
    });
    const id = /ruleset ([0-9a-f]{32})/.exec(run.stdout)?.[1] ?? '';
    expect(id).not.toBe('');
    // without a Terraform folder
    expect(run.stdout).toContain(`generate --zone ${ENTERPRISE} --project waf\n`);
  });

  test.each([
    ['', 'stacks/shop_example_com.ts', undefined],
    [' --project waf', 'waf/stacks/shop_example_com.ts', `plan --zone ${ENTERPRISE}`],
    [' --format construct', 'src/shop_example_com.ruleset.ts', `plan --zone ${ENTERPRISE}`],
    [' --format hcl --out waf', 'waf/shop_example_com.tf', 'plan --dir waf'],
  ])('generated with "%s" is generated again after it, as printed', async (flags, stack, plan) => {
    lab = await CliLab.of('enterprise');
    if (flags.includes('construct')) {
      lab.save('cdktf.json', { language: 'typescript', app: 'npx tsx src/main.ts' });
    }
    let next: string | undefined = `generate --zone ${ENTERPRISE}${flags}`;
    for (const command of ['generate', 'finish', 'generate']) {
      expect(next?.split(' ')[0]).toBe(command);
      const ran = await lab.cli(`${next}${command === 'finish' ? ` --confirm ${NAME}` : ''}`);
      expect(ran.code).toBe(0);
      expect(ran.stdout.includes('again, without PROVISIONAL')).toBe(command === 'finish');
      next = nextCommands(ran.stdout)[0]?.replace('cf-waf-migrate ', '');
    }
    expect(lab.read(stack)).toContain('From the live ruleset');
    expect(next).toBe(plan);
  });

  test('has its old settings saved before, for the owner alone', async () => {
    lab = await CliLab.of('enterprise');
    const { backup } = jsonOf(await lab.cli(FINISH));
    expect(statSync(join(lab.cwd, backup)).mode & 0o777).toBe(0o600);
    const saved = JSON.parse(lab.read(backup));
    expect(saved).toMatchObject({ zone: { id: ENTERPRISE, name: NAME }, entryPoint: null });
    const rules = saved.oldWaf.flatMap((one: any) => one.rules);
    expect(rules.find(({ id }: any) => id === '100532')).toMatchObject({ mode: 'simulate' });
    const groups = saved.oldWaf.flatMap((one: any) => one.groups);
    expect(groups.filter(({ mode }: any) => mode === 'off')).toHaveLength(2);
    expect(saved.sends).toEqual(lab.puts()[0]?.body);
  });

  test.each(['', ' --quiet'])('is told once where they are saved, with "%s"', async (flags) => {
    lab = await CliLab.of('enterprise');
    const { stdout, stderr } = await lab.cli(FINISH.replace(' --json', flags));
    expect(`${stderr}${stdout}`.match(/saved the legacy settings in .*old-waf-/gi)).toHaveLength(1);
  });

  test('is not moved when the old settings cannot be written', async () => {
    lab = await CliLab.of('enterprise');
    writeFileSync(join(lab.cwd, 'cf-waf-migrate-backup'), '');
    const run = await lab.cli(FINISH);
    expect([run.code, errorOf(run).code]).toEqual([1, 'BACKUP_FOLDER_UNSAFE']);
    expect(lab.puts()).toEqual([]);
  });

  test('may be a Pro zone whose entry point was prepared with every rule off', async () => {
    const zone = { id: PRO, name: 'blog.example.com', plan: 'pro' };
    lab = await CliLab.of(oneZone({ ...zone, rulesets: [entryPoint(deploy(MANAGED))] }));
    const run = await lab.cli(`finish --zone ${PRO} --confirm blog.example.com --json`);
    expect(run.code).toBe(0);
    expect(jsonOf(run).ruleset.id).toBe(idOf('9', 1));
    expect(lab.puts()[0]?.body.rules[0]).toMatchObject({
      id: idOf('8', 1),
      ref: 'ours',
      enabled: true,
    });
  });
});

describe('the name of the zone', () => {
  test.each(['other.example.com', 'SHOP.example.com', ''])(
    '"%s" is not confirmed',
    async (name) => {
      lab = await CliLab.of('enterprise');
      const run = await lab.cli(['finish', '--zone', ENTERPRISE, '--confirm', name, '--json']);
      expect([run.code, errorOf(run).code]).toEqual([3, 'DECLINED']);
      expect(errorOf(run).hint).toMatch(/^to see what it would send, run:\n\S+ finish --zone \w+$/);
      expect(seen(lab.emulator)).toEqual([`GET /zones/${ENTERPRISE}`]);
    },
  );

  test('is asked on a terminal, with what would happen', async () => {
    lab = await CliLab.of('enterprise');
    for (const answers of [['y'], [''], ['shop']]) {
      const run = await lab.cli(`finish --zone ${ENTERPRISE}`, { answers });
      expect(run.code).toBe(3);
      expect(run.stderr).toContain('  on  Cloudflare Managed Ruleset\n');
      expect(run.stderr).toMatch(/^This cannot be undone: .*\nType \S+ to continue: /m);
    }
    expect(lab.puts()).toEqual([]);
    const { code, stdout } = await lab.cli(`finish --zone ${NAME}`, { answers: [NAME] });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`generate --zone ${NAME} `)]);
  });

  test('without a terminal and without --confirm it lists what would happen, and declines', async () => {
    lab = await CliLab.of('enterprise');
    const run = await lab.cli(`finish --zone ${ENTERPRISE} --json`);
    expect([run.code, errorOf(run).code]).toEqual([3, 'DECLINED']);
    const { stderr } = await lab.cli(`finish --zone ${ENTERPRISE}`);
    expect(stderr).toMatch(
      /^Zone:\n .*\nRules to send:\n[^]*error: Not confirmed, so nothing was sent. This cannot be undone/m,
    );
    expect(lab.puts()).toEqual([]);
  });

  test('is not confirmed by --yes, which every command takes', async () => {
    lab = await CliLab.of('enterprise');
    const run = await lab.cli(`finish --zone ${ENTERPRISE} --yes --json`);
    expect([run.code, errorOf(run).hint]).toEqual([3, expect.stringContaining('--confirm')]);
    expect((await lab.cli(`check --zone ${ENTERPRISE} --yes`)).code).toBe(0);
    expect((await lab.cli(`finish --zone ${ENTERPRISE} --yes`, { answers: ['yes'] })).code).toBe(3);
    expect(lab.puts()).toEqual([]);
    expect((await lab.cli(`${FINISH} --yes`)).code).toBe(0);
  });
});

test('two at once on one zone move it once, and both say so', async () => {
  lab = await CliLab.of('enterprise');
  const other = temporaryFolder();
  const runs = await Promise.all([lab.cli(FINISH), lab.cli(FINISH, { cwd: other })]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect(lab.puts().filter(({ status }) => status === 200)).toHaveLength(1);
  expect(jsonOf(runs[0]).ruleset).toEqual(jsonOf(runs[1]).ruleset);
});

test.each([
  ['--wait soon', 'a time in words'],
  ['--wait -1', 'a time before now'],
  ['--accept EVERYTHING', 'a code that is none'],
  ['--accept NOTHING_IS_ON', 'a code that cannot be accepted'],
  ['--source guess', 'an unknown source'],
  ['--wave 2', 'waves of one zone'],
])('%s is a usage error (%s)', async (flags) => {
  lab = await CliLab.of('enterprise');
  expect((await lab.cli(`${FINISH} ${flags}`)).code).toBe(64);
  expect(seen(lab.emulator)).toEqual([]);
});
