import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { errorOf } from '../support/cli-lab';
import { applySettings } from '../support/apply-world';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { buildHostedMirror, type Mirror } from '../support/provider/mirror';
import { runCli, type CliRun } from '../support/run-cli';
import { folderContents, temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';
import { inWorld, type World } from '../support/world';

/** Plans for the first zone in a folder, and rehearses; what lies below the kept ones stays as it is. */
async function rehearse(
  { lab, zoneIds }: World,
  given: { cwd: string; dir: string; flags?: string[]; environment?: Record<string, string> },
  kept: string[],
): Promise<CliRun> {
  const { cwd, dir, flags = [], environment = {} } = given;
  const options = { cwd, environment: { ...lab.environment, ...environment } };
  const zone = ['--zone', zoneIds[0]!, '--dir', dir];
  const planning = ['plan', ...zone, '--out', 'plan.json', '--force'];
  const planned = await runCli([...planning, ...flags], options);
  // a file of a shared folder is a decision
  expect([0, 2]).toContain(planned.code);
  const before = kept.map(folderContents);
  const run = await runCli(['rehearse', 'plan.json', '--json'], options);
  expect(kept.map(folderContents)).toEqual(before);
  return run;
}

/** The verdict of a rehearsal; where there is none, all that was said. */
const verdictOf = ({ code, stdout, stderr }: CliRun): unknown =>
  code === 0 ? (JSON.parse(stdout) as { verdict: string }).verdict : `${stdout}${stderr}`;

/** Takes the resources of a project into a module, which lies in a folder of the caller's. */
function takeIntoModule({ lab }: World, folder: string, source: string): void {
  mkdirSync(folder, { recursive: true });
  renameSync(join(lab.dir, 'main.tf'), join(folder, 'main.tf'));
  cpSync(join(lab.dir, 'provider.tf'), join(folder, 'versions.tf'));
  const versions = lab.read('provider.tf').replace('provider "cloudflare" {}', '');
  writeFileSync(join(folder, 'versions.tf'), versions);
  lab.write('main.tf', `module "waf" {\n  source = "${source}"\n}\n`);
  const state = JSON.parse(lab.read('terraform.tfstate')) as { resources: object[] };
  state.resources = state.resources.map((one) => ({ module: 'module.waf', ...one }));
  lab.write('terraform.tfstate', state);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The project in a folder `waf` of another one, which holds further files. */
async function inFolder(
  files: Record<string, string>,
  use: (world: World, above: string) => Promise<void>,
): Promise<void> {
  await inWorld(applySettings, async (world) => {
    const above = temporaryFolder();
    const waf = join(above, 'waf');
    cpSync(world.lab.dir, waf, { recursive: true });
    for (const [name, text] of Object.entries(files)) write(join(above, name), text);
    const init = await terraform(waf, ['init'], world.lab.environment);
    expect([init.code, init.stderr]).toEqual([0, '']);
    await use(world, above);
  });
}
const rehearseIn = (world: World, above: string) =>
  rehearse(world, { cwd: join(above, 'waf'), dir: '.' }, [above]);

describe('a rehearsal leaves the originals unchanged', () => {
  it('where a file of the configuration and the folder of a module are links', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      const shared = temporaryFolder();
      takeIntoModule(world, join(shared, 'waf'), './modules/waf');
      symlinkSync(shared, join(lab.dir, 'modules'));
      renameSync(join(lab.dir, 'main.tf'), join(shared, 'call.tf'));
      symlinkSync(join(shared, 'call.tf'), join(lab.dir, 'main.tf'));
      const init = await lab.terraform('init');
      expect([init.code, init.stderr]).toEqual([0, '']);
      const run = await rehearse(world, { cwd: lab.dir, dir: '.' }, [lab.dir, shared]);
      expect(verdictOf(run)).toBe('clean');
    }));

  it('where the folder is a link, its data elsewhere, and a module beside what it leads to', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      const real = join(temporaryFolder(), 'real');
      cpSync(lab.dir, real, { recursive: true });
      write(join(real, '../beside/main.tf'), 'output "beside" {\n  value = true\n}\n');
      write(join(real, 'calls.tf'), 'module "beside" {\n  source = "../beside"\n}\n');
      const environment = { TF_DATA_DIR: temporaryFolder() };
      const init = await terraform(real, ['init'], { ...lab.environment, ...environment });
      expect([init.code, init.stderr]).toEqual([0, '']);
      const cwd = temporaryFolder();
      symlinkSync(real, join(cwd, 'linked'));
      const kept = [cwd, join(real, '..')];
      const run = await rehearse(world, { cwd, dir: 'linked', environment }, kept);
      expect(verdictOf(run)).toBe('clean');
    }));

  it('where a folder holds a socket, and a link to the folder above it', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      symlinkSync('..', join(lab.dir, 'above'));
      const server = createServer().listen(join(lab.dir, 'socket'));
      await once(server, 'listening');
      try {
        const run = await rehearse(world, { cwd: lab.dir, dir: '.' }, []);
        expect(verdictOf(run)).toBe('clean');
      } finally {
        server.close();
      }
    }));
});

