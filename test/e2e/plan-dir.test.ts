import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderSh } from '../../src/plan/formats/sh';
import { type Plan } from '../../src/plan/plan-schema';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { type CliRun, runCli } from '../support/run-cli';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';

const plan = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, '--from', '4'];
const oldWaf = join(statesFolder, 'old-waf-3.35.tfstate');
const tainted = join(statesFolder, 'tainted-3.35.tfstate');

/** A working directory with a Terraform folder `tf`, a local backend, and a state at the given path. */
function project(state: string, backend = ''): string {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'tf'));
  writeFileSync(join(cwd, 'tf/main.tf'), backend);
  copyFileSync(state, join(cwd, 'tf/terraform.tfstate'));
  return cwd;
}

function planDir(cwd: string, environment: Record<string, string> = {}): Promise<CliRun> {
  return runCli([...plan, '--dir', 'tf', '--json'], { cwd, environment });
}

const planIn = ({ stdout }: CliRun): Plan => JSON.parse(stdout);
/** The script, without the blockers and decisions of a folder that has only a state. */
const scriptOf = (made: Plan): string => renderSh({ ...made, findings: [] });
const count = ({ steps }: Plan): number =>
  steps.find(({ kind }) => kind === 'remove')?.addresses?.length ?? 0;

describe('plan, of a folder with the real terraform', () => {
  it('trap 8.4: honours TF_WORKSPACE, and so does the script of the plan', async () => {
    const cwd = project(oldWaf);
    const tf = join(cwd, 'tf');
    expect((await terraform(tf, ['workspace', 'new', 'prod'])).code).toBe(0);
    expect((await terraform(tf, ['workspace', 'select', 'default'])).code).toBe(0);
    copyFileSync(tainted, join(tf, 'terraform.tfstate.d/prod/terraform.tfstate'));

    const there = planIn(await planDir(cwd, { TF_WORKSPACE: 'prod' }));
    const here = planIn(await planDir(cwd));
    expect([there.states[0]!.workspace, here.states[0]!.workspace]).toEqual(['prod', 'default']);
    expect(count(there)).toBeGreaterThan(0);
    expect(count(there)).toBeLessThan(count(here));

    writeFileSync(join(cwd, 'plan.sh'), scriptOf(there));
    const wrong = await runProcess('/bin/sh', ['plan.sh'], { cwd, env: cleanEnvironment() });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('not the state')]);
    // nothing of the wrong state is kept, so that the next run can save the right one
    const env = { ...cleanEnvironment(), TF_WORKSPACE: 'prod' };
    const right = await runProcess('/bin/sh', ['plan.sh'], { cwd, env });
    expect([right.code, right.stderr]).toEqual([2, '']);
  });
});

it('the script of a plan of two folders removes from each what is its own', async () => {
  const cwd = project(oldWaf);
  mkdirSync(join(cwd, "it's $HOME"));
  copyFileSync(tainted, join(cwd, "it's $HOME/terraform.tfstate"));
  const plans = await runCli([...plan, '--dir', 'tf', "it's $HOME", '--json'], { cwd });
  writeFileSync(join(cwd, 'plan.sh'), scriptOf(planIn(plans)));
  // each backup starts the steps of a folder, which stop at the manual step after the removal
  const backups = planIn(plans).steps.filter(({ kind }) => kind === 'backup');
  expect(backups).toHaveLength(2);
  for (const { id } of backups) {
    const ran = await runProcess('/bin/sh', ['plan.sh', id], { cwd, env: cleanEnvironment() });
    expect([ran.code, ran.stderr]).toEqual([2, '']);
  }
  for (const dir of ['tf', "it's $HOME"]) {
    const { stdout } = await terraform(join(cwd, dir), ['state', 'list']);
    expect(stdout).not.toMatch(/cloudflare_waf_/);
  }
  for (const { runs } of backups) {
    expect(statSync(join(cwd, runs![0]!.saveTo!)).mode & 0o777).toBe(0o600);
  }
});

function cleanEnvironment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^(TF|CLOUDFLARE)_/.test(name));
  return { ...Object.fromEntries(own), CHECKPOINT_DISABLE: '1' };
}
