// Provides what only tests need: Terraform and Chromium from PATH, or else a pinned version of each in
// a cache folder, and packages that few tests use. The tests run this first; `npm run tools` runs it ahead.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { arch, argv, env, execPath, exit, pid, platform } from 'node:process';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';

const terraform = {
  site: 'https://releases.hashicorp.com/terraform',
  version: '1.11.4',
  /** SHA-256 of the zip archives, from terraform_1.11.4_SHA256SUMS on that site. */
  checksums: {
    darwin_amd64: 'a56d5002b9f7647291faccc3dd1a70350e60fb61e4c45037629508b8fdc2575b',
    darwin_arm64: '867e0808fa971217043e25b7a792b10720c79b1546f8a68479b74f138be73e18',
    linux_amd64: '1ce994251c00281d6845f0f268637ba50c0005657eb3cf096b92f753b42ef4dc',
    linux_arm64: 'a43d1d0da9b9bab214a8305a39db0e40869572594ccf50c416a7756499143633',
  },
};
/** The last version that supports Node 20. */
const chromiumVersion = '143.0.4';
const tests = new URL('../test/', import.meta.url);
const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * Adds Terraform and Chromium to PATH.
 *
 * @returns whether both are available; stderr names each missing one
 */
export async function ensureTools() {
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cf-waf-migrate');
  const addToPath = (install) => async () => {
    env.PATH = [await install(cache), env.PATH].join(delimiter);
  };
  const hasChromium = chromiumNames.some((name) => spawnSync(name, ['--version']).status === 0);
  const complete = [
    hasTerraform() || (await ensure('Terraform 1.7 or later', addToPath(installTerraform))),
    hasChromium || (await ensure('Chromium', addToPath(installChromium))),
  ];
  return !complete.includes(false);
}

/** Installs DuckDB, which only `review` needs, and links it beside the other packages. */
export function ensureDuckDb() {
  return ensure('DuckDB', () => {
    const [installed, link] = ['duckdb/node_modules', '../node_modules'].map((folder) =>
      fileURLToPath(new URL(`${folder}/@duckdb/node-api`, tests)),
    );
    installPackages('duckdb');
    if (existsSync(link)) return;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(installed, link, 'junction');
  });
}

/**
 * Installs the packages of a folder of test/, if they are missing or older than their lock file.
 * Install scripts are skipped: they serve older Node versions.
 */
export function installPackages(name) {
  const folder = new URL(`${name}/`, tests);
  const installed = modified(new URL('node_modules/.package-lock.json', folder));
  if (installed >= modified(new URL('package-lock.json', folder))) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', args, { cwd: fileURLToPath(folder), shell: platform === 'win32' });
}

function modified(url) {
  return existsSync(url) ? statSync(url).mtimeMs : 0;
}

async function ensure(name, install) {
  try {
    await install();
    return true;
  } catch (error) {
    const cause = error.cause === undefined ? '' : `: ${error.cause.code ?? error.cause.message}`;
    console.error(`Install ${name} for the tests that need it (${error.message}${cause}).`);
    return false;
  }
}

function hasTerraform() {
  const { stdout } = spawnSync('terraform', ['version', '-json'], { encoding: 'utf8' });
  const [, major, minor] = /"terraform_version": *"(\d+)\.(\d+)\./.exec(stdout ?? '') ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 7);
}

/** Downloads Terraform, compares its checksum, and returns the folder of the binary. */
export async function installTerraform(cache, { site, version, checksums } = terraform) {
  return installOnce(join(cache, `terraform-${version}`), async (folder) => {
    const system = `${platform}_${arch === 'x64' ? 'amd64' : arch}`;
    const expected = checksums[system];
    if (expected === undefined) throw new Error(`no version for ${system} is pinned`);
    const url = `${site}/${version}/terraform_${version}_${system}.zip`;
    console.error(`downloading ${url} (once)`);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`HTTP ${response.status} from ${url}`);
    const zip = Buffer.from(await response.arrayBuffer());
    const actual = createHash('sha256').update(zip).digest('hex');
    if (actual !== expected) throw new Error(`wrong checksum of ${url}: ${actual}`);
    writeFileSync(join(folder, 'terraform'), fileInZip(zip, 'terraform'), { mode: 0o755 });
  });
}

/** Extracts one file of a zip archive, using the directory at its end. */
function fileInZip(zip, name) {
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\x05\x06') + 16);
  while (zip.toString('latin1', at, at + 4) === 'PK\x01\x02') {
    const end = at + 46 + zip.readUInt16LE(at + 28);
    if (zip.toString('utf8', at + 46, end) === name) {
      const header = zip.readUInt32LE(at + 42);
      const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
      const data = zip.subarray(start, start + zip.readUInt32LE(at + 20));
      return zip.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data);
    }
    at = end + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`the archive has no ${name}`);
}

/** On Linux, an npm package provides Chromium and its libraries; elsewhere Playwright does. */
async function installChromium(cache) {
  if (platform !== 'linux' || arch !== 'x64') {
    const playwright = new URL('../node_modules/playwright-core/cli.js', import.meta.url);
    run(execPath, [fileURLToPath(playwright), 'install', 'chromium']);
    return '';
  }
  return installOnce(join(cache, `chromium-${chromiumVersion}`), (folder) => {
    const name = `@sparticuz/chromium@${chromiumVersion}`;
    console.error(`installing ${name} (once)`);
    run('npm', [
      'install',
      '--prefix',
      folder,
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      name,
    ]);
    const unpack = "import('@sparticuz/chromium').then((it) => it.default.executablePath())";
    // the package unpacks its libraries only on AWS Lambda, which this variable simulates
    const where = { TMPDIR: folder, AWS_EXECUTION_ENV: '20.x' };
    run(execPath, ['-e', unpack], { cwd: folder, env: { ...env, ...where } });
    rmSync(join(folder, 'node_modules'), { recursive: true });
    const fonts = '<fontconfig><dir prefix="relative">fonts</dir></fontconfig>\n';
    writeFileSync(join(folder, 'fonts/fonts.conf'), fonts);
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const script = `#!/bin/sh
here=$(dirname "$(dirname "$0")")
export LD_LIBRARY_PATH="$here/al2023/lib" FONTCONFIG_PATH="$here/fonts"
exec "$here/chromium" "$@"
`;
    writeFileSync(join(bin, 'chromium'), script, { mode: 0o755 });
  }).then((folder) => join(folder, 'bin'));
}

/** A parallel run can install the same tool, so a folder appears only when it is complete. */
async function installOnce(folder, install) {
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    await install(draft);
    if (!existsSync(folder)) renameSync(draft, folder);
    return folder;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function run(file, args, options) {
  const { status, error, stderr } = spawnSync(file, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error((error?.message ?? stderr).trim().split('\n')[0]);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const complete = [await ensureDuckDb(), await ensureTools()];
  if (complete.includes(false)) exit(1);
}
