import { existsSync } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { objectOf, parseJson } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { posixPath } from '../core/posix-quote';
import { printable } from '../core/printable';
import { followLinks } from '../files/paths';
import { type ConfigProject } from '../tfconfig/config';
import { type ConfigSource, configSyntax } from '../tfconfig/config-source';
import { readProject } from '../tfconfig/read-project';

/** The configuration of a state's folder, read from its files. */
export interface Configuration {
  readonly project: ConfigProject;
  /**
   * Where files that are links lead, by their names in the plan, and relative to the folder of the plan, too; with
   * the folder itself. Two folders with a link to one file have that file in common.
   */
  readonly linkedFiles?: ReadonlyMap<string, string> | undefined;
}

/**
 * Reads the configuration of a folder and the local modules that it calls.
 * @param dir relative to `folder`, parts joined by `/`
 * @param folder of the plan: every file is named relative to it
 * @returns undefined when the folder holds no configuration
 * @throws MigrationError `CONFIG_INVALID` naming each file that cannot be read, `CONFIG_EDIT_REFUSED`
 */
export async function readConfiguration(
  dir: string,
  folder: string,
): Promise<Configuration | undefined> {
  const sources = await readSources(dir, folder);
  if (!sources?.some(({ path }) => configSyntax(path) !== undefined)) return undefined;
  const read = async (one: string): Promise<ConfigSource[] | undefined> =>
    (await isWhereTerraformLooks(one, dir, folder)) ? readSources(one, folder) : undefined;
  await refuseHclStack(join(folder, dir));
  const project = await readProject(dir, read);
  for (const one of project.modules.keys()) await refuseTofuFiles(join(folder, one));
  const files = [...project.modules.values()].flatMap((module) => module.files);
  const places = await placesOf([project.root, ...files.map(({ path }) => path)], folder);
  return { project, linkedFiles: new Map([...places].filter(([path, place]) => path !== place)) };
}

/** Nothing in such a stack may be edited, and what is added to it is not synthesised (cdktf 0.21). */
async function refuseHclStack(dir: string): Promise<void> {
  const names = (await configNames(dir)) ?? [];
  if (!names.includes('cdk.tf')) return;
  const text = await readFile(join(dir, 'metadata.json'), 'utf8').catch(() => '');
  const { metadata } = objectOf(objectOf(parseJson(text))['//']);
  if (!('stackName' in objectOf(metadata))) return;
  throw new MigrationError(
    'CONFIG_EDIT_REFUSED',
    `${printable(dir, 300)}: CDKTF synthesised this stack as HCL, which is not supported`,
    {
      hint: 'synthesise it as JSON (without --hcl), and delete cdk.tf and metadata.json in its folder',
    },
  );
}

/** What such a file declares is not known, and it can replace a file that is read. */
async function refuseTofuFiles(dir: string): Promise<void> {
  const names = await readdir(dir).catch((): string[] => []);
  const file = names.find((name) => /^[^.].*\.tofu(?:\.json)?$/su.test(name));
  if (file === undefined) return;
  throw new MigrationError(
    'CONFIG_EDIT_REFUSED',
    `${printable(join(dir, file), 300)}: only OpenTofu loads this file, and it is not read`,
    { hint: 'rename it to .tf, or pass --state instead of --dir' },
  );
}

/**
 * Terraform runs in the folder itself: where a link leads to that, `..` is above the place that it leads
 * to, and a folder of the same name beside the link is another one.
 */
async function isWhereTerraformLooks(one: string, dir: string, folder: string): Promise<boolean> {
  const root = await realpath(join(folder, dir));
  const looked = await realpath(join(root, relative(dir, one))).catch(() => undefined);
  return looked === (await realpath(join(folder, one)).catch(() => undefined));
}

/**
 * The names of the files in a folder that Terraform loads, in order. A folder or a pipe whose name ends
 * in `.tf` is none; a link counts, wherever it leads.
 * @returns undefined when the folder is not there
 */
export async function configNames(folder: string): Promise<string[] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  return entries
    ?.filter(
      (entry) =>
        configSyntax(entry.name) !== undefined && (entry.isFile() || entry.isSymbolicLink()),
    )
    .map(({ name }) => name)
    .sort();
}

/**
 * The files of a folder that Terraform loads, as they are.
 * @param dir relative to `folder`, parts joined by `/`
 * @returns undefined when the folder is not there
 * @throws MigrationError `FILE_UNREADABLE`
 */
async function readSources(dir: string, folder: string): Promise<ConfigSource[] | undefined> {
  const names = await configNames(join(folder, dir));
  if (names === undefined) return undefined;
  return Promise.all(
    names.map(async (name) => {
      const path = dir === '.' ? name : `${dir}/${name}`;
      return { path, bytes: await readFile(join(folder, path)).catch(unreadable(path)) };
    }),
  );
}

function unreadable(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, {
      cause,
      hint: 'check its permissions, and where it is a link, that a file is there: Terraform reads it too',
    });
  };
}

/**
 * Refuses a folder whose configuration is a copy that Terragrunt creates again at each run, or is elsewhere.
 * @param dir absolute
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function refuseTerragrunt(dir: string): Promise<void> {
  const parts = (await followLinks(dir)).split(sep);
  const cache = parts.indexOf('.terragrunt-cache');
  const unit = cache === -1 ? dir : parts.slice(0, cache).join(sep);
  const isUnit =
    existsSync(join(unit, 'terragrunt.hcl')) && ((await configNames(dir)) ?? []).length === 0;
  if (cache === -1 && !isUnit) return;
  throw new MigrationError(
    'CONFIG_EDIT_REFUSED',
    cache === -1
      ? `${printable(dir, 300)} is a Terragrunt unit: it holds no Terraform configuration`
      : `${printable(dir, 300)} is inside a Terragrunt cache: Terragrunt overwrites what is edited there`,
    {
      hint: `edit the source that ${printable(unit, 300)}/terragrunt.hcl names; for its state run \`terragrunt state pull > state.json\` in ${printable(unit, 300)}, then plan with --state state.json`,
    },
  );
}

/** Where files and folders really are, by their names: both relative to the folder of the plan. */
export async function placesOf(
  paths: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const base = await followLinks(folder);
  const places = paths.map(async (path): Promise<readonly [string, string]> => {
    const place = await followLinks(join(folder, path));
    return [path, posixPath(relative(base, place)) || '.'];
  });
  return new Map(await Promise.all(places));
}
