import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf } from '../support/cli-lab';
import { ENTERPRISE, MIGRATED, NOT_ELIGIBLE, PRO } from '../support/zones';
import { fleetScenario, OURS, zoneId } from './support/fleet-scenario';
import { resourceOf, stateOf, terraformOf } from './support/states';

describe('check', () => {
  const cli = cliWithEmulator();

  it.each([ENTERPRISE, PRO, 'shop.example.com'])(
    'says that zone %s can migrate, with exit 0',
    async (zone) => {
      const { code, stdout, stderr } = await cli.run(`check --zone ${zone}`);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(
        new RegExp(
          `^Zone ${zone} can migrate \\(migration state: start\\)\n[^]*  cf-waf-migrate report --zone ${zone}\n$`,
        ),
      );
    },
  );

  it('takes two spellings of a name for one zone', async () => {
    const { code, stdout } = await cli.run('check --zone shop.example.com SHOP.example.com.');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Zone shop\.example\.com can migrate/),
    ]);
  });

  it('is of all zones of the Terraform folder', async () => {
    const runIn = (...zones: string[]) => {
      const rules = zones.map((zone_id, at) =>
        resourceOf('cloudflare_waf_rule', `r${at}`, { id: '1', zone_id, rule_id: '1' }),
      );
      const files = { 'main.tf': '', 'pulled.tfstate': JSON.stringify(stateOf(...rules)) };
      cli.write(files);
      const { path } = terraformOf(temporaryFolder(), 'pulled.tfstate');
      return cli.run(`check --terraform ${path}`);
    };
    const one = await runIn(PRO);
    expect([one.code, one.stdout]).toEqual([0, expect.stringContaining(`Zone ${PRO} can`)]);
    const two = await runIn(PRO, ENTERPRISE);
    expect([two.code, two.stdout]).toEqual([0, expect.stringContaining('2 zones: 2 done\n')]);
  });

  it('says of a zone that has moved that it has', async () => {
    const { code, stdout } = await cli.run(`check --zone ${MIGRATED}`);
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      `Zone ${MIGRATED} is migrated (migration state: complete)`,
    ]);
    expect(stdout).toContain(`\nNext:\n  cf-waf-migrate status --zone ${MIGRATED}\n`);
    // it can have no entry point to generate from
    expect(stdout).not.toContain('generate');
  });

  it('says what blocks a zone and what to do, with exit 2', async () => {
    const { code, stdout, stderr } = await cli.run(`check --zone ${NOT_ELIGIBLE}`);
    expect([code, stderr]).toEqual([2, '']);
    expect(stdout).toContain(`Zone ${NOT_ELIGIBLE} cannot migrate`);
    expect(stdout).toMatch(/^blocker: /m);
    expect(stdout).toMatch(/^ {4}→ /m);
  });

  it('repeats the file of the token in the command that deletes an override', async () => {
    cli.write({ token: cli.emulator().credentials.token });
    const { stdout } = await cli.run(`check --zone ${NOT_ELIGIBLE} --token-file token`);
    expect(stdout).toMatch(/^ +cf-waf-migrate firewall overrides delete .* --token-file token$/m);
  });

  it('leads from a condition of phase one to phase two', async () => {
    const { code, stdout } = await cli.run(`check --zone ${ENTERPRISE} --phase 1`);
    expect([code, stdout]).toEqual([2, expect.stringContaining('(PHASE_ONE_CONDITION)')]);
    expect(stdout.endsWith(`\n  cf-waf-migrate check --zone ${ENTERPRISE} --phase 2\n`)).toBe(true);
  });
});

describe('zone not compatible', () => {
  const cli = cliWithEmulator();

  it.each(['generate', 'report', 'fetch-config'])(
    '%s of a zone that cannot migrate names the command that says why',
    async (command) => {
      const ran = await cli.run([command, '--zone', NOT_ELIGIBLE, '--json']);
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'API_REFUSED']);
      expect(errorOf(ran).hint).toContain(`cf-waf-migrate check --zone ${NOT_ELIGIBLE}`);
    },
  );
});

describe('a token that the legacy API refuses', () => {
  const scenario = fleetScenario({ count: 2, moved: () => false, blocked: (n) => n === 0 });
  const cli = cliWithEmulator({ ...scenario, settings: { legacyApiRefusesTokens: true } });
  const SET = 'set CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY';

  it('is named by check, for one zone and for many, and by status', async () => {
    const lines = [
      `check --zone ${zoneId(0)}`,
      `check --account ${OURS}`,
      `status --account ${OURS}`,
    ];
    for (const line of lines) {
      const stdout = (await cli.run(line)).stdout.replace(/\s+/g, ' ');
      expect(stdout).toContain(
        `its WAF overrides, which can be the reason, could not be read → ${SET}`,
      );
      expect(stdout).not.toContain('contact Cloudflare support');
    }
    const many = await cli.run(`check --account ${OURS}`);
    expect(many.stdout).toContain('decision: Some settings could not be read (NOT_CHECKED)');
  });

  it('is named by report for many zones', async () => {
    const { stdout } = await cli.run(`report --account ${OURS} --out reports`);
    expect(stdout).toMatch(new RegExp(`^ {2}hint: check the credentials, .*; or ${SET}`, 'm'));
  });
});

describe('fetch-config', () => {
  const cli = cliWithEmulator();

  async function answerOf(zone: string): Promise<string> {
    const { baseUrl, credentials } = cli.emulator();
    const response = await fetch(`${baseUrl}/zones/${zone}/waf_migration/config?phase_two=1`, {
      headers: { authorization: `Bearer ${credentials.token}` },
    });
    return response.text();
  }

  it('prints the answer as it came, byte for byte, with and without --json', async () => {
    const answer = await answerOf(ENTERPRISE);
    for (const flags of [[], ['--json']]) {
      const ran = await cli.run(['fetch-config', '--zone', ENTERPRISE, ...flags]);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, answer, '']);
    }
  });

  it('writes it to a file, and leaves a file alone that is the same', async () => {
    const args = ['fetch-config', '--zone', ENTERPRISE, '--out', 'saved/config.json'];
    const first = await cli.run(args);
    expect(first.code).toBe(0);
    expect(first.stdout).toBe(
      `wrote saved/config.json\n\nNext:\n  cf-waf-migrate check --zone ${ENTERPRISE}\n`,
    );
    const path = join(cli.cwd(), 'saved/config.json');
    expect(readFileSync(path, 'utf8')).toBe(await answerOf(ENTERPRISE));
    const { ino } = statSync(path);
    expect((await cli.run(args)).code).toBe(0);
    expect(statSync(path).ino).toBe(ino);
  });

  it('overwrites another file only with --force', async () => {
    cli.write({ 'config.json': 'mine' });
    const args = ['fetch-config', '--zone', ENTERPRISE, '--out', 'config.json'];
    const refused = await cli.run([...args, '--json']);
    expect([refused.code, errorOf(refused).code]).toEqual([1, 'FILE_EXISTS']);
    expect(cli.read('config.json')).toBe('mine');
    expect((await cli.run([...args, '--force'])).code).toBe(0);
    expect(cli.read('config.json')).toBe(await answerOf(ENTERPRISE));
  });

  it('of a zone that has moved fails with what the service says', async () => {
    const ran = await cli.run(`fetch-config --zone ${MIGRATED} --json`);
    expect(ran.code).toBe(1);
    expect(errorOf(ran).message).toContain(MIGRATED);
  });
});
