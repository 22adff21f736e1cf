import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { backupFile } from '../../src/files/backups';
import { parsePlan } from '../../src/plan/parse-saved-plan';
import { type Plan } from '../../src/plan/plan-schema';
import { RULESET, ZONE, statesFolder } from '../plan/support/plans';
import { fakeTerraform } from '../support/fake-terraform';
import { nextCommands } from '../support/next-commands';
import { runCli, type CliRun } from '../support/run-cli';
import { temporaryFolder, writeInto } from '../support/temporary-folder';
import { cliWithEmulator, errorOf, jsonOf } from '../support/cli-lab';
import { ENTERPRISE, MIGRATED, NOT_ELIGIBLE, PRO } from '../support/zones';
import { planDir, tainted, works } from './support/plan-dir';
import { resourceOf, stateOf, terraformOf } from './support/states';

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

  it('refuses a module without a state, and names the folder that calls it', async () => {
    const terraform = `case "$*" in 'workspace show') echo default ;; esac`;
    const call = 'module "waf" {\n  source = "./tf"\n}\n';
    const ran = await planDir(terraform, { files: { 'main.tf': call, 'tf/main.tf': '' } });
    expect([ran.code, errorOf(ran)]).toEqual([
      1,
      expect.objectContaining({
        code: 'STATE_INVALID',
        message: 'tf has no state: . calls it as a module',
        hint: 'plan the root module:\ncf-waf-migrate plan --dir .',
      }),
    ]);
  });

  it.each([
    ['is refused if it is only in the working directory', { 'prod.tfvars': '' }],
    ['is accepted if it is in the folder', { 'prod.tfvars': '', 'tf/prod.tfvars': '' }],
    ['is accepted if it is nowhere, because the pipeline can have it', {}],
  ])('a file of variables %s', async (name, files) => {
    const args = ['--dir', 'tf', '--json', '--', '-var-file=prod.tfvars'];
    const ran = await planDir(works, { args, files: { 'tf/main.tf': '', ...files } });
    const refused = {
      code: 'FILE_UNREADABLE',
      message: 'Terraform runs in tf, and prod.tfvars is not there',
      hint: 'pass its path from there: -var-file=../prod.tfvars',
    };
    if (name.includes('refused')) expect(errorOf(ran)).toMatchObject(refused);
    else expect(planIn(ran).steps.length).toBeGreaterThan(0);
  });

  it('a file of variables is refused if only another folder of the plan has it', async () => {
    const args = ['--dir', 'dev', '--dir', 'prod', '--json', '--', '-var-file=dev.tfvars'];
    const files = { 'dev/main.tf': '', 'prod/main.tf': '', 'dev/dev.tfvars': '' };
    expect(errorOf(await planDir(works, { args, files }))).toMatchObject({
      message: 'Terraform runs in prod, and dev.tfvars is not there',
      hint: 'pass its absolute path if all folders have these values; otherwise give each folder a file of this name',
    });
  });

  it('is rehearsed only where Terraform is initialised, as apply needs it', async () => {
    const validate = `[ "$*" = validate ] && echo 'Error: run terraform init' >&2 && exit 1`;
    const { cwd, fake } = await planDir(`${validate}; ${works}`, {
      args: ['--dir', 'tf', '--from', '3', '--out', 'plan.json'],
      files: { 'tf/main.tf': '' },
    });
    const environment = { PATH: fake.searchPath, TF_WORKSPACE: 'prod' };
    const ran = await runCli(['rehearse', 'plan.json', '--json'], { cwd, environment });
    expect([ran.code, errorOf(ran).hint]).toEqual([
      1,
      expect.stringContaining('run `terraform init` in that folder'),
    ]);
  });

  it('of a state file says which provider it assumes, and where to plan for apply', async () => {
    const line = ['plan', '--state', tainted, '--zone', ZONE, '--ruleset-id', RULESET];
    const { stdout } = await runCli(line);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'provider 3.35.0 Order chosen because the installed provider is unknown, and assumed to be 3.35.0 (pass --from',
    );
    const next = `plan --dir <folder> --zone ${ZONE} --ruleset-id ${RULESET} --out plan.json`;
    expect(stdout.endsWith(`\n\nNext:\n  cf-waf-migrate ${next}\n`)).toBe(true);
    const blocks = await runCli([...line, '--method', 'blocks', '--json']);
    expect(errorOf(blocks)).toMatchObject({
      message: expect.stringContaining('the installed provider is unknown: pass --from'),
      hint: 'add this option, or omit --method',
    });
  });

  it('takes the installed provider from its lock file', async () => {
    const lock =
      'provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "4.52.8"\n}\n';
    const ran = await planDir(works, { files: { 'tf/.terraform.lock.hcl': lock } });
    expect(planIn(ran).states[0]!.provider.from).toBe('4.52.8');
  });

  it.each([
    ['~> 3.30, < 3.35', [], true],
    ['~> 3.35', [], false],
    ['>= 3.30, < 3.35, < 5', ['--to', '4'], false],
  ])(
    'refuses a lock file whose version the constraint %s excludes, unless an upgrade follows (%j)',
    async (version, args, isRefused) => {
      const lock =
        'provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "3.35.0"\n}\n';
      const required = { cloudflare: { source: 'cloudflare/cloudflare', version } };
      const ran = await planDir(works, {
        args: ['--dir', 'tf', '--json', ...args],
        files: {
          'tf/.terraform.lock.hcl': lock,
          'tf/a.tf.json': JSON.stringify({ terraform: { required_providers: required } }),
        },
      });
      const refused = planIn(ran).findings.find(({ code }) => code === 'PROVIDER_NOT_INSTALLED');
      expect(refused).toEqual(
        isRefused
          ? expect.objectContaining({
              severity: 'blocker',
              message: expect.stringContaining(`${version}, but the lock file selects 3.35.0`),
              remedy: expect.stringContaining('`terraform init -upgrade`'),
            })
          : undefined,
      );
    },
  );

  it.each([
    ['~> 5.19', '5'],
    ['>= 5.19, < 6', '5'],
    ['>= 3.35', '3'],
  ])(
    'without state and lock file, takes the provider of the constraint %s',
    async (constraint, major) => {
      const none = 'case "$*" in \'workspace show\'*) echo default ;; esac';
      const required = `terraform {\n  required_providers {\n    cloudflare = {\n      source  = "cloudflare/cloudflare"\n      version = "${constraint}"\n    }\n  }\n}\n`;
      const declared = `resource "cloudflare_ruleset" "waf" {\n  zone_id = "${ZONE}"\n  kind    = "zone"\n  name    = "default"\n  phase   = "http_request_firewall_managed"\n}\n`;
      const ran = await planDir(none, { files: { 'tf/main.tf': `${required}${declared}` } });
      expect(planIn(ran).states[0]!.provider.from).toMatch(new RegExp(`^${major}\\.`));
    },
  );

  it.each([
    ['{}', 'cdktf.out'],
    ['{"output":"build/tf"}', 'build/tf'],
  ])(
    'finds the stacks of a CDKTF project that is %s, and leaves out what has nothing of the WAF',
    async (manifest, output) => {
      const other = JSON.stringify(stateOf());
      const pulls = `case "$*$PWD" in 'state pull'*portal) cat '${tainted}' ;; 'state pull'*) echo '${other}' ;; 'workspace show'*) echo default ;; esac`;
      const files = Object.fromEntries(
        ['other', 'portal'].map((name) => [`${output}/stacks/${name}/cdk.tf.json`, '{}']),
      );
      const args = ['--json'];
      const ran = await planDir(pulls, { args, files: { ...files, 'cdktf.json': manifest } });
      expect(planIn(ran).states).toMatchObject([{ dir: `${output}/stacks/portal` }]);
    },
  );

  it('leaves out a folder of an earlier stack, which the manifest of CDKTF does not list', async () => {
    const stack = { name: 'portal', workingDirectory: 'stacks/portal' };
    const ran = await planDir(works, {
      args: ['--json'],
      files: {
        'cdktf.json': '{}',
        'cdktf.out/manifest.json': JSON.stringify({ stacks: { portal: stack } }),
        'cdktf.out/stacks/portal/cdk.tf.json': '{}',
        'cdktf.out/stacks/earlier/cdk.tf.json': '{}',
      },
    });
    expect(planIn(ran).states).toMatchObject([{ dir: 'cdktf.out/stacks/portal' }]);
  });

  it.each(['shop_example_com.tf.json', 'main.tf', 'terraform.tfstate'])(
    'finds the stacks of a CDKTF project whose folder has %s',
    async (name) => {
      const pulls = `case "$*$PWD" in 'state pull'*portal) cat '${tainted}' ;; 'workspace show'*) echo default ;; esac`;
      const files = { 'cdktf.json': '{}', 'cdktf.out/stacks/portal/cdk.tf.json': '{}' };
      const ran = await planDir(pulls, { args: ['--json'], files: { ...files, [name]: '{}' } });
      expect(planIn(ran).states).toMatchObject([{ dir: 'cdktf.out/stacks/portal' }]);
    },
  );

  it('imports a ruleset beside the legacy resources of its zone, not into the stack of another zone', async () => {
    const docs = 'd'.repeat(32);
    const attributes = { id: docs, zone_id: docs, phase: 'http_request_firewall_managed' };
    const cwd = temporaryFolder({
      'cdktf.json': '{}',
      'docs.json': JSON.stringify(stateOf(resourceOf('cloudflare_ruleset', 'waf', attributes))),
      'cdktf.out/stacks/docs/cdk.tf.json': '{}',
      'cdktf.out/stacks/shop/cdk.tf.json': '{}',
    });
    const pulls = `case "$*$PWD" in 'state pull'*docs) cat '${cwd}/docs.json' ;; 'state pull'*) cat '${tainted}' ;; 'workspace show'*) echo default ;; esac`;
    const { searchPath } = fakeTerraform(cwd, pulls);
    const ids = ['--ruleset-id', `${ZONE}=${RULESET}`, `${docs}=${docs}`];
    const ran = await runCli(['plan', '--zone', ZONE, '--zone', docs, ...ids, '--json'], {
      cwd,
      environment: { PATH: searchPath },
    });
    expect(planIn(ran).zones.map(({ zoneId, ruleset }) => [zoneId, ruleset.state])).toEqual([
      [ZONE, 'cdktf-out-stacks-shop'],
      [docs, 'cdktf-out-stacks-docs'],
    ]);
    // the other stack is concerned only if the bindings change, which all stacks share
    for (const [to, count] of [
      [[], 1],
      [['--to', '5.22.0'], 2],
    ] as const) {
      const line = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, '--json', ...to];
      const one = await runCli(line, { cwd, environment: { PATH: searchPath } });
      expect(planIn(one).states).toHaveLength(count);
    }
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

  it('plans a link as the folder that it leads to, where Terraform looks for modules', async () => {
    const folder = temporaryFolder({
      'real/tf/main.tf': 'module "old" {\n  source = "../old"\n}\n',
      'real/old/main.tf': 'resource "cloudflare_waf_rule" "r" {}\n',
    });
    symlinkSync('real/tf', join(folder, 'link'));
    const { states, steps } = planIn(
      await planDir(works, { args: ['--dir', join(folder, 'link'), '--json'] }),
    );
    expect(states[0]!.dir).toMatch(/\/real\/tf$/);
    expect(JSON.stringify(steps)).toContain('/real/old/main.tf');
  });

  it('refuses to edit a link to a file of another kind, as apply does', async () => {
    const folder = temporaryFolder({ 'real.txt': 'resource "cloudflare_waf_rule" "r" {}\n' });
    symlinkSync('real.txt', join(folder, 'main.tf'));
    const { code, stderr } = await planDir(works, { args: ['--dir', folder] });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: \S*main\.tf is a link to \S*real\.txt, whose name .* \(CONFIG_EDIT_REFUSED\)$/m,
    );
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
    ...{
      TF_CLI_ARGS: '-bogus',
      TF_CLI_ARGS_state_pull: '-bogus',
      TF_LOG: 'TRACE',
      TF_INPUT: '1',
    },
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
        'TF_CLI_ARGS, TF_CLI_ARGS_state_pull, TF_INPUT, TF_LOG are ignored: ',
        'pass flags for Terraform after --, and see its output with --verbose\n',
      ].join(''),
    );
    const quiet = await planDir(dump, { environment, args: ['--dir', 'tf', '--quiet'] });
    expect(quiet.stderr).toBe('');
  });

  it.each(['apply', 'rehearse'])('is named once by %s, which plans first', async (command) => {
    const cwd = temporaryFolder({ 'main.tf': '' });
    const { PATH = '' } = process.env;
    const { stderr } = await runCli(command, { cwd, environment: { ...environment, PATH } });
    expect(stderr.match(/are ignored/g)).toHaveLength(1);
  });
});

