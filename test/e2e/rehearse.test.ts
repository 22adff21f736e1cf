import {
  appendFileSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errorOf } from '../support/cli-lab';
import { applySettings } from '../support/apply-world';
import { hostedMirror } from '../support/hosted-mirror';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { moduleRepository } from '../support/module-repository';
import { type CliRun } from '../support/run-cli';
import { folderContents, temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';
import { inWorld, type World } from '../support/world';

/** Plans for the first zone in a folder, and rehearses; checks that the kept folders do not change. */
async function rehearse(
  { lab, zoneIds }: World,
  given: { cwd: string; dir: string; flags?: string; environment?: Record<string, string> },
  kept: string[],
): Promise<CliRun> {
  const { cwd, dir, flags = '', environment = {} } = given;
  const options = { cwd, environment };
  const plan = `plan --zone ${zoneIds[0]!} --dir ${dir} --out plan.json --force`;
  const planned = await lab.cli(plan + flags, options);
  // a file of a shared folder is a decision
  expect([0, 2]).toContain(planned.code);
  const before = kept.map(folderContents);
  const run = await lab.cli('rehearse plan.json --json', options);
  expect(kept.map(folderContents)).toEqual(before);
  return run;
}

/** The verdict of a rehearsal; without one, the whole output. */
const verdictOf = ({ code, stdout, stderr }: CliRun): unknown =>
  code === 0 ? (JSON.parse(stdout) as { verdict: string }).verdict : `${stdout}${stderr}`;

/** Moves the resources of a project into a module in a folder of the caller. */
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
});

describe('a rehearsal has what the configuration reads in files', () => {
  it('and says that a file whose name is put together is not in the copy', () =>
    inFolder(
      {
        'waf/reads.tf': 'locals {\n  read = file(join("/", ["..", "policies/one.json"]))\n}\n',
        'policies/one.json': '{}',
      },
      async (world, above) => {
        expect(errorOf(await rehearseIn(world, above))).toMatchObject({
          code: 'TERRAFORM_FAILED',
          hint: expect.stringContaining('the copy does not have them'),
        });
      },
    ));

  it('variables: a file beside it; without it or without values, the error says what to pass', () =>
    inFolder(
      {
        'waf/variables.tf': 'variable "common" {}\n',
        'common.tfvars': 'common = "value"\n',
      },
      async (world, above) => {
        const given = { cwd: join(above, 'waf'), dir: '.' };
        const flags = ' -- -var-file=../common.tfvars';
        const run = await rehearse(world, { ...given, flags }, [above]);
        expect(verdictOf(run)).toBe('clean');
        rmSync(join(above, 'common.tfvars'));
        const missing = await world.lab.cli('rehearse plan.json --json', { cwd: given.cwd });
        expect(errorOf(missing)).toMatchObject({
          code: 'TERRAFORM_FAILED',
          message: expect.stringContaining('Failed to read variables file'),
        });
        expect(errorOf(await rehearseIn(world, above))).toMatchObject({
          code: 'PLAN_INVALID',
          message: expect.stringContaining('no value in this folder or its environment: common;'),
          hint: expect.stringContaining('-- -var-file=<file>'),
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
  const mirror = hostedMirror(['3.35.0', '5.22.0'], folder);
  const installed = { ...applySettings, version: '3.35.0' };

  /** A repository with an empty module. */
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
    const rehearsed = await world.cli('rehearse plan.json --json');
    expect(rehearsed.stderr).not.toContain('"error"');
    const { steps: done } = JSON.parse(rehearsed.stdout) as { steps: { status: string }[] };
    expect(done[at]!.status).toBe('done');
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
        const source = moduleRepository('output "one" {\n  value = 1\n}\n');
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
