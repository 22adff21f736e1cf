// Installs the packages and builds dist if they are missing or older than their sources. It runs
// before the packages are installed, so its top-level imports come with Node.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lock = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
const stamp = join(root, 'dist/.built');

// `npm ci` would empty the linked folder of the main checkout
const isLinked = lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() === true;
if (!isLinked && modified(join(modules, '.package-lock.json')) < modified(lock)) {
  console.error('installing dependencies (once)');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  run(npm, 'ci', '--no-audit', '--no-fund', '--loglevel=error');
}
// with folders, which change when a file is deleted
const sources = readdirSync(join(root, 'src'), { recursive: true }).map((path) => `src/${path}`);
const inputs = ['tsconfig.build.json', 'scripts/build.mjs', 'package-lock.json', 'src', ...sources];
if (modified(stamp) < Math.max(...inputs.map((path) => modified(join(root, path))))) {
  console.error('building (once)');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  run(process.execPath, join(modules, 'typescript/bin/tsc'), '-p', 'tsconfig.build.json');
  await bundleCommandLine();
  // as npm does for an installed package, so that the build runs from a checkout
  chmodSync(join(root, 'dist/cli/main.js'), 0o755);
  writeFileSync(stamp, '');
}

/**
 * Bundles the command line into dist/cli, because Node needs longer to find hundreds of modules
 * than most commands run. Each lazy import becomes a separate file. The library is not bundled.
 */
async function bundleCommandLine() {
  const { build } = await import('esbuild');
  // of the dependencies, these are needed on nearly every start
  const bundled = ['diff', 'jsonc-parser', 'zod'];
  const { dependencies, peerDependencies } = readJson(join(root, 'package.json'));
  const installed = Object.keys({ ...dependencies, ...peerDependencies });
  // only ES modules can be split; sources and packages use these two CommonJS names
  const commonJsNames = `import { createRequire as requireFrom } from 'node:module';
import { fileURLToPath as pathOfUrl } from 'node:url';
const require = requireFrom(import.meta.url), __dirname = pathOfUrl(new URL('.', import.meta.url));`;
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: { main: 'src/cli/main.ts' },
    outdir: 'dist/cli',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.12',
    mainFields: ['module', 'main'],
    external: installed.filter((name) => !bundled.includes(name)),
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: commonJsNames },
    plugins: [
      { name: 'shared-chunk', setup: shareWithCommands },
      { name: 'dispatchers', setup: bundleDispatchers },
    ],
  });
  writeFileSync(join(root, 'dist/cli/package.json'), '{ "type": "module" }\n');
  const folders = Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  const licenses = [...new Set(folders)].sort().map(licenseOf);
  writeFileSync(join(root, 'dist/cli/LICENSES.txt'), licenses.join('\n'));
}

/**
 * Makes each command load the modules of a plan, so that these modules become one file. Otherwise
 * they become forty, and Node needs about a millisecond per file.
 */
function shareWithCommands({ onLoad }) {
  const lazy = /src[/\\]cli[/\\]commands[/\\](state|assess|zone|generate|firewall)[/\\]/;
  onLoad({ filter: lazy }, ({ path }) => ({
    contents: `import ${JSON.stringify(join(root, 'src/cli/plans/plan-by-flags'))};\n${readFileSync(path, 'utf8')}`,
    loader: 'ts',
  }));
}

/** Bundles only the part of undici that the client uses, because the whole takes three times as long to load. */
function bundleDispatchers({ onLoad }) {
  // the last line is that of the index of undici: requests, and the tunnels of a proxy
  const contents = `
exports.Agent = require('./lib/dispatcher/agent');
exports.EnvHttpProxyAgent = require('./lib/dispatcher/env-http-proxy-agent');
Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));`;
  onLoad({ filter: /[/\\]undici[/\\]index\.js$/ }, () => ({ contents }));
}

function licenseOf(path) {
  const folder = join(root, path);
  const { name, version, license } = readJson(join(folder, 'package.json'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? `${license}\n` : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version}\n\n${text}`;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function modified(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

function run(file, ...args) {
  const { status } = spawnSync(file, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: file.endsWith('.cmd'),
  });
  if (status !== 0) process.exit(1);
}
