// Installs and builds what is missing, and nothing that is there: what makes `npm start` and
// `npm test` work on a fresh clone. Runs before anything is installed, so it knows only Node.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => modified(join(entry.parentPath, entry.name))),
  );
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const run = (file, ...args) =>
  execFileSync(file, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: file.endsWith('.cmd'),
  });

if (
  modified(join(root, 'node_modules/.package-lock.json')) <
  modified(join(root, 'package-lock.json'))
) {
  console.error('installing dependencies (once)');
  run(npm, 'ci', '--no-audit', '--no-fund', '--loglevel=error');
}
const built = join(root, 'dist/.tsbuildinfo');
if (
  modified(built) < Math.max(newest(join(root, 'src')), modified(join(root, 'tsconfig.build.json')))
) {
  console.error('building (once)');
  run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json');
}