describe('a rehearsal in a workspace', () => {
  const inStage = (use: (world: World) => Promise<void>): Promise<void> =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      mkdirSync(join(lab.dir, 'terraform.tfstate.d/stage'), { recursive: true });
      renameSync(
        join(lab.dir, 'terraform.tfstate'),
        join(lab.dir, 'terraform.tfstate.d/stage/terraform.tfstate'),
      );
      await use(world);
    });

  it('that TF_WORKSPACE names is clean', () =>
    inStage(async (world) => {
      const { lab } = world;
      const environment = { TF_WORKSPACE: 'stage' };
      const run = await rehearse(world, { cwd: lab.dir, dir: '.', environment }, [lab.dir]);
      expect(verdictOf(run)).toBe('clean');
    }));

  it('that was selected for one state leaves the other states in theirs', () =>
    inStage(async (world) => {
      const { lab } = world;
      const above = temporaryFolder();
      for (const name of ['one', 'two'])
        cpSync(lab.dir, join(above, name), { recursive: true, verbatimSymlinks: true });
      const staged = join(above, 'one/terraform.tfstate.d/stage/terraform.tfstate');
      const state = readFileSync(staged, 'utf8').replace('5c9b2d9e', '5c9b2d9f');
      write(join(above, 'one/terraform.tfstate'), state);
      rmSync(join(above, 'one/terraform.tfstate.d'), { recursive: true });
      const select = ['workspace', 'select', 'stage'];
      expect((await terraform(join(above, 'two'), select, lab.environment)).code).toBe(0);
      const flags = ['--dir', 'two'];
      const run = await rehearse(world, { cwd: above, dir: 'one', flags }, [above]);
      expect(verdictOf(run)).toBe('clean');
    }));
});

/** A state whose output says where it was. */
const stateOf = (where: string): string =>
  JSON.stringify({
    ...{ version: 4, terraform_version: '1.11.4', serial: 1, lineage: where },
    outputs: { where: { value: where, type: 'string' } },
    resources: [],
  });
const stateRead = (name: string, config: string): string =>
  `data "terraform_remote_state" "${name}" {\n  backend = "local"\n  ${config}\n}\n`;
/** Keeps Terraform from planning where an expression is not true. */
const demand = (name: string, condition: string): string =>
  `module "${name}" {\n  source = "./demands"\n  met    = ${condition}\n}\n`;
const demands = `variable "met" {
  validation {
    condition     = var.met
    error_message = "not met"
  }
}
`;

