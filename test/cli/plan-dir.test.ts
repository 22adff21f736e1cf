import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backupFile } from '../../src/plan/backup-file';
import { type Plan } from '../../src/plan/plan';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { type FakeTerraform, fakeTerraform } from '../support/fake-terraform';
import { type CliRun, runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { errorOf } from './support/cli-with-emulator';

const tainted = join(statesFolder, 'tainted-3.35.tfstate');
const works = `case "$*" in 'state pull') cat '${tainted}' ;; 'workspace show') echo prod ;; esac`;

interface DirRun extends CliRun {
  readonly cwd: string;
  readonly fake: FakeTerraform;
}

interface DirOptions {
  args?: string[];
  environment?: Record<string, string>;
  /** Files of the working directory. */
  files?: Record<string, string>;
}

/** Plans the folder `tf` with a terraform of a few lines of shell. */
async function planDir(terraform: string, options: DirOptions = {}): Promise<DirRun> {
  const { args = ['--dir', 'tf', '--json'], environment = {}, files = {} } = options;
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'tf'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const fake = fakeTerraform(cwd, terraform);
  const line = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, ...args];
  const ran = await runCli(line, { cwd, environment: { PATH: fake.searchPath, ...environment } });
  return { ...ran, cwd, fake };
}

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
      'TF_CLI_ARGS, TF_CLI_ARGS_state_pull are not passed on: what Terraform needs goes after --\n',
    );
    const quiet = await planDir(dump, { environment, args: ['--dir', 'tf', '--quiet'] });
    expect(quiet.stderr).toBe('');
  });
});

describe('a Terraform that does not do what it should', () => {
  const secret = 'geheim-0123456789';
  const box = (text: string): string =>
    `printf '\\033[31m╷\\033[0m\\n│ \\033[1mError: \\033[0m${text}\\n│\\n│ More of it.\\n╵\\n' >&2; exit 1`;

  it.each([
    ['fails', box('Backend initialization required'), 'TERRAFORM_FAILED'],
    ['fails without a word', 'exit 3', 'TERRAFORM_FAILED'],
    ['is killed', 'kill -9 $$', 'TERRAFORM_FAILED'],
    ['prints nothing', 'exit 0', 'STATE_INVALID'],
    ['prints garbage', 'echo hello', 'STATE_INVALID'],
    ['prints binary garbage', "printf '\\377\\376\\000x'", 'STATE_INVALID'],
    ['prints half a state', `head -c 500 '${tainted}'`, 'STATE_INVALID'],
    [
      'prints another version',
      `echo '{"version":9,"terraform_version":"9"}'`,
      'STATE_VERSION_UNSUPPORTED',
    ],
  ])('%s: exit 1, code and hint, no plan', async (_, terraform, expected) => {
    const args = ['--dir', 'tf', '--json', '--out', 'plan.json'];
    const ran = await planDir(terraform, { args });
    expect([ran.code, errorOf(ran).code]).toEqual([1, expected]);
    expect(errorOf(ran).hint).not.toBe('');
    expect(existsSync(join(ran.cwd, 'plan.json'))).toBe(false);
  });

  it('says its first error, and the rest as the cause, without colour', async () => {
    const error = errorOf(await planDir(box('Backend initialization required')));
    expect(error.message).toMatch(
      /^terraform state pull failed with exit code 1 in .*\/tf: Error: Backend initialization required$/,
    );
    expect(error.causes).toEqual(['More of it.']);
  });

  it('says no secret of the environment', async () => {
    const environment = { CLOUDFLARE_API_TOKEN: secret, AWS_SECRET_ACCESS_KEY: `${secret}-longer` };
    const terraform = box('bad $CLOUDFLARE_API_TOKEN and $AWS_SECRET_ACCESS_KEY').replace(
      /'/g,
      '"',
    );
    const ran = await planDir(terraform, { environment });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('[redacted]');
    expect(ran.stderr).not.toContain(secret);
  });

  it('hangs: is stopped after the time that it was given', async () => {
    const args = ['--dir', 'tf', '--terraform-timeout', '1', '--json'];
    const ran = await planDir('exec sleep 600', { args });
    const error = errorOf(ran);
    expect([ran.code, error.code]).toEqual([1, 'TERRAFORM_TIMEOUT']);
    expect(error.message).toContain('did not end in 1 seconds');
  });

  it('cannot be found: says so', async () => {
    const environment = { PATH: '/nowhere' };
    const error = errorOf(await planDir(works, { environment }));
    expect(error.code).toBe('TERRAFORM_MISSING');
    expect(error.causes[0]).toContain('ENOENT');
    expect(error.hint).toContain('--terraform');
  });

  it('is no program: says so', async () => {
    const args = ['--dir', 'tf', '--terraform', './tf', '--json'];
    expect(errorOf(await planDir(works, { args })).code).toBe('TERRAFORM_MISSING');
  });

  it.each([
    ['is not there', 'nowhere', 'is not there'],
    ['is a file', 'file', 'is not a folder'],
    ['lies under a file', 'file/x', 'is not there'],
  ])('has a folder that %s: says so', async (_, dir, expected) => {
    const args = ['--dir', dir, '--json'];
    const error = errorOf(await planDir(works, { args, files: { file: '' } }));
    expect([error.code, error.message]).toEqual([
      'FILE_UNREADABLE',
      expect.stringContaining(expected),
    ]);
  });
});
