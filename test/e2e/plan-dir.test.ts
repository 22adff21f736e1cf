import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { renderSh } from '../../src/plan/formats/sh';
import { type Plan } from '../../src/plan/plan';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { type CliRun, runCli } from '../support/run-cli';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';

const plan = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, '--from', '4'];
const oldWaf = join(statesFolder, 'old-waf-3.35.tfstate');
const tainted = join(statesFolder, 'tainted-3.35.tfstate');

/** A working directory with a Terraform folder `tf`: a local backend, and a state where it says. */
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
/** The script, without the blockers and decisions of a folder that holds a state alone. */
const scriptOf = (made: Plan): string => renderSh({ ...made, findings: [] });
const count = ({ steps }: Plan): number =>
  steps.find(({ kind }) => kind === 'remove')?.addresses?.length ?? 0;

describe('plan, of a folder with the real terraform', () => {
  it('is the plan of its state file', async () => {
    const ran = await planDir(project(oldWaf));
    const file = await runCli([...plan, '--state', oldWaf, '--json']);
    expect(count(planIn(ran))).toBe(count(planIn(file)));
    expect(planIn(ran).states[0]).toMatchObject({
      ...{ dir: 'tf', workspace: 'default', serial: 55 },
      lineage: planIn(file).states[0]!.lineage,
    });
  });

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
    // nothing of the wrong state is kept that would stand in the way of the right one
    const env = { ...cleanEnvironment(), TF_WORKSPACE: 'prod' };
    const right = await runProcess('/bin/sh', ['plan.sh'], { cwd, env });
    expect([right.code, right.stderr]).toEqual([2, '']);
  });

  it('honours TF_DATA_DIR, where the backend is kept', async () => {
    const cwd = project(oldWaf, 'terraform {\n  backend "local" {}\n}\n');
    const tf = join(cwd, 'tf');
    renameSync(join(tf, 'terraform.tfstate'), join(tf, 'here.tfstate'));
    copyFileSync(tainted, join(tf, 'there.tfstate'));
    // the backend is kept before init goes on to the providers, which it cannot fetch
    await terraform(tf, ['init', '-backend-config=path=here.tfstate']);
    const elsewhere = { TF_DATA_DIR: 'other' };
    await terraform(tf, ['init', '-backend-config=path=there.tfstate'], elsewhere);
    const there = planIn(await planDir(cwd, elsewhere));
    const here = planIn(await planDir(cwd));
    expect(there.states[0]!.lineage).toBe(JSON.parse(readFileSync(tainted, 'utf8')).lineage);
    expect(here.states[0]!.lineage).toBe(JSON.parse(readFileSync(oldWaf, 'utf8')).lineage);
  });

  it('is the same whatever TF_CLI_ARGS, TF_LOG and TF_INPUT say', async () => {
    const cwd = project(oldWaf);
    const noisy = await planDir(cwd, {
      ...{ TF_CLI_ARGS: '-bogus', TF_CLI_ARGS_state_pull: '-bogus', TF_INPUT: 'maybe' },
      ...{ TF_LOG: 'TRACE', TF_CLI_ARGS_workspace_show: '-bogus' },
    });
    expect(noisy.code).toBe(2);
    expect(noisy.stdout).toBe((await planDir(cwd)).stdout);
  });

  it.each([
    ['has a backend that was not initialised', 'terraform {\n  backend "local" {}\n}\n', 'init'],
    ['has a configuration that is none', 'terraform {', 'rror'],
  ])('that %s fails with what terraform says', async (_, text, expected) => {
    const ran = await planDir(project(oldWaf, text));
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    const { error } = JSON.parse(ran.stderr);
    expect(error.code).toBe('TERRAFORM_FAILED');
    expect([error.message, ...error.causes].join(' ')).toContain(expected);
    expect(ran.stderr).not.toContain('\\u001b');
  });

  it('without a state says so', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'tf'));
    const ran = await planDir(cwd);
    expect([ran.code, JSON.parse(ran.stderr).error.code]).toEqual([1, 'STATE_INVALID']);
  });
});

it('the script of a plan of two folders removes from each what is its own', async () => {
  const cwd = project(oldWaf);
  mkdirSync(join(cwd, "it's $HOME"));
  copyFileSync(tainted, join(cwd, "it's $HOME/terraform.tfstate"));
  const plans = await runCli([...plan, '--dir', 'tf', "it's $HOME", '--json'], { cwd });
  writeFileSync(join(cwd, 'plan.sh'), scriptOf(planIn(plans)));
  // each backup begins the steps of a folder, which stop for a person behind the removal
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