describe('a Terraform that fails', () => {
  const secret = 'geheim-0123456789';
  const box = (text: string): string =>
    `printf '\\033[31m╷\\033[0m\\n│ \\033[1mError: \\033[0m${text}\\n│\\n│ More of it.\\n╵\\n' >&2; exit 1`;

  it.each([
    ['fails', box('Backend initialization required'), 'TERRAFORM_FAILED'],
    ['fails without a word', 'exit 3', 'TERRAFORM_FAILED'],
    ['is killed', 'kill -9 $$', 'TERRAFORM_FAILED'],
    ['prints nothing', 'exit 0', 'STATE_INVALID'],
    ['prints half a state', `head -c 500 '${tainted}'`, 'STATE_INVALID'],
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

  it.each([
    ['Required plugins are not installed', 'terraform init'],
    ['Inconsistent dependency lock file', 'terraform init'],
    ['locked version selection 5.14.0 does not match', 'terraform init -upgrade'],
    ['5.14.0 does not match configured version constraint', 'terraform init -upgrade'],
  ])('where Terraform says %s, says to run %s', async (text, command) => {
    const ran = await planDir(`mkdir -p .terraform; ${box(text)}`);
    expect(errorOf(ran).hint).toContain(`run \`${command}\` in`);
  });

  it('says no secret of the environment', async () => {
    const environment = {
      CLOUDFLARE_API_TOKEN: secret,
      AWS_SECRET_ACCESS_KEY: `${secret}-longer`,
    };
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
    const environment = { PATH: temporaryFolder() };
    const error = errorOf(await planDir(works, { environment }));
    expect(error.code).toBe('TERRAFORM_MISSING');
    expect(error.causes[0]).toContain('ENOENT');
    expect(error.hint).toContain('--terraform');
  });

  it.each([
    ['is not there', 'nowhere', 'does not exist'],
    ['is a file', 'file', 'is not a folder'],
    ['lies under a file', 'file/x', 'does not exist'],
  ])('has a folder that %s: says so', async (_, dir, expected) => {
    const args = ['--dir', dir, '--json'];
    const error = errorOf(await planDir(works, { args, files: { file: '' } }));
    expect([error.code, error.message]).toEqual([
      'FILE_UNREADABLE',
      expect.stringContaining(expected),
    ]);
  });
});

describe('plan terragrunt', () => {
  const unit = (source: string): string => `terraform {\n  source = ${source}\n}\n`;
  const block = 'resource "cloudflare_waf_rule" "r" {}\n';

  /** A plan of a folder among these files, and its error. */
  async function planOf(dir: string, files: Record<string, string>) {
    const ran = await planDir('printf {}', { args: ['--dir', dir, '--json'], files });
    return { ...ran, error: errorOf(ran) };
  }

  const CACHE = 'live/waf/.terragrunt-cache/hash/hash/waf';

  it('refuses to edit in a Terragrunt cache, and names the file of its source', async () => {
    const files = { [`${CACHE}/main.tf`]: block, 'live/waf/terragrunt.hcl': unit('"../m//waf"') };
    const { cwd, code, error } = await planOf(CACHE, files);
    expect([code, error.code]).toEqual([1, 'CONFIG_EDIT_REFUSED']);
    expect(error.message).toContain('is a Terragrunt unit or its cache');
    expect(error.hint).toContain(
      `edit the source that ${join(cwd, 'live/waf')}/terragrunt.hcl names;`,
    );
  });

  it('refuses a Terragrunt unit without configuration, with the way to plan its state', async () => {
    const { error } = await planOf('live', { 'live/terragrunt.hcl': unit('"../waf"') });
    expect(error.message).toContain('live is a Terragrunt unit or its cache');
    expect(error.hint).toContain('terragrunt state pull > state.json');
  });

  it('plans a Terragrunt unit that holds its configuration as any folder', async () => {
    const files = { 'live/terragrunt.hcl': 'inputs = {}\n', 'live/main.tf': block };
    const { error } = await planOf('live', files);
    expect(error.code).not.toBe('CONFIG_EDIT_REFUSED');
  });
});

describe('plan binary', () => {
  /** The script of a plan for the folder `tf`; the fake Terraform lies in `fake-bin`. */
  async function scriptOf(terraform: string, out: string): Promise<string> {
    const args = ['--dir', 'tf', '--terraform', terraform, '--format', 'sh', '--out', out];
    const ran = await planDir(works, { args });
    expect(ran.stderr).toBe(`wrote ${out}\n`);
    expect(JSON.parse(readFileSync(join(ran.cwd, out), 'utf8'))).toHaveProperty('steps');
    return ran.stdout;
  }

  it('plan --format sh names the path of a binary, which may run elsewhere, and leaves a name for PATH', async () => {
    expect(await scriptOf('fake-bin/terraform', 'plans/plan.json')).toMatch(
      / \/\S+\/fake-bin\/terraform -chdir=\.\.\/tf /,
    );
    expect(await scriptOf('terraform', 'plans/plan.json')).toContain(' terraform -chdir=../tf ');
  });
});

describe('plan, to a provider version', () => {
  const zone = ['--zone', ZONE, '--ruleset-id', RULESET];
  const plan = (name: string, ...flags: string[]) =>
    runCli(['plan', '--state', join(statesFolder, name), '--json', ...flags]);

  it.each(['5.0', '5.9.0', '5.19.0', '5.21.1'])('%s is refused, with the reason', async (to) => {
    const ran = await plan('old-waf-3.35.tfstate', ...zone, '--from', '3.35.0', '--to', to);
    expect([ran.code, ran.stdout]).toEqual([64, '']);
    const { code, message, hint } = errorOf(ran);
    expect([code, hint]).toEqual(['USAGE', 'pass --to 5.22 or a later version']);
    expect(message).toContain(`provider ${to}`);
    expect(message).toContain('cannot read every state that provider 4 wrote');
  });

  it.each([
    ['3.35.0', '4.52.8'],
    ['3.35.0', '5.22'],
    ['5.19.0', undefined],
    ['4.52.9', '5.28.0'],
  ])('from %s to %s works', async (from, to) => {
    const flags = to === undefined ? [] : ['--to', to];
    const { stdout } = await plan('old-waf-3.35.tfstate', ...zone, '--from', from, ...flags);
    expect(JSON.parse(stdout).steps.length).toBeGreaterThan(1);
  });
});

/** A Terraform folder whose state has legacy resources of the zone. */
function terraformFolder() {
  const cwd = temporaryFolder();
  const { searchPath } = terraformOf(cwd, tainted);
  writeFileSync(join(cwd, 'main.tf'), '');
  return { cwd, environment: { PATH: searchPath } };
}

describe('a Terraform folder', () => {
  it('is what report and generate read without a flag', async () => {
    const report = await runCli(['report', '--json'], terraformFolder());
    expect(JSON.parse(report.stdout).zoneId).toBe(ZONE);
    const args = 'generate --source state --format hcl --provider 4 --json'.split(' ');
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
    ['verify --tfplan p.json', ':\ncf-waf-migrate verify <plan> --tfplan p.json'],
    ['rollback', 'pass the journal'],
  ])('without a run of apply has nothing to %s', async (line, hint) => {
    const ran = await runCli([...line.split(' '), '--yes', '--json'], terraformFolder());
    expect(errorOf(ran)).toMatchObject({
      code: 'JOURNAL_INVALID',
      message: 'no run of `apply` in this folder',
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
      const synth = async () => errorOf(await runCli([name, '--json'], { cwd })).hint;
      expect(await synth()).toMatch(/\nnpx cdktf synth$/);
      writeFileSync(join(cwd, 'package.json'), '{"scripts":{"synth":"tsx main.ts"}}');
      expect(await synth()).toMatch(/\nnpm run synth$/);
    },
  );
});

it.each(['status', 'plan', 'report'])(
  'of a CDKTF project, --dir of %s says how to name its stacks',
  async (name) => {
    const cwd = temporaryFolder();
    const hint = async () => errorOf(await runCli([name, '--dir', 'edge', '--json'], { cwd })).hint;
    writeInto(cwd, { 'edge/cdktf.json': '{"output":"build"}' });
    expect(await hint()).toBe(
      'synthesise it there with `npx cdktf synth`, then pass its stacks: --dir edge/build/stacks/<stack>',
    );
  },
);

describe('a stack of a CDKTF project that is not synthesised', () => {
  const cli = cliWithEmulator();
  const ruleset = (zone_id: string) => ({
    ...{ zone_id, kind: 'zone', name: 'default', phase: 'http_request_firewall_managed' },
  });
  const stackOf = (zone: string): string =>
    JSON.stringify({ resource: { cloudflare_ruleset: { managed_rules: ruleset(zone) } } });
  const SHOP = 'cdktf.out/stacks/shop/cdk.tf.json';
  const FRESH = 'cdktf.out/stacks/fresh/cdk.tf.json';
  const imported = resourceOf('cloudflare_ruleset', 'managed_rules', {
    ...{ ...ruleset(ENTERPRISE), id: RULESET },
  });

  it('is refused, and after the synthesis it gets the import', async () => {
    cli.write({
      'cdktf.json': '{"language":"typescript"}',
      'package.json': '{"scripts":{"synth":"tsx main.ts"}}',
      [SHOP]: stackOf(ENTERPRISE),
      'shop.json': JSON.stringify(stateOf(imported)),
      'zones.csv': `id,dir\n${MIGRATED},cdktf.out/stacks/shop\n`,
    });
    expect((await cli.run(`generate --zone ${MIGRATED} --provider 5`)).code).toBe(0);
    const pulls = `case "$*$PWD" in 'state pull'*shop) cat '${cli.cwd()}/shop.json' ;; 'workspace show'*) echo default ;; esac`;
    const environment = { PATH: fakeTerraform(cli.cwd(), pulls).searchPath };
    const plan = ['plan', '--zone', MIGRATED, '--json'];
    const many = ['plan', '--zones', 'zones.csv', '--out', 'plans', '--json'];
    const refused = [
      errorOf(await cli.run(plan, { environment })),
      jsonOf(await cli.run(many, { environment })).zones[0].error,
    ];
    const problem = `docs_example_com.ts declares the entry point of zone ${MIGRATED}, and no planned stack has it`;
    const messages = [problem, `the folder cdktf.out/stacks/shop is not planned: ${problem}`];
    for (const [at, error] of refused.entries()) {
      expect(error).toMatchObject({
        code: 'ENTRY_POINT_DECLARED',
        message: messages[at],
        hint: expect.stringMatching(
          /^delete \S+\.ts if nothing uses it; otherwise check that the program has new DocsExampleComWafStack\(…\), synthesise the project, .*\nnpm run synth$/,
        ),
      });
    }
    cli.write({ [FRESH]: stackOf(MIGRATED) });
    const { document } = await cli.json(plan.slice(0, -1), { environment });
    expect(document.zones).toMatchObject([{ ruleset: { state: 'cdktf-out-stacks-fresh' } }]);
  });

  it('is planned in the folder of the project: a synthesis can delete plans and backups', async () => {
    cli.write({ 'cdktf.json': '{}', [SHOP]: '{}' });
    const cwd = join(cli.cwd(), 'cdktf.out/stacks/shop');
    for (const command of ['plan --out plan.json', 'apply --yes']) {
      const { code, stderr } = await cli.run(command, { cwd });
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /\(PROJECT_UNSUITABLE\)\n *hint: plan in .*\n *cd \.\.\/\.\.\/\.\.\n/,
        ),
      ]);
    }
    const above = await cli.run(
      'plan --dir cdktf.out/stacks/shop --out cdktf.out/stacks/shop/p.json',
    );
    expect(above.stderr).toContain('hint: pass --out with a file in the folder of the project\n');
  });

  it('is a decision of status once two stacks declare the ruleset', async () => {
    cli.write({
      'cdktf.json': '{"language":"typescript"}',
      [SHOP]: stackOf(ENTERPRISE),
      [FRESH]: stackOf(ENTERPRISE),
    });
    const environment = { PATH: fakeTerraform(cli.cwd(), '').searchPath };
    const { document } = await cli.json('status', { environment });
    expect(document.findings).toContainEqual(
      expect.objectContaining({
        code: 'ENTRY_POINT_DECLARED_TWICE',
        message: expect.stringMatching(/stacks\/fresh, .*stacks\/shop$/),
        remedy: expect.stringMatching(/^keep the one that is imported/),
      }),
    );
  });
});

describe('a zone that the only state does not have', () => {
  const cli = cliWithEmulator();

  it('is imported there if the user names the folder, also beside zones that are not migrated', async () => {
    const held = resourceOf('cloudflare_waf_rule', 'r', { id: '100000', zone_id: ENTERPRISE });
    const block = `resource "cloudflare_waf_rule" "r" {\n  zone_id = "${ENTERPRISE}"\n}\n`;
    cli.write({ 'main.tf': block, 'state.json': JSON.stringify(stateOf(held)) });
    const pulls = `case "$*" in 'state pull') cat '${cli.cwd()}/state.json' ;; 'workspace show') echo default ;; esac`;
    const environment = { PATH: fakeTerraform(temporaryFolder(), pulls).searchPath };
    const line = `plan --zone ${MIGRATED} --from 3.35.0`;
    const found = await cli.run(line, { environment });
    expect(found.stdout).toContain(`:\n      cf-waf-migrate plan --zone ${MIGRATED} --dir .\n`);
    expect(nextCommands(found.stdout)).toEqual([]);
    const elsewhere = await cli.run(`${line} --out plans/plan.json`, { environment });
    expect(elsewhere.stdout).toContain(`:\n      cf-waf-migrate plan --zone ${MIGRATED} --dir .\n`);
    const { document } = await cli.json(`${line} --dir .`, { environment });
    expect(document.zones).toMatchObject([{ zoneId: MIGRATED }]);
    expect(document.findings).toMatchObject([
      { code: 'LEGACY_RESOURCES_GONE', message: 'the plan imports the ruleset into it' },
    ]);
  });
});

describe('an upgrade of a CDKTF program', () => {
  const cli = cliWithEmulator();
  const requiring = (version: string, resource: object): string =>
    JSON.stringify({
      terraform: {
        required_providers: { cloudflare: { source: 'cloudflare/cloudflare', version } },
      },
      resource,
    });
  const lock = (version: string): string =>
    `provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "${version}"\n}\n`;
  const attributes = { zone_id: MIGRATED, kind: 'zone', phase: 'http_request_firewall_managed' };
  const rules = [{ action_parameters: {} }];
  const declared = { cloudflare_ruleset: { managed_rules: { ...attributes, rules } } };
  const written = { ...attributes, id: RULESET, rules };
  const imported = resourceOf('cloudflare_ruleset', 'managed_rules', written, {
    schema_version: 500,
  });
  const legacy = resourceOf('cloudflare_waf_rule', 'r', { id: '1', zone_id: MIGRATED });
  const zone = resourceOf('cloudflare_zone', 'zone', { id: MIGRATED });
  const DNS = 'cdktf.out/stacks/dns';
  const WAF = 'cdktf.out/stacks/waf';

  const custom = resourceOf(
    ...(['cloudflare_ruleset', 'custom'] as const),
    {
      ...{ zone_id: MIGRATED, id: 'c'.repeat(32), phase: 'http_request_firewall_custom' },
      rules: [{ action_parameters: [] }],
    },
    { schema_version: 1 },
  );

  const parts = { terraform_version: '1.11.4', planned_values: {}, configuration: {} };
  const empty = { format_version: '1.2', ...parts };

  /** A program whose stack `dns` has no resources of the managed WAF, and by default is of provider 3. */
  function program(version: string, state: object, installed: string, dns = zone, old = '3.35.0') {
    cli.write({
      'cdktf.json': '{"language":"typescript"}',
      [`${DNS}/cdk.tf.json`]: requiring(version, {}),
      [`${DNS}/.terraform.lock.hcl`]: lock(old),
      [`${WAF}/cdk.tf.json`]: requiring(version, declared),
      [`${WAF}/.terraform.lock.hcl`]: lock(installed),
      'cdktf.out/stacks/other/cdk.tf.json': '{}',
      'dns.json': JSON.stringify(stateOf(dns)),
      'waf.json': JSON.stringify(stateOf(state)),
      'planned.json': JSON.stringify(empty),
    });
    const script = `case "$*" in
      'state pull') cat "${cli.cwd()}/\${PWD##*/}.json" 2> /dev/null || true ;;
      'workspace show') echo default ;;
      show*) cat "${cli.cwd()}/planned.json" ;;
      init*) printf 'provider "registry.terraform.io/cloudflare/cloudflare" {\\n  version = "5.22.0"\\n}\\n' > .terraform.lock.hcl ;;
    esac`;
    return { PATH: fakeTerraform(cli.cwd(), script).searchPath };
  }

  it('also upgrades the stacks without WAF resources, after all removals', async () => {
    const environment = program('3.35.0', legacy, '3.35.0');
    const line = `plan --to 5.22.0 --ruleset-id ${RULESET} --zone ${MIGRATED}`;
    const plan: Plan = (await cli.json(line, { environment })).document;
    expect(parsePlan(plan)).toEqual(plan);
    expect(plan.states.map(({ dir }) => dir)).toEqual([DNS, WAF]);
    const { why } = plan.steps.at(-2)!;
    expect(why).toContain('2. With bindings from npm, run `npm install cdktf@0.21 ');
    expect(why).toContain('keep their names with overrideLogicalId');
    const last = plan.steps.slice(-2).map(({ kind, state }) => `${kind} ${state}`);
    expect(last).toEqual(
      ['upgrade-provider', 'check'].map((kind) => `${kind} cdktf-out-stacks-dns`),
    );
    expect(plan.findings.map(({ code }) => code)).not.toContain('NO_LEGACY_RESOURCES');
  });

  const again = ['backup', 'remove-dry-run', 'remove', 'upgrade-provider', 'import', 'check'];
  const kindsIn = ({ steps }: Plan): string[] =>
    steps.flatMap(({ kind, state }) => (state === 'cdktf-out-stacks-dns' ? [kind] : []));

  it.each([
    ['legacy resources', legacy, '3.35.0'],
    ['the imported ruleset', imported, '5.22.0'],
  ])('imports the other rulesets of a stack again, beside one with %s', async (_, waf, old) => {
    const environment = program('5.22.0', waf, old, custom);
    const line = `plan --to 5.22.0 --ruleset-id ${RULESET} --zone ${MIGRATED}`;
    const plan: Plan = (await cli.json(line, { environment })).document;
    expect(parsePlan(plan)).toEqual(plan);
    expect(kindsIn(plan)).toEqual(again);
    expect(plan.steps.slice(-again.length).map(({ kind }) => kind)).toEqual(again);
    expect(plan.steps.at(-2)!.importId).toBe(`zones/${MIGRATED}/${'c'.repeat(32)}`);
  });

  it('leaves the rulesets of another stack in its state if the provider can read them', async () => {
    const environment = program('4.52.8', legacy, '3.35.0', custom);
    const line = `plan --to 4.52.8 --ruleset-id ${RULESET} --zone ${MIGRATED}`;
    const plan: Plan = (await cli.json(line, { environment })).document;
    expect(kindsIn(plan)).toEqual(['upgrade-provider', 'check']);
  });

  it('made by hand leaves rulesets to import again, alone or with the program', async () => {
    const environment = program('5.22.0', imported, '5.22.0', custom, '5.22.0');
    const status = await cli.offline('status', { environment });
    expect(nextCommands(status.stdout)).toEqual(['cf-waf-migrate plan']);
    for (const line of ['plan --json', `plan --dir ${DNS} --json`]) {
      const plan: Plan = JSON.parse((await cli.offline(line, { environment })).stdout);
      expect(kindsIn(plan)).toEqual(again.filter((kind) => kind !== 'upgrade-provider'));
    }
  });

  it('upgrades every stack, also those without a zone of the plan', async () => {
    const environment = program('5.22.0', imported, '5.22.0');
    const planned = await cli.offline('plan --to 5 --out plan.json', { environment });
    expect([planned.code, planned.stdout]).toEqual([
      0,
      expect.stringContaining(`terraform -chdir=${DNS} init -upgrade`),
    ]);
    // as if the new version of cdktf gave the resource another address
    const change = { address: 'cloudflare_zone.dns_zone', change: { actions: ['delete'] } };
    cli.write({ 'planned.json': JSON.stringify({ ...empty, resource_changes: [change] }) });
    const stopped = await cli.offline('apply plan.json --yes', { environment });
    expect([stopped.code, stopped.stderr]).toEqual([
      1,
      expect.stringContaining('cloudflare_zone.dns_zone (delete)'),
    ]);
    // as if the program still had what the new provider refuses
    rmSync(join(cli.cwd(), 'planned.json'));
    const failed = await cli.offline('apply plan.json --yes', { environment });
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringMatching(
        /check in the plan that all of step \d+ and the remedies of its decisions/,
      ),
    ]);
    cli.write({ 'planned.json': JSON.stringify(empty) });
    const applied = await cli.offline('apply plan.json --yes', { environment });
    expect([applied.code, applied.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    expect((await cli.offline('verify plan.json', { environment })).code).toBe(0);
    const after = await cli.offline('status', { environment });
    expect([after.stdout, nextCommands(after.stdout)]).toEqual([
      expect.stringContaining('1 zone: nothing is left to do'),
      [],
    ]);
    expect((await cli.offline('rollback --yes', { environment })).stdout).toContain(DNS);
  });

  it('comes before anything else, where the synthesised stacks require the later provider', async () => {
    const environment = program('5.22.0', legacy, '3.35.0');
    const { stdout } = await cli.offline('status', { environment });
    expect(nextCommands(stdout)).toEqual(['cf-waf-migrate plan']);
    const line = `plan --ruleset-id ${RULESET} --zone ${MIGRATED} --json`;
    const { findings }: Plan = JSON.parse((await cli.offline(line, { environment })).stdout);
    expect(findings.find(({ code }) => code === 'PROVIDER_NOT_INSTALLED')?.remedy).toBe(
      'restore the constraint, or plan the upgrade:\ncf-waf-migrate plan --to 5.22.0',
    );
  });
});

describe('--zone', () => {
  const cli = cliWithEmulator();
  const nameOf = async (zone: string): Promise<string> => {
    const { document } = await cli.json(`status --zone ${zone}`);
    return document.zones[0].name;
  };

  it('takes ids and names in any case', async () => {
    const name = await nameOf(ENTERPRISE);
    const expected = await cli.json(`status --zone ${ENTERPRISE}`);
    for (const zone of [ENTERPRISE.toUpperCase(), name, name.toUpperCase()]) {
      expect((await cli.json(`status --zone ${zone}`)).document).toEqual(expected.document);
    }
  });

  it('can be repeated: the zones are a run over many', async () => {
    const zones = ['--zone', ENTERPRISE, '--zone', PRO, NOT_ELIGIBLE];
    const { document } = await cli.json(['check', ...zones], { cwd: temporaryFolder() });
    expect(document.summary).toMatchObject({ zones: 3, done: 2, attention: 1 });
  });
});
