import { buildSync } from 'esbuild';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform } from 'node:os';
import { join, relative } from 'node:path';
import { hostProviders, launcher } from './hosted';
import { type Pace } from './installed';

const repository = join(__dirname, '../../..');
const entry = 'test/support/provider/installed.ts';
const schemas = 'test/fixtures/terraform/schemas';

/** The files below a folder of the repository, as paths from its root. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => relative(repository, join(one.parentPath, one.name)));
}

/**
 * Bundles the provider into one file, once. A process then starts ten times faster than from the sources.
 * @returns the file; its folder name is a hash of its sources, so that parallel runs do not conflict
 */
function compile(): string {
  const hash = createHash('sha256');
  const sources = filesBelow('test/support/provider').filter((file) => file.endsWith('.ts'));
  for (const file of [...sources, ...filesBelow(schemas)].sort()) {
    hash.update(file).update(readFileSync(join(repository, file)));
  }
  const name = hash.digest('hex').slice(0, 16);
  const folder = join(repository, 'node_modules/.cache/compiled', name);
  // the provider reads its schemas relative to its own file
  const outfile = 'test/support/provider/installed/index.js';
  if (existsSync(folder)) return join(folder, outfile);
  const draft = `${folder}.${process.pid}`;
  buildSync({
    absWorkingDir: repository,
    entryPoints: [entry],
    outfile: join(draft, outfile),
    bundle: true,
    format: 'cjs',
    platform: 'node',
  });
  cpSync(join(repository, schemas), join(draft, schemas), { recursive: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    // another run finished first
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  return join(folder, outfile);
}

const systems: Record<string, string> = { win32: 'windows' };
const machines: Record<string, string> = { x64: 'amd64', ia32: '386' };

export interface Mirror {
  /** The variables with which Terraform installs and starts the provider. */
  env: Record<string, string>;
}

/**
 * Builds a filesystem mirror of provider versions below a folder, so that `terraform init`, the lock
 * file and version constraints are real.
 *
 * @param dir a folder that the caller removes
 * @param versions such as `3.35.0`; each behaves as the measured version of its major
 * @example
 * const mirror = buildMirror(dir, ['3.35.0', '4.52.8', '5.22.0']);
 * await terraform(configuration, ['init'], mirror.env);
 */
export function buildMirror(dir: string, versions: string[]): Mirror {
  const bundle = JSON.stringify(compile());
  return mirrorOf(dir, versions, (version) => {
    const call = `require(${bundle}).runInstalled(${JSON.stringify(version)})`;
    return `#!${process.execPath}\n${call};\n`;
  });
}

/**
 * As {@link buildMirror}, but Terraform starts a shell script, and this process answers. A provider then starts
 * ten times faster, for tests that start hundreds.
 * @param paces additional delays of the providers by version
 */
export async function buildHostedMirror(
  dir: string,
  versions: string[],
  paces: ReadonlyMap<string, Pace> = new Map(),
): Promise<Mirror> {
  const port = await hostProviders(paces);
  return mirrorOf(dir, versions, (version) => launcher(version, port));
}

function mirrorOf(dir: string, versions: string[], program: (version: string) => string): Mirror {
  const system = `${systems[platform()] ?? platform()}_${machines[arch()] ?? arch()}`;
  for (const version of versions) {
    const home = join(dir, 'registry.terraform.io/cloudflare/cloudflare', version, system);
    mkdirSync(home, { recursive: true });
    const executable = join(home, `terraform-provider-cloudflare_v${version}`);
    writeFileSync(executable, program(version));
    chmodSync(executable, 0o755);
  }
  const cliConfig = join(dir, 'terraform.rc');
  const mirror = `filesystem_mirror {\n    path = ${JSON.stringify(dir)}\n  }`;
  writeFileSync(cliConfig, `provider_installation {\n  ${mirror}\n}\n`);
  return { env: { TF_CLI_CONFIG_FILE: cliConfig, TF_DISABLE_PLUGIN_TLS: '1' } };
}