describe('a rehearsal has what the configuration reads in files', () => {
  it('states and other files: in its folder, beside it, by a pattern, from a module', () =>
    inFolder(
      {
        'waf/demands/main.tf': demands,
        'waf/network.tfstate': stateOf('here'),
        'network/terraform.tfstate': stateOf('beside'),
        'network/terraform.tfstate.d/prod/terraform.tfstate': stateOf('prod'),
        'policies/one.json': '{}',
        'policies/deep/two.json': '{}',
        'waf/reads.tf': [
          stateRead('here', 'config = { path = "network.tfstate" }'),
          stateRead('beside', 'config = { path = "../network/terraform.tfstate" }'),
          stateRead(
            'prod',
            'config = { workspace_dir = "${path.root}/../network/terraform.tfstate.d" }\n  workspace = "prod"',
          ),
          'module "reader" {\n  source = "./modules/reader"\n}\n',
          ...['here', 'beside', 'prod'].map((name) =>
            demand(name, `data.terraform_remote_state.${name}.outputs.where == "${name}"`),
          ),
          'locals {\n  files = fileset(path.module, "../policies/**/*.json")\n}\n',
          demand('pattern', 'length(local.files) == 2'),
          demand(
            'names',
            'alltrue([for one in ["one", "deep/two"] : file("../policies/${one}.json") == "{}"])',
          ),
          demand('there', 'fileexists("../policies/one.json")'),
        ].join(''),
        'waf/more.tf.json': JSON.stringify({
          module: {
            json: {
              source: './demands',
              met: '${file("${path.module}/../policies/one.json") == "{}"}',
            },
          },
        }),
        'waf/modules/reader/main.tf.json': JSON.stringify({
          data: {
            terraform_remote_state: {
              module: { backend: 'local', config: { path: '${path.module}/own.tfstate' } },
            },
          },
        }),
        'waf/modules/reader/own.tfstate': stateOf('module'),
      },
      async (world, above) => {
        expect(verdictOf(await rehearseIn(world, above))).toBe('clean');
      },
    ));

  it.each<[string, Record<string, string>]>([
    [
      'a state whose name only Terraform can tell',
      {
        'waf/reads.tf': `variable "path" {\n  default = "network"\n}\n${stateRead('network', 'config = { path = "${var.path}.tfstate" }')}`,
        'waf/network.tfstate': stateOf('here'),
      },
    ],
    [
      'a file whose name is put together',
      {
        'waf/reads.tf': 'locals {\n  read = file(join("/", ["..", "policies/one.json"]))\n}\n',
        'policies/one.json': '{}',
      },
    ],
  ])('and says that %s is not in the copy', (_name, files) =>
    inFolder(files, async (world, above) => {
      expect(errorOf(await rehearseIn(world, above))).toMatchObject({
        code: 'TERRAFORM_FAILED',
        hint: expect.stringContaining('the copy has only those'),
      });
    }),
  );

  it('and says that the module beside what a link leads to is not in the copy', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      const shared = temporaryFolder();
      takeIntoModule(world, join(shared, 'waf'), './modules/waf');
      write(join(shared, 'sibling/main.tf'), '');
      write(join(shared, 'waf/calls.tf'), 'module "sibling" {\n  source = "../sibling"\n}\n');
      mkdirSync(join(lab.dir, 'modules'));
      symlinkSync(join(shared, 'waf'), join(lab.dir, 'modules/waf'));
      const init = await lab.terraform('init');
      expect([init.code, init.stderr]).toEqual([0, '']);
      const run = await rehearse(world, { cwd: lab.dir, dir: '.' }, [lab.dir, shared]);
      expect(errorOf(run)).toMatchObject({
        code: 'TERRAFORM_FAILED',
        hint: expect.stringContaining('the copy has only those'),
      });
    }));

  it('variables: a file beside it; without it or without values, the error says what to pass', () =>
    inFolder(
      {
        'waf/variables.tf': 'variable "common" {}\n',
        'common.tfvars': 'common = "value"\n',
      },
      async (world, above) => {
        const given = { cwd: join(above, 'waf'), dir: '.' };
        const flags = ['--', '-var-file=../common.tfvars'];
        const run = await rehearse(world, { ...given, flags }, [above]);
        expect(verdictOf(run)).toBe('clean');
        rmSync(join(above, 'common.tfvars'));
        const missing = await runCli(['rehearse', 'plan.json', '--json'], {
          cwd: given.cwd,
          environment: world.lab.environment,
        });
        expect(errorOf(missing)).toMatchObject({
          code: 'TERRAFORM_FAILED',
          message: expect.stringContaining('Failed to read variables file'),
        });
        expect(errorOf(await rehearseIn(world, above))).toMatchObject({
          code: 'PLAN_INVALID',
          message: expect.stringContaining('no value in this folder or its environment: common;'),
          hint: expect.stringContaining('-- -var-file=prod.tfvars'),
        });
      },
    ));
});

