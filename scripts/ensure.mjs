// Installs and builds what is missing, and nothing that is there: what makes `npm start` and
// `npm test` work on a fresh clone. Runs before anything is installed, so it knows only Node.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => modified(join(entry.parentPath, entry.name))),
  );
const run = (file, ...args) => {
  const { status } = spawnSync(file, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: file.endsWith('.cmd'),
  });
  if (status !== 0) process.exit(1);
};

const lock = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
// `npm ci` would empty the folder of the checkout that a worktree has linked
const linked = lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() === true;
if (!linked && modified(join(modules, '.package-lock.json')) < modified(lock)) {
  console.error('installing dependencies (once)');
  run(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    'ci',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  );
}
const stamp = join(root, 'dist/.built');
const sources = Math.max(
  newest(join(root, 'src')),
  modified(join(root, 'tsconfig.build.json')),
  modified(join(root, 'scripts/bundle.mjs')),
  modified(lock),
);
if (modified(stamp) < sources) {
  console.error('building (once)');
  run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json');
  // not before: it is made with what is installed here
  const { bundle } = await import('./bundle.mjs');
  await bundle();
  // what npm does for an installed package: the build can be run from a checkout
  chmodSync(join(root, 'dist/cli/main.js'), 0o755);
  writeFileSync(stamp, '');
}
