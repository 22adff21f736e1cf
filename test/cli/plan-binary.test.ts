import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { fakeTerraform } from '../support/fake-terraform';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';

/** The script of a plan for the folder `tf`, which is printed; the fake Terraform lies in `fake-bin`. */
async function scriptOf(terraform: string, out: string): Promise<string> {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'tf'));
  const state = join(statesFolder, 'tainted-3.35.tfstate');
  const { searchPath } = fakeTerraform(
    cwd,
    `case "$*" in 'state pull') cat '${state}' ;; 'workspace show') echo default ;; esac`,
  );
  const about = ['--zone', ZONE, '--ruleset-id', RULESET, '--dir', 'tf', '--terraform', terraform];
  const ran = await runCli(['plan', ...about, '--format', 'sh', '--out', out], {
    cwd,
    environment: { PATH: searchPath },
  });
  expect(ran.stderr).toBe(`wrote ${out}\n`);
  expect(JSON.parse(readFileSync(join(cwd, out), 'utf8'))).toHaveProperty('steps');
  return ran.stdout;
}

describe('plan --format sh --terraform, saved into a folder, where the script is run', () => {
  it.each([
    [
      'leads from there to a path',
      'fake-bin/terraform',
      'plans/plan.json',
      '../fake-bin/terraform',
    ],
    ['leaves a name for PATH', 'terraform', 'plans/plan.json', 'terraform'],
    ['makes no name of a path', 'fake-bin/terraform', 'fake-bin/plan.json', './terraform'],
  ])('%s', async (_, terraform, out, written) => {
    expect(await scriptOf(terraform, out)).toContain(` ${written} -chdir=../tf `);
  });

  it('leaves a path as it was given where the working folder is that of the script', async () => {
    const script = await scriptOf('./fake-bin/terraform', 'plan.json');
    expect(script).toContain(' ./fake-bin/terraform -chdir=tf ');
  });
});
