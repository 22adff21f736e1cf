import { transformFileSync } from '@swc/core';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';

const repository = join(__dirname, '../../..');

/** What the executable is made of: the provider, what it imports of the emulator, its schemas. */
function sources(): string[] {
  const files = (folder: string, ending: string) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith(ending))
      .map((file) => join(folder, file));
  return [
    ...files('test/support/provider', '.ts'),
    ...files('test/fixtures/terraform/schemas', '.json'),
    'src/emulator/world.ts',
  ].sort();
}

/**
 * The provider as JavaScript, in a folder below node_modules where its imports are found. Named by
 * what it is made of, so that it is made once and two runs do not disturb each other.
 */
function compiled(): string {
  const hash = createHash('sha256');
  const files = sources();
  for (const file of files) hash.update(file).update(readFileSync(join(repository, file)));
  const folder = join(
    repository,
    'node_modules/.cache/test-provider',
    hash.digest('hex').slice(0, 16),
  );
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  for (const file of files) {
    const target = join(draft, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    if (file.endsWith('.json')) copyFileSync(join(repository, file), target);
    else writeFileSync(target, javascript(join(repository, file)));
  }
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another run was first.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  return folder;
}

function javascript(file: string): string {
  return transformFileSync(file, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
    swcrc: false,
  }).code;
}

const systems: Record<string, string> = { win32: 'windows' };
const machines: Record<string, string> = { x64: 'amd64', ia32: '386' };

export interface Mirror {
  /** What Terraform needs in its environment to install from it, and to start what it installs. */
  env: Record<string, string>;
}

/**
 * Builds a filesystem mirror of provider versions below a folder, so that `terraform init`, the lock
 * file and version constraints are real.
 *
 * @param dir a folder of the caller's, who removes it
 * @param versions such as `3.35.0`; each behaves as the measured version of its major
 * @example
 * const mirror = buildMirror(dir, ['3.35.0', '4.52.8', '5.22.0']);
 * await terraform(configuration, ['init'], mirror.env);
 */
export function buildMirror(dir: string, versions: string[]): Mirror {
  const system = `${systems[platform()] ?? platform()}_${machines[arch()] ?? arch()}`;
  const entry = join(compiled(), relative(repository, join(__dirname, 'installed.js')));
  for (const version of versions) {
    const home = join(dir, 'registry.terraform.io/cloudflare/cloudflare', version, system);
    mkdirSync(home, { recursive: true });
    const executable = join(home, `terraform-provider-cloudflare_v${version}`);
    const call = `require(${JSON.stringify(entry)}).runInstalled(${JSON.stringify(version)})`;
    writeFileSync(executable, `#!${process.execPath}\n${call};\n`);
    chmodSync(executable, 0o755);
  }
  const cliConfig = join(dir, 'terraform.rc');
  const mirror = `filesystem_mirror {\n    path = ${JSON.stringify(dir)}\n  }`;
  writeFileSync(cliConfig, `provider_installation {\n  ${mirror}\n}\n`);
  return { env: { TF_CLI_CONFIG_FILE: cliConfig, TF_DISABLE_PLUGIN_TLS: '1' } };
}
