import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applySettings } from '../support/apply-world';
import { folderContents } from '../support/folder-contents';
import { inInstalledWorld } from '../support/installed-world';
import { buildMirror, type Mirror } from '../support/provider/mirror';
import { temporaryFolder } from '../support/temporary-folder';

let folder: string;
let mirror: Mirror;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mirror-'));
  mirror = buildMirror(folder, ['3.35.0', '4.52.8', '5.22.0']);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
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

it('a rehearsal that installs the next provider and its modules anew leaves .terraform as it is', () =>
  inInstalledWorld(mirror, { ...applySettings, version: '3.35.0' }, async (world) => {
    const { lab, run } = world;
    lab.write('calls.tf', `module "one" {\n  source = "git::file://${moduleRepository()}"\n}\n`);
    expect((await run('init')).code).toBe(0);
    const { steps } = await world.makePlan('--to', '5');
    expect(steps.map(({ kind }) => kind)).toContain('upgrade-provider');
    world.require('>= 3.35.0');
    const before = [lab.dir, folder].map(folderContents);
    const rehearsed = await world.cli(['rehearse', 'plan.json', '--json']);
    const { steps: done } = JSON.parse(rehearsed.stdout) as { steps: { status: string }[] };
    const at = steps.findIndex(({ kind }) => kind === 'upgrade-provider');
    expect(done[at]!.status).toBe('done');
    expect([lab.dir, folder].map(folderContents)).toEqual(before);
  }));
