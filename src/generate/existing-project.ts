import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type FormatName } from '../core/format-names';
import { textOf } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { posixPath } from '../core/posix-quote';
import { printable } from '../core/printable';
import { type ProviderMajor, providerMajors } from '../core/provider-majors';
import { cdktfProvider, packagesOf, readObject } from '../project/cdktf-project';
import { type FlavorName, flavors } from './flavor';
import { type StackNames } from './formats/format';
import { mainText } from './new-project';

/** What adding a file to a project of the user requires. */
export interface ExistingProject {
  readonly dir: string;
  readonly format: FormatName;
  readonly flavor: FlavorName;
  /** The folder of the file. */
  readonly out: string;
  /** The program of a CDKTF project, relative to the project; absent if it loads all stacks itself. */
  readonly main?: string;
  /** Whether the project installs or generates the bindings of the provider. */
  readonly hasBindings: boolean;
  /** The version range of CDKTF that it requires. */
  readonly core?: string | undefined;
}

/**
 * Detects the kind of project in a folder: CDKTF in TypeScript, or Terraform in HCL or JSON.
 * @param wanted the format that the user chose; projects of another kind are ignored
 * @throws MigrationError `PROJECT_UNSUITABLE`
 */
export async function readExistingProject(
  dir: string,
  wanted: FormatName | undefined,
): Promise<ExistingProject | undefined> {
  const mayBe = (format: FormatName): boolean => (wanted ?? format) === format;
  const cdktf = mayBe('cdktf') ? await readObject(join(dir, 'cdktf.json')) : undefined;
  if (cdktf !== undefined) return cdktfProject(dir, cdktf);
  const names = await readdir(dir).catch((): string[] => []);
  const terraform = { dir, flavor: 'cdktf', out: dir, hasBindings: true } as const;
  const has = (ending: string): boolean => names.some((name) => name.endsWith(ending));
  if (mayBe('hcl') && has('.tf')) return { ...terraform, format: 'hcl' };
  if (mayBe('tfjson') && has('.tf.json')) return { ...terraform, format: 'tfjson' };
  return undefined;
}

async function cdktfProject(
  dir: string,
  cdktf: Readonly<Record<string, unknown>>,
): Promise<ExistingProject> {
  const { language, app } = cdktf;
  if (language !== 'typescript') {
    const other = printable(String(language), 40);
    const message = `${printable(dir)} is a CDKTF project in ${other}`;
    throw new MigrationError('PROJECT_UNSUITABLE', message);
  }
  const main = programOf(dir, textOf(app));
  const packages = await packagesOf(dir);
  const flavor = flavorOf(packages);
  const text = await readFile(join(dir, main), 'utf8').catch(() => '');
  const folder = join(dir, 'stacks');
  const own = text === mainText(flavors[flavor]);
  return {
    dir,
    format: 'cdktf',
    flavor,
    out: own || isFolder(folder) ? folder : join(dir, dirname(main)),
    ...(own ? {} : { main }),
    hasBindings:
      packages.has(flavors[flavor].bindings) || (await generatedBindings(dir)) !== undefined,
    core: packages.get(flavors[flavor].core),
  };
}

/** CDK Terrain if the nearest package.json at or above a folder requires it, otherwise CDKTF. */
export async function flavorAbove(dir: string): Promise<FlavorName> {
  for (let at = dir; ; at = dirname(at)) {
    const packages = await packagesOf(at);
    if (packages.size > 0) return flavorOf(packages);
    if (dirname(at) === at) return 'cdktf';
  }
}

function flavorOf(packages: ReadonlyMap<string, string>): FlavorName {
  return packages.has(flavors.cdktn.core) ? 'cdktn' : 'cdktf';
}

