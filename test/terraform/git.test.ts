import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTrackedByGit } from '../../src/terraform/git';
import { temporaryFolder } from '../support/temporary-folder';

it('runs no program of a repository of another user, though git needs an object that is missing', async () => {
  const dir = temporaryFolder();
  const marker = join(temporaryFolder(), 'ran');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.email=a@b', '-c', 'user.name=a', ...args], {
      cwd: dir,
      encoding: 'utf8',
    }).trim();
  for (const folder of ['kept', 'backup']) {
    mkdirSync(join(dir, folder));
    writeFileSync(join(dir, folder, 'file'), folder);
  }
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'files');
  git('sparse-checkout', 'init', '--cone', '--sparse-index');
  git('sparse-checkout', 'set', 'kept');
  const tree = git('rev-parse', 'HEAD:backup');
  const settings = {
    'core.repositoryformatversion': '1',
    'extensions.partialClone': 'remote',
    'remote.remote.url': '/nowhere',
    'remote.remote.promisor': 'true',
    'remote.remote.uploadpack': `touch '${marker}'; :`,
  };
  for (const [name, value] of Object.entries(settings)) git('config', name, value);
  rmSync(join(dir, '.git/objects', tree.slice(0, 2), tree.slice(2)));
  await isTrackedByGit('backup', dir, process.env).catch(() => undefined);
  expect(existsSync(marker)).toBe(false);
});

it.each([
  ['finds a tracked folder whose name differs in case, as on a disk that ignores case', {}],
  ['does so with git variables of the user', { GIT_LITERAL_PATHSPECS: '1', GIT_DIR: '/nowhere' }],
])('%s', async (_, variables) => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'BACKUP'));
  writeFileSync(join(dir, 'BACKUP/file'), '');
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
  ])
    execFileSync('git', args, { cwd: dir });
  expect(await isTrackedByGit('backup', dir, { ...process.env, ...variables })).toBe(true);
});
