import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { type ProcessRun, runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

const root = join(__dirname, '../..');
let folder: string;
let emulator: Emulator;

/** The package as npm would publish it, with the packages that npm would install for it. */
beforeAll(async () => {
  folder = temporaryFolder();
  emulator = await startEmulator({ scenario: 'demo' });
  const built = await runProcess(process.execPath, ['scripts/ensure.mjs'], { cwd: root });
  expect(built.code).toBe(0);
  const packed = await runProcess('npm', ['pack', '--pack-destination', folder, '--json'], {
    cwd: root,
    env: process.env,
  });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  await runProcess('tar', ['-xzf', join(folder, filename), '-C', folder]);
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; peer?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev, peer, devOptional }] of Object.entries(lock.packages)) {
    const nested = path.lastIndexOf('node_modules/') > 0;
    if (path === '' || nested || dev || peer || devOptional) continue;
    mkdirSync(join(folder, 'package', dirname(path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, 'package', path));
  }
}, 300_000);
afterAll(() => emulator.stop());

function run(...args: string[]): Promise<ProcessRun> {
  return runProcess(process.execPath, [join(folder, 'package/dist/cli/main.js'), ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      CLOUDFLARE_BASE_URL: emulator.baseUrl,
      CLOUDFLARE_API_TOKEN: emulator.credentials.token,
    },
  });
}

describe('the published package', () => {
  it('holds the build and what a reader needs, and no source, test or stack', () => {
    for (const name of ['dist/cli/main.js', 'dist/index.js', 'dist/index.d.ts', 'LICENSE']) {
      expect([name, existsSync(join(folder, 'package', name))]).toEqual([name, true]);
    }
    for (const name of ['src', 'test', 'stacks', 'bench', 'node_modules/cdktf']) {
      expect([name, existsSync(join(folder, 'package', name))]).toEqual([name, false]);
    }
  });

  it('prints its help and its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect((await run('--help')).code).toBe(0);
  });

  it('checks, generates and plans with the packages that it declares', async () => {
    const zone = 'd0000000000000000000000000000004';
    const checked = await run('check', '--zone', zone);
    expect([checked.code, checked.stderr]).toEqual([0, '']);
    const generated = await run('generate', '--zone', zone, '--format', 'hcl', '--out', 'waf');
    expect([generated.code, generated.stderr]).toEqual([0, '']);
    const state = join(statesFolder, 'tainted-3.35.tfstate');
    const args = ['--zone', ZONE, '--ruleset-id', RULESET, '--state', state, '--format', 'sh'];
    const planned = await run('plan', ...args);
    expect([planned.code, planned.stderr]).toEqual([0, '']);
  });

  it('runs the demo, and skips the synth where CDKTF is not installed', async () => {
    const { code, stdout, stderr } = await run('demo');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('3. synth      skipped: it needs stacks/main.ts');
    expect(stdout).toContain('\nDone. ');
  });

  it('can be required as a library', async () => {
    const script = `console.log(typeof require(${JSON.stringify(join(folder, 'package'))}).planMigration)`;
    const { stdout } = await runProcess(process.execPath, ['-e', script], { cwd: folder });
    expect(stdout).toBe('function\n');
  });
});

it('the build of a checkout can be run as it is', () => {
  expect(statSync(join(root, 'dist/cli/main.js')).mode & 0o111).toBe(0o111);
  expect(readFileSync(join(root, 'dist/cli/main.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});
