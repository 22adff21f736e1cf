import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { backupFile, type Plan } from '../../src/plan/plan';
import { type CliRun } from '../support/run-cli';
import { planDir, tainted, works } from './support/plan-dir';

const planIn = ({ stdout }: CliRun): Plan => JSON.parse(stdout);

describe('plan, of a folder', () => {
  it('pulls the state, asks for the workspace and the version, and does nothing else', async () => {
    const ran = await planDir(works);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.fake.calls()).toEqual([['state', 'pull'], ['workspace', 'show'], ['version']]);
    expect(planIn(ran).states[0]).toMatchObject({ dir: 'tf', workspace: 'prod' });
    expect(planIn(ran).steps[0]!.runs![0]!.argv).toEqual([
      ...['terraform', '-chdir=tf', 'state', 'pull'],
    ]);
  });

  it('takes the installed provider from its lock file', async () => {
    const lock =
      'provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "4.52.8"\n}\n';
    const ran = await planDir(works, { files: { 'tf/.terraform.lock.hcl': lock } });
    expect(planIn(ran).states[0]!.provider.from).toBe('4.52.8');
  });

  it('names the folder relative to the folder of the plan', async () => {
    const args = ['--dir', 'tf', '--format', 'json', '--out', 'plans/deep/plan.json'];
    const { cwd } = await planDir(works, { args });
    const plan: Plan = JSON.parse(readFileSync(join(cwd, 'plans/deep/plan.json'), 'utf8'));
    expect(plan.states[0]!.dir).toBe('../../tf');
  });

  it('gives a folder that lies deep a backup whose name a disk takes', async () => {
    const deep = ['tf', ...Array.from({ length: 12 }, () => 'a-folder-with-a-name')].join('/');
    const files = { [`${deep}/one.tfvars`]: '', [`${deep}/two/one.tfvars`]: '' };
    const args = ['--dir', deep, `${deep}/two`, '--json'];
    const works = `case "$*" in 'state pull') sed "s/\\"lineage\\": \\"/&$(basename "$PWD")/" '${tainted}' ;; 'workspace show') echo default ;; esac`;
    const plan = planIn(await planDir(works, { args, files }));
    const backups = plan.steps.flatMap(({ runs = [] }) =>
      runs.flatMap(({ saveTo }) => saveTo ?? []),
    );
    expect(new Set(backups).size).toBe(2);
    // the longest of all: what a forced rollback keeps, in a workspace with a long name, while it is written
    const [workspace, part] = ['w'.repeat(200), '.0123456789ab.part'];
    for (const { name } of plan.states) {
      const copy = basename(backupFile({ name, workspace }, 99_999, 'overwritten.tfstate'));
      expect(copy.length + part.length).toBeLessThanOrEqual(255);
    }
    expect(backups[1]).toMatch(/a-folder-with-a-name-two-\d+\.tfstate$/);
  });

  it('reads the same folder once, whatever it is called', async () => {
    const ran = await planDir(works, { args: ['--dir', 'tf', './tf/', '--json'] });
    expect(planIn(ran).states).toHaveLength(1);
  });

  it.each([
    ['a name in PATH', () => ['--terraform', 'terraform']],
    ['a path relative to the working directory', () => ['--terraform', 'fake-bin/terraform']],
  ])('starts Terraform by %s', async (_, flags) => {
    const ran = await planDir(works, { args: ['--dir', 'tf', ...flags(), '--json'] });
    expect([ran.code, ran.fake.calls().length]).toEqual([0, 3]);
  });
});

describe('the environment of Terraform', () => {
  const dump = `env > "$(dirname "$0")/environment-$1"; ${works}`;
  const environment = {
    ...{ TF_CLI_ARGS: '-bogus', TF_CLI_ARGS_state_pull: '-bogus', TF_LOG: 'TRACE', TF_INPUT: '1' },
    ...{ TF_WORKSPACE: 'prod', TF_DATA_DIR: 'elsewhere', AWS_REGION: 'x' },
  };

  it('has what chooses the state, and not what changes a subcommand', async () => {
    const { cwd, stderr } = await planDir(dump, { environment });
    expect(stderr).toBe('');
    for (const name of ['state', 'workspace']) {
      const seen = readFileSync(join(cwd, `fake-bin/environment-${name}`), 'utf8');
      expect(seen).not.toMatch(/^TF_(CLI_ARGS|LOG|INPUT)/m);
      expect(seen).toMatch(/^TF_WORKSPACE=prod$/m);
      expect(seen).toMatch(/^TF_DATA_DIR=elsewhere$/m);
      expect(seen).toMatch(/^AWS_REGION=x$/m);
    }
  });

  it('is named where it is left out, but not with --quiet', async () => {
    const { stderr } = await planDir(dump, { environment, args: ['--dir', 'tf'] });
    expect(stderr).toBe(
      [
        'TF_CLI_ARGS, TF_CLI_ARGS_state_pull, TF_INPUT, TF_LOG are not passed on: ',
        'arguments for Terraform go after --, and --verbose shows what it says\n',
      ].join(''),
    );
    const quiet = await planDir(dump, { environment, args: ['--dir', 'tf', '--quiet'] });
    expect(quiet.stderr).toBe('');
  });
});