/** The program that an app runs; for JavaScript, its TypeScript source. */
function programOf(dir: string, app: string): string {
  const [, path, ending] = /([^\s'"=]+)\.([mc]?[tj]s)\b/.exec(app) ?? [];
  if (path === undefined || ending === undefined) return 'main.ts';
  if (ending.endsWith('ts')) return `${path}.${ending}`;
  const [output, ...rest] = `${path}.${ending.replace('js', 'ts')}`.replace(/^\.\//, '').split('/');
  const places = [[output, ...rest], rest, rest.slice(1)].map((parts) => parts.join('/'));
  const there = places.find((place) => place !== '' && existsSync(join(dir, place)));
  return there ?? (rest.join('/') || 'main.ts');
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/**
 * Where a program in a folder imports the provider bindings from, by the nearest `cdktf.json` at or above the
 * folder: the installed package, or the bindings that `cdktf get` generates (`../.gen/providers/cloudflare`,
 * with `ruleset` and `provider` below).
 * @returns undefined if the project has no bindings
 */
export async function generatedBindings(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const manifest = await readObject(join(at, 'cdktf.json'));
    if (manifest !== undefined) {
      const packages = await packagesOf(at);
      const packaged = Object.values(flavors).find(({ bindings }) => packages.has(bindings));
      if (packaged !== undefined) return `${packaged.bindings}/lib`;
      const provider = cdktfProvider(manifest);
      if (provider === undefined) return undefined;
      const { codeMakerOutput: output } = manifest;
      const generated = join(at, textOf(output) || '.gen', 'providers', provider.name);
      const path = posixPath(relative(folder, generated));
      return path.startsWith('../') ? path : `./${path}`;
    }
    if (dirname(at) === at) return undefined;
  }
}

/** What the user adds to a project besides the file of a zone, because no other file is changed. */
export function manualSteps(
  project: ExistingProject,
  { slug, className }: StackNames,
  provider: ProviderMajor,
): string[] {
  const { main, hasBindings } = project;
  const install = hasBindings ? [] : installSteps(project, provider);
  if (main === undefined) return install;
  const path = posixPath(relative(dirname(join(project.dir, main)), join(project.out, slug)));
  return [
    ...install,
    `in ${main}: import { ${className} } from "${path.startsWith('.') ? path : `./${path}`}";`,
    `in ${main}, before app.synth(): new ${className}(app, "${slug}");`,
  ];
}

/**
 * What the user adds to a program so that one stack has the construct of a zone. It goes after the stack,
 * because several stacks can share a class, one for each environment, and each would get the construct.
 */
export function constructSteps({ slug, constructName }: StackNames): string[] {
  return [
    `in the file that creates the stack: import { ${constructName} } from "…/${slug}.ruleset"; (with the path of the file)`,
    `after the stack: new ${constructName}(stack, "${slug}"); (in its constructor, with this, only if no other stack has its class)`,
  ];
}

/** npm refuses bindings made for another version of CDKTF, although they work with a later one. */
function installSteps({ flavor, core: range }: ExistingProject, provider: ProviderMajor): string[] {
  const { bindings, cli, core, isPublished } = flavors[flavor];
  const { bindings: version, bindingsCore, constraint } = providerMajors[provider];
  if (!isPublished) {
    const wanted = `cloudflare/cloudflare@${constraint}`;
    return [`in cdktf.json: "terraformProviders": ["${wanted}"]; then run: ${cli} get`];
  }
  const install = `npm install ${bindings}@${version}`;
  const later = laterThan(range ?? '', bindingsCore);
  if (later === 0) return [install];
  const since = `because these bindings require ${core} ${bindingsCore}`;
  if (later < 0) return [`${since}: npm install ${core}@${bindingsCore}`, install];
  const overrides = { [bindings]: { [core]: `$${core}`, constructs: '$constructs' } };
  return [`in package.json, ${since}: "overrides": ${JSON.stringify(overrides)}`, install];
}

/** By how many minor releases a range is ahead; 0 for a range of several releases (`latest`, `>=0.20 <1`). */
function laterThan(range: string, release: string): number {
  const [one, other] = [range, release].map((text) => {
    const [, major, minor] = /^[\^~=v]*(\d+)\.(\d+)(?:\.[\w.+-]+)?$/.exec(text.trim()) ?? [];
    return Number(major) * 1000 + Number(minor);
  });
  return (one ?? NaN) - (other ?? NaN) || 0;
}
