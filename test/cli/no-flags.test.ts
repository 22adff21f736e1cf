import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { fakeTerraform } from '../support/fake-terraform';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import {
  cliWithEmulator,
  ENTERPRISE,
  errorOf,
  NOT_ELIGIBLE,
  PRO,
} from './support/cli-with-emulator';

/** A Terraform folder whose state has legacy resources of the zone. */
function terraformFolder() {
  const cwd = temporaryFolder();
  const state = join(statesFolder, 'tainted-3.35.tfstate');
  const { searchPath } = fakeTerraform(
    cwd,
    `case "$*" in 'state pull') cat '${state}' ;; 'workspace show') echo default ;; esac`,
  );
  writeFileSync(join(cwd, 'main.tf'), '');
  return { cwd, environment: { PATH: searchPath } };
}

describe('a Terraform folder', () => {
  it('is what report and generate read without a flag', async () => {
    const report = await runCli(['report', '--json'], terraformFolder());
    expect(JSON.parse(report.stdout).zoneId).toBe(ZONE);
    const args = ['generate', '--source', 'state', '--format', 'hcl', '--provider', '4', '--json'];
    const generated = await runCli(args, terraformFolder());
    expect(JSON.parse(generated.stdout)).toMatchObject({
      source: 'state',
      files: [expect.stringMatching(/\.tf$/), 'providers.tf'],
    });
  });

  it('is what plan plans, and the next command rehearses it', async () => {
    const about = ['--ruleset-id', RULESET, '--from', '3.35.0'];
    const { stdout } = await runCli(['plan', ...about, '--json'], terraformFolder());
    expect(JSON.parse(stdout).states).toMatchObject([{ dir: '.', workspace: 'default' }]);
    const text = await runCli(['plan', ...about], terraformFolder());
    expect(text.stdout).toContain(
      `\n\nNext:\n  cf-waf-migrate plan ${about.join(' ')} --out plan.json\n`,
    );
  });

  it.each([
    ['verify', 'apply a plan first'],
    ['rollback', 'pass the journal'],
  ])('without a run of apply has nothing to %s', async (name, hint) => {
    const ran = await runCli([name, '--yes', '--json'], terraformFolder());
    expect(errorOf(ran)).toMatchObject({
      code: 'JOURNAL_INVALID',
      message: 'nothing was applied in this folder: there is no journal in cf-waf-migrate-backup',
      hint: expect.stringContaining(hint),
    });
  });

  it.each(['plan', 'rehearse', 'apply', 'report', 'generate'])(
    'is missing where %s runs elsewhere',
    async (name) => {
      const cwd = temporaryFolder();
      expect(errorOf(await runCli([name, '--json'], { cwd })).message).toBe(
        'there is no Terraform configuration in this folder',
      );
      writeFileSync(join(cwd, 'cdktf.json'), '{}');
      expect(errorOf(await runCli([name, '--json'], { cwd })).hint).toContain('cdktf.out/stacks/');
    },
  );
});

describe('--zone', () => {
  const cli = cliWithEmulator();
  const nameOf = async (zone: string): Promise<string> => {
    const { stderr } = await cli.run(['finish', '--zone', zone, '--confirm', 'x']);
    return /the zone is called (\S+),/.exec(stderr)?.[1] ?? '';
  };

  it('takes ids and names in any case', async () => {
    const name = await nameOf(ENTERPRISE);
    const expected = await cli.json(['status', '--zone', ENTERPRISE]);
    for (const zone of [ENTERPRISE.toUpperCase(), name, name.toUpperCase()]) {
      expect((await cli.json(['status', '--zone', zone])).document).toEqual(expected.document);
    }
  });

  it('names the three closest zones of a name that is unknown', async () => {
    const name = await nameOf(ENTERPRISE);
    const ran = await cli.run(['check', '--zone', `x${name}`, '--json']);
    expect(errorOf(ran).code).toBe('ZONE_NOT_REACHED');
    expect(errorOf(ran).hint).toMatch(new RegExp(`^did you mean ${name}[,?]`));
    expect(errorOf(ran).hint.split(', ').length).toBeLessThanOrEqual(3);
  });

  it('can be repeated: the zones are a run over many', async () => {
    const zones = ['--zone', ENTERPRISE, '--zone', PRO, NOT_ELIGIBLE];
    const { document } = await cli.json(['check', ...zones], { cwd: temporaryFolder() });
    expect(document.summary).toMatchObject({ zones: 3, done: 2, attention: 1 });
  });
});
