import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Environment } from './environment';

/**
 * Whether git tracks a file below a path; undefined outside of a repository, false in one that git does not accept.
 * @throws the error of git: without an answer, a file can be one of a pull request
 */
export function isTrackedByGit(
  path: string,
  folder: string,
  environment: Environment,
): Promise<boolean | undefined> {
  // prevents a repository from a pull request from starting its own programs
  const settings = ['safe.directory=*', 'safe.bareRepository=explicit', 'core.fsmonitor=false'];
  const flags = settings.flatMap((one) => ['-c', one]);
  // nor from a remote that its configuration names
  const offline = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' };
  // those of the user can select another repository, or what a pattern means
  const own = Object.entries(environment).filter(([name]) => !name.startsWith('GIT_'));
  const options = {
    cwd: folder,
    env: { ...Object.fromEntries(own), ...offline, LC_ALL: 'C' },
    timeout: 10_000,
  };
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      [...flags, 'ls-files', '-z', '--', `:(icase)${path}`],
      options,
      (error, stdout, stderr) => {
        const isOutside =
          stderr.includes('not a git repository (or any') ||
          (error?.code === 'ENOENT' && !isInRepository(folder));
        if (error === null) resolve(stdout !== '');
        else if (isOutside) resolve(isInRepository(folder) ? false : undefined);
        else reject(new Error('git failed', { cause: error }));
      },
    );
  });
}

function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return existsSync(join(folder, '.git')) || (parent !== folder && isInRepository(parent));
}
