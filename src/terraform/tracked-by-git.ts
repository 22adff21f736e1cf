import { execFile } from 'node:child_process';

/** Whether git tracks anything below a path. Without git, or outside of a repository, it does not. */
export function isTrackedByGit(
  path: string,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  // a repository that a pull request ships starts no program of its own
  const settings = ['safe.directory=*', 'safe.bareRepository=explicit', 'core.fsmonitor=false'];
  const flags = settings.flatMap((one) => ['-c', one]);
  const options = { cwd: folder, env: environment, timeout: 10_000 };
  return new Promise((resolve) => {
    execFile('git', [...flags, 'ls-files', '-z', '--', path], options, (_, stdout) => {
      resolve(stdout !== '');
    });
  });
}
