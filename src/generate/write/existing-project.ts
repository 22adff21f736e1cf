import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FlavorName, flavors } from '../flavor';
import { type FormatName } from '../../core/format-names';
import { mainText } from '../project/sources';
import { textOf } from '../../core/json';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { generatedBindings } from './generated-bindings';
import { packagesOf, readObject } from '../../project/cdktf-project';

/** A project of the user, as far as adding a file to it goes. */
export interface ExistingProject {
  readonly dir: string;
  readonly format: FormatName;
  readonly flavor: FlavorName;
  /** Where the file belongs. */
  readonly out: string;
  /** The program of a CDKTF project, relative to the project; absent where it finds stacks itself. */
  readonly main?: string;
  /** Whether the bindings of the provider are among its packages, or what it generates. */
  readonly hasBindings: boolean;
  /** The version range of CDKTF that it asks for. */
  readonly core?: string | undefined;
}

/**
 * Finds out what kind of project a folder holds: CDKTF in TypeScript, Terraform in HCL, or in JSON.
 * @param wanted the format that the user named: a project of another kind does not count
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
    throw unsuitable(dir, `is a CDKTF project in ${printable(String(language), 40)}`);
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

/** CDK Terrain where the nearest package.json at or above a folder asks for it, CDKTF elsewhere. */
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

/** The program that an app runs; of JavaScript, what it is compiled from. */
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

function unsuitable(dir: string, what: string): MigrationError {
  return new MigrationError('PROJECT_UNSUITABLE', `${printable(dir)} ${what}`);
}
