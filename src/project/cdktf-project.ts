import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isJsonArray, isJsonObject, type JsonValue, objectOf, textOf } from '../core/json';
import { reading } from '../core/migration-error';
import { printable } from '../core/printable';
import { readObject } from '../files/read-files';

const OF_TERRAFORM = /\.(tf|tofu)(\.json)?$|^\.terraform$|^terraform\.tfstate$|^terragrunt\.hcl$/;

/** A folder itself, if Terraform was used there, and the stacks that the CDKTF project there has synthesised. */
export function foldersOfTerraform(cwd: string): string[] {
  const isUsed = namesIn(cwd).some((name) => OF_TERRAFORM.test(name));
  return [...(isUsed ? ['.'] : []), ...synthesisedStacks(cwd)];
}

const namesIn = (folder: string): string[] =>
  reading(`cannot read ${printable(folder)}`, () => readdirSync(folder));

/** The folders of the stacks of the last synthesis of the CDKTF project in a folder, relative to it. */
export function synthesisedStacks(project: string): string[] {
  const stacks = stacksFolder(project);
  if (stacks === undefined || !existsSync(resolve(project, stacks))) return [];
  const listed = listedStacks(resolve(project, stacks, '../manifest.json'));
  return namesIn(resolve(project, stacks))
    .filter((name) => listed?.has(name) ?? true)
    .sort()
    .map((name) => join(stacks, name));
}

/**
 * The folders of the stacks of the last synthesis: CDKTF keeps those of earlier stacks, which its manifest does not list.
 * @returns undefined without a manifest that lists stacks
 */
function listedStacks(path: string): ReadonlySet<string> | undefined {
  const { stacks } = readObject(path) ?? {};
  if (!isJsonObject(stacks)) return undefined;
  const folders = Object.values(stacks).map((stack) =>
    basename(textOf(objectOf(stack)['workingDirectory'])),
  );
  return new Set(folders);
}

const CDKTF_JSON = 'cdktf.json';

export const readCdktfJson = (project: string) => readObject(join(project, CDKTF_JSON));

/** Where the CDKTF project in a folder has its synthesised stacks, relative to it. */
export function stacksFolder(cwd: string): string | undefined {
  if (!existsSync(join(cwd, CDKTF_JSON))) return undefined;
  const { output } = readCdktfJson(cwd) ?? {};
  return join(typeof output === 'string' ? output : 'cdktf.out', 'stacks');
}

/** A provider whose bindings a CDKTF project generates (`cdktf get`). */
export interface CdktfProvider {
  /** The folder of its bindings, below `providers`. */
  readonly name: string;
  readonly version: string | undefined;
}

export const BINDINGS = '@cdktf/provider-cloudflare';

/**
 * Whether a source is the Cloudflare provider, from any registry. It can have no namespace: HashiCorp has no provider
 * `cloudflare`.
 */
export function isCloudflareSource(source: string): boolean {
  return /^(?:(?:.*\/)?cloudflare\/)?cloudflare$/i.test(source);
}

/** The line of a program that replaces the provider version of its bindings. */
export const versionOverride = (version: string): string =>
  `stack.addOverride('terraform.required_providers.cloudflare.version', '${version}')`;

/** The CDKTF project that a folder is in: the nearest folder with a `cdktf.json`; undefined if there is none. */
export function cdktfFolder(folder: string): string | undefined {
  if (existsSync(join(folder, CDKTF_JSON))) return folder;
  return dirname(folder) === folder ? undefined : cdktfFolder(dirname(folder));
}

export function isStackFolder(folder: string): boolean {
  return existsSync(join(folder, 'cdk.tf.json'));
}

/** A file of the program of a stack that changed after its synthesis; undefined if none did. */
export async function changedAfterSynthesis(stack: string): Promise<string | undefined> {
  const project = cdktfFolder(stack);
  if (project === undefined) return undefined;
  const changedAt = (path: string): number => statSync(path).mtimeMs;
  const synthesisedAt = changedAt(join(stack, 'cdk.tf.json'));
  const files = await programFiles(project, ['package.json', '**/*.{ts,mts,cts,py,go,java,cs}']);
  return files.find((file) => {
    const path = join(project, file);
    // a project inside of this one is another program
    return changedAt(path) > synthesisedAt && cdktfFolder(dirname(path)) === project;
  });
}

/** The files of a program, relative to a folder, without its packages and what CDKTF generates. */
export async function programFiles(folder: string, patterns: string[]): Promise<string[]> {
  // only programs need it
  const { escapePath, glob } = await import('tinyglobby');
  const output = dirname(stacksFolder(folder) ?? 'cdktf.out/stacks');
  return glob(patterns, {
    cwd: folder,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**', '**/cdktf.out/**', `${escapePath(output)}/**`],
  });
}

/** The command that synthesises a project: its script, because cdktf-cli need not be installed. */
export function synthCommand(project: string): string {
  const manifest = readObject(join(project, 'package.json')) ?? {};
  if ('synth' in objectOf(manifest['scripts'])) return 'npm run synth';
  return `npx ${packagesOf(project).has('cdktn') ? 'cdktn' : 'cdktf'} synth`;
}

/** The Cloudflare provider among the `terraformProviders` of a CDKTF project; undefined if there is none. */
export function cdktfProvider(project: string): CdktfProvider | undefined {
  const listed = readCdktfJson(project)?.['terraformProviders'];
  return (isJsonArray(listed) ? listed : []).map(parseProvider).find((one) => one !== undefined);
}

/** `cloudflare/cloudflare@~> 4.0`, or an object. */
function parseProvider(provider: JsonValue): CdktfProvider | undefined {
  if (typeof provider === 'string') {
    const [source = '', version] = provider.split('@');
    return isCloudflareSource(source)
      ? { name: 'cloudflare', version: version?.trim() }
      : undefined;
  }
  if (!isJsonObject(provider)) return undefined;
  const { name, source = name, version } = provider;
  if (typeof source !== 'string' || !isCloudflareSource(source)) return undefined;
  return { name: textOf(name) || 'cloudflare', version: textOf(version) || undefined };
}

/**
 * The packages in the package.json of a folder, with their version ranges; empty if it cannot be read.
 * `dependencies` override `devDependencies`, which override `peerDependencies`.
 */
export function packagesOf(dir: string): Map<string, string> {
  const manifest = readObject(join(dir, 'package.json')) ?? {};
  const kinds = ['peerDependencies', 'devDependencies', 'dependencies'];
  return new Map(
    kinds.flatMap((kind) =>
      Object.entries(objectOf(manifest[kind])).flatMap(([name, range]): [string, string][] =>
        typeof range === 'string' ? [[name, range]] : [],
      ),
    ),
  );
}