it.each([
  ['zzz_override.tf.json', undefined],
  ['~~~_override.tf.json', 'REHEARSAL_IMPOSSIBLE'],
])('a rehearsal writes no state of a backend in %s: %s', (file, code) =>
  inWorld({ ...applySettings, backend: 'http' }, async (world) => {
    const { lab, http, state } = world;
    lab.write(file, http!.config);
    const run = await rehearse(world, { cwd: lab.dir, dir: '.' }, []);
    expect([http!.writes(), http!.locks(), http!.state()]).toEqual([0, 0, state]);
    if (code === undefined) expect(verdictOf(run)).toBe('clean');
    else expect(errorOf(run)).toMatchObject({ code });
  }),
);

describe('a rehearsal that installs the next provider', () => {
  const folder = temporaryFolder();
  let mirror: Mirror;
  beforeAll(async () => {
    mirror = await buildHostedMirror(folder, ['3.35.0', '5.22.0']);
  });
  const installed = { ...applySettings, version: '3.35.0' };

  /** A repository with a module that does nothing. */
  function moduleRepository(): string {
    const repository = temporaryFolder();
    const author = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
    write(join(repository, 'main.tf'), 'output "one" {\n  value = 1\n}\n');
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      [...author, 'commit', '-qm', 'Begin'],
    ])
      execFileSync('git', args, { cwd: repository });
    return repository;
  }

  async function expectUntouched(
    world: InstalledWorld,
    kept: string[],
    flags: string[] = [],
  ): Promise<void> {
    const { lab } = world;
    const { steps } = await world.makePlan('--to', '5', ...flags);
    const at = steps.findIndex(({ kind }) => kind === 'upgrade-provider');
    world.require('>= 3.35.0');
    const before = [lab.dir, ...kept].map(folderContents);
    const rehearsed = await world.cli(['rehearse', 'plan.json', '--json']);
    expect(rehearsed.stderr).not.toContain('"error"');
    const { steps: done } = JSON.parse(rehearsed.stdout) as { steps: { status: string }[] };
    expect(done[at]!.status).toBe('found');
    expect([lab.dir, ...kept].map(folderContents)).toEqual(before);
  }

  it.each(['TF_PLUGIN_CACHE_DIR', 'plugin_cache_dir'])(
    'leaves .terraform, its modules, and the cache of %s unchanged',
    async (name) => {
      const [cache, config] = [temporaryFolder(), join(temporaryFolder(), 'terraform.rc')];
      cpSync(mirror.env['TF_CLI_CONFIG_FILE']!, config);
      if (name === 'plugin_cache_dir') appendFileSync(config, `${name} = "${cache}"\n`);
      const own = name === 'plugin_cache_dir' ? {} : { [name]: cache };
      const env = { ...mirror.env, ...own, TF_CLI_CONFIG_FILE: config };
      await inInstalledWorld({ env }, installed, async (world) => {
        expect(Object.keys(folderContents(cache)).join()).toContain('/3.35.0/');
        const source = `git::file://${moduleRepository()}`;
        world.lab.write('calls.tf', `module "one" {\n  source = "${source}"\n}\n`);
        expect((await world.run('init')).code).toBe(0);
        await expectUntouched(world, [cache, folder]);
      });
    },
  );

  it('passes no -backend-config to the backend of the copy', () =>
    inInstalledWorld(mirror, { ...installed, backend: 'http' }, async (world) => {
      const { lab, run, http } = world;
      const { terraform } = http!.config as { terraform: { backend: { http: object } } };
      const given = Object.entries(terraform.backend.http).map(
        ([name, value]) => `-backend-config=${name}=${value}`,
      );
      lab.write('backend.tf.json', { terraform: { backend: { http: {} } } });
      expect((await run('init', '-reconfigure', ...given)).code).toBe(0);
      await expectUntouched(world, [], ['--', ...given]);
      expect(http!.writes()).toBe(0);
    }));
});
