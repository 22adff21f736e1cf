import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applySettings } from '../support/apply-world';
import { folderContents, temporaryFolder } from '../support/temporary-folder';
import { type InstalledWorld, inInstalledWorld } from '../support/installed-world';
import { buildHostedMirror, type Mirror } from '../support/provider/mirror';

const folder = temporaryFolder();
let mirror: Mirror;
beforeAll(async () => {
  mirror = await buildHostedMirror(folder, ['3.35.0', '4.52.8', '5.22.0']);
});

/** A repository with a module that does nothing. */
function moduleRepository(): string {
  const repository = temporaryFolder();
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
      cwd: repository,
    });
  writeFileSync(join(repository, 'main.tf'), 'output "one" {\n  value = 1\n}\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Begin');
  return repository;
}

/** Rehearses the way from provider 3 to 5, of which the next provider is installed in the copy alone. */
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
const installed = { ...applySettings, version: '3.35.0' };

it('a rehearsal that installs the next provider and its modules anew leaves .terraform as it is', () =>
  inInstalledWorld(mirror, installed, async (world) => {
    const { lab, run } = world;
    lab.write('calls.tf', `module "one" {\n  source = "git::file://${moduleRepository()}"\n}\n`);
    expect((await run('init')).code).toBe(0);
    await expectUntouched(world, [folder]);
  }));

describe('the cache of providers of the user stays as it is', () => {
  it.each(['TF_PLUGIN_CACHE_DIR', 'plugin_cache_dir'])('where %s names it', async (name) => {
    const [cache, config] = [temporaryFolder(), join(temporaryFolder(), 'terraform.rc')];
    cpSync(mirror.env['TF_CLI_CONFIG_FILE']!, config);
    if (name === 'plugin_cache_dir') appendFileSync(config, `${name} = "${cache}"\n`);
    const own = name === 'plugin_cache_dir' ? {} : { [name]: cache };
    const env = { ...mirror.env, ...own, TF_CLI_CONFIG_FILE: config };
    await inInstalledWorld({ env }, installed, async (world) => {
      expect(Object.keys(folderContents(cache)).join()).toContain('/3.35.0/');
      await expectUntouched(world, [cache]);
    });
  });
});

it('what a backend needs besides its block is not passed to that of the copy', () =>
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
