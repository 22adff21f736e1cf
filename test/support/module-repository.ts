import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder';

/** A git repository with a module, as a `source`. */
export function moduleRepository(text: string): string {
  const repository = temporaryFolder();
  const author = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
  writeFileSync(join(repository, 'main.tf'), text);
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    [...author, 'commit', '-qm', 'Begin'],
  ])
    execFileSync('git', args, { cwd: repository });
  return `git::file://${repository}`;
}
