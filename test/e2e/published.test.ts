import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { typeErrors } from '../generate/support/type-check';
import { pathsWith } from '../support/cdktf-project';
import { hostedMirror } from '../support/hosted-mirror';
import { inInstalledWorld } from '../support/installed-world';
import { type ProcessRun, runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

const root = join(__dirname, '../..');
let folder: string;
let emulator: Emulator;
const mirror = hostedMirror(['3.35.0']);

beforeAll(async () => {
  folder = temporaryFolder();
  emulator = await startEmulator({ scenario: 'demo' });
  await layOutPackage(folder);
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

/**
 * The package as npm would publish it, in the subfolder `package` with its dependencies. It is also a
 * dependency of the folder itself, with its command.
 */
async function layOutPackage(folder: string): Promise<void> {
  const packed = await runProcess('npm', ['pack', '--pack-destination', folder, '--json'], {
    cwd: root,
    env: process.env,
  });
  if (packed.code !== 0) throw new Error(packed.stderr);
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  await runProcess('tar', ['-xzf', join(folder, filename), '-C', folder]);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; peer?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev, peer, devOptional }] of Object.entries(packages)) {
    const nested = path.lastIndexOf('node_modules/') > 0;
    if (path === '' || nested || dev || peer || devOptional) continue;
    mkdirSync(join(folder, 'package', dirname(path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, 'package', path));
  }
  dependOn(folder, folder);
}

/** Makes the package a dependency of another folder. */
function dependOn(folder: string, project: string): void {
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(folder, 'package'), join(project, 'node_modules/cf-waf-migrate'), 'dir');
  const command = join(project, 'node_modules/.bin/cf-waf-migrate');
  symlinkSync(join(folder, 'package/dist/cli/main.js'), command);
}

describe('the published package', () => {
  it('holds the build and what a reader needs, and no source, test or stack', () => {
    for (const name of ['dist/cli/main.js', 'dist/index.js', 'dist/index.d.ts', 'LICENSE']) {
      expect([name, existsSync(join(folder, 'package', name))]).toEqual([name, true]);
    }
    // the command line bundles packages that only it needs
    const apart = ['dist/.built', 'dist/apply', 'dist/emulator', 'dist/cli/commands'];
    for (const name of ['src', 'test', 'stacks', 'bench', 'node_modules/cdktf', ...apart]) {
      expect([name, existsSync(join(folder, 'package', name))]).toEqual([name, false]);
    }
  });

  it('is built before it is packed, on a fresh clone as well', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(scripts.prepack).toBe('node scripts/build.mjs');
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

  it('runs the demo', async () => {
    const { code, stdout, stderr } = await run('demo');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('3. plan ');
    expect(stdout).toContain('\nNext, in your Terraform folder:\n');
  });

  it.each([
    ['CommonJS', 'x.cjs', "const { parsePlan, planMigration } = require('cf-waf-migrate');"],
    ['an ES module', 'x.mjs', "import { parsePlan, planMigration } from 'cf-waf-migrate';"],
  ])('is a library for %s, which reads the plans that the command makes', async (_, file, line) => {
    const state = join(statesFolder, 'tainted-3.35.tfstate');
    const plan = ['plan', '--zone', ZONE, '--state', state, '--ruleset-id', RULESET];
    const { stdout: saved } = await run(...plan, '--format', 'json');
    const script = `${line}
console.log(parsePlan(${saved}).format, typeof planMigration);
try { parsePlan({}); } catch (error) { console.log(error.name, error.code); }
`;
    writeFileSync(join(folder, file), script);
    const ran = await runProcess(process.execPath, [join(folder, file)], { cwd: folder });
    const stdout = 'cf-waf-migrate/plan function\nMigrationError PLAN_INVALID\n';
    expect(ran).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('has types that a strict project of each module system takes', () => {
    const text = `import { type Plan, planMigration, generateStack } from 'cf-waf-migrate';
export const plan: Plan = planMigration([], []);
export const wrong: string = generateStack;
`;
    for (const module of ['CommonJS', 'NodeNext'] as const) {
      writeFileSync(join(folder, 'use.ts'), text);
      const program = ts.createProgram([join(folder, 'use.ts')], {
        strict: true,
        noEmit: true,
        module: ts.ModuleKind[module],
        moduleResolution:
          module === 'CommonJS'
            ? ts.ModuleResolutionKind.Bundler
            : ts.ModuleResolutionKind.NodeNext,
        types: [],
      });
      // not the dependencies of the compiler and other packages
      const ours = program.getSourceFiles().filter((file) => !/node_modules/.test(file.fileName));
      expect(ours.length).toBeGreaterThan(10);
      const said = ours
        .flatMap((file) => ts.getPreEmitDiagnostics(program, file))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
      expect(said).toEqual([expect.stringContaining("is not assignable to type 'string'")]);
    }
  });

  it('carries the licences of the packages that are bundled with the command line', () => {
    const licenses = readFileSync(join(folder, 'package/dist/cli/LICENSES.txt'), 'utf8');
    for (const name of ['commander', 'diff', 'picocolors', 'undici', 'zod']) {
      expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
    }
    expect(licenses.match(/Copyright/g)!.length).toBeGreaterThanOrEqual(5);
  });

  it('names nothing that it does not hold', () => {
    const built = readdirSync(join(folder, 'package/dist'), { recursive: true, encoding: 'utf8' });
    expect(built.filter((path) => path.endsWith('.map'))).toEqual([]);
    const main = readFileSync(join(folder, 'package/dist/cli/main.js'), 'utf8');
    expect(main).not.toContain('sourceMappingURL');
  });
});

it('the build of a checkout can be run as it is', () => {
  expect(statSync(join(root, 'dist/cli/main.js')).mode & 0o111).toBe(0o111);
  expect(readFileSync(join(root, 'dist/cli/main.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

it('the installed package adds a stack to a CDKTF project of other versions', () =>
  inInstalledWorld(mirror, { version: '3.35.0' }, async (world) => {
    const { lab, zoneIds, environment } = world;
    for (const name of readdirSync(lab.dir)) rmSync(join(lab.dir, name), { recursive: true });
    lab.write('cdktf.json', { language: 'typescript', app: 'npx ts-node main.ts' });
    const bindings = { '@cdktf/provider-cloudflare': '11.30.0', cdktf: '^0.20.0' };
    lab.write('package.json', { name: 'theirs', dependencies: bindings });
    dependOn(folder, lab.dir);
    const typed = `--no-install cf-waf-migrate generate --zone ${zoneIds[0]!} --out .`;
    const env = { ...process.env, ...environment, npm_config_loglevel: 'silent' };
    const added = await runProcess('npx', typed.split(' '), { cwd: lab.dir, env });
    expect([added.stderr, added.code]).toEqual(['', 0]);
    expect(added.stdout).toContain(
      'for provider 4 (package.json has @cdktf/provider-cloudflare 11, its bindings)',
    );
    const [file = ''] = readdirSync(lab.dir).filter((name) => name.endsWith('.ts'));
    const stack = readFileSync(join(lab.dir, file), 'utf8');
    expect(typeErrors([stack], pathsWith(4))).toEqual([]);
  }));
