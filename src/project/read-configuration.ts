import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { mapConcurrently } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { folderAbove, followLinks, planFolder } from '../files/paths';
import { readRegularFile } from '../files/read-files';
import { type ConfigProject, type UnreadFile } from '../tfconfig/config';
import { type ConfigSource, configSyntax } from '../tfconfig/config-source';
import { type FolderFiles, readProject, requireWhole } from '../tfconfig/read-project';
import { findLegacyWafType } from '../tfstate/legacy-waf-types';

/** The configuration in the folder of a state, read from its files. */
export interface Configuration {
  readonly project: ConfigProject;
  /**
   * The targets of linked files, and of files in linked folders, by their names in the plan; both are relative to the
   * folder of the plan. Two folders with a link to the same file share that file.
   */
  readonly linkedFiles?: ReadonlyMap<string, string> | undefined;
}

/**
 * Reads the configuration of a folder and the local modules that it calls. Files that cannot be used are in
 * `project.unreadFiles`, with the reason.
 * @param dir relative to `folder`, parts joined by `/`, without links: Terraform resolves `..` from the target of a link
 * @param folder of the plan: all file names are relative to it
 * @returns undefined if the folder contains no configuration
 */
export async function readConfiguration(
  dir: string,
  folder: string,
): Promise<Configuration | undefined> {
  const project = await readProject(dir, (one) => readFolder(one, folder));
  if (project === undefined) return undefined;
  const base = await followLinks(folder);
  const linkedFiles = new Map<string, string>();
  for (const { path } of [...project.modules.values()].flatMap(({ files }) => files)) {
    const place = planFolder(base, await followLinks(join(folder, path)));
    if (place !== path) linkedFiles.set(path, place);
  }
  return { project, linkedFiles };
}

/**
 * Like {@link readConfiguration}, but requires every file: for planning and for changes.
 * @throws MigrationError `CONFIG_INVALID`, `FILE_UNREADABLE`, `CONFIG_EDIT_REFUSED`, with each file that
 *   cannot be used
 */
export async function requireConfiguration(
  dir: string,
  folder: string,
): Promise<Configuration | undefined> {
  const configuration = await readConfiguration(dir, folder);
  if (configuration !== undefined) requireWhole(configuration.project);
  return configuration;
}

/**
 * The outermost folder above a folder whose configuration calls it as a module.
 * @param dir absolute
 */
export async function rootModuleOf(dir: string): Promise<string | undefined> {
  const module = await followLinks(dir);
  let root: string | undefined;
  for (let above = dirname(module); above !== dirname(above); above = dirname(above)) {
    const configuration = await readConfiguration('.', above);
    if (configuration?.project.modules.has(planFolder(above, module)) === true) root = above;
  }
  return root;
}

const READS_AT_ONCE = 8;

/**
 * The modules with legacy blocks that an initialised Terraform folder outside of a plan calls too, with that folder.
 * Searches the folder above those of the plan and of these modules.
 * @param folder of the plan: all names are relative to it
 */
export async function otherCallers(
  configurations: readonly Configuration[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const roots = configurations.map(({ project }) => project.root);
  const shared = configurations.flatMap(({ project }) =>
    [...project.modules.values()].filter(({ dir, resources }) => {
      const hasLegacyBlock = resources.some((one) => findLegacyWafType(one.mode, one.type));
      return dir !== project.root && hasLegacyBlock;
    }),
  );
  const used = [...roots, ...shared.map(({ dir }) => dir)].map((dir) => join(folder, dir));
  const top = folderAbove(used);
  if (shared.length === 0 || top === dirname(top)) return new Map();
  const { glob } = await import('tinyglobby');
  const locks = await glob('**/.terraform.lock.hcl', {
    cwd: top,
    dot: true,
    followSymbolicLinks: false,
    ignore: ['**/.git/**', '**/.terraform/**', '**/node_modules/**', '**/cf-waf-migrate-*/**'],
  });
  // including modules, which can have a lock file of their own
  const ofPlan = new Set(configurations.flatMap(({ project }) => [...project.modules.keys()]));
  const dirs = locks.sort().map((lock) => planFolder(folder, join(top, dirname(lock))));
  const others = dirs.filter((dir) => !ofPlan.has(dir));
  const called = await mapConcurrently(others, READS_AT_ONCE, async (dir) => {
    const configuration = await readConfiguration(dir, folder);
    const modules = [...(configuration?.project.modules.keys() ?? [])];
    return modules.map((module) => [module, dir] as const);
  });
  return new Map(called.flat());
}

/**
 * The files of a folder that Terraform loads.
 * @param dir relative to `folder`, parts joined by `/`
 * @returns undefined if the folder does not exist
 */
async function readFolder(dir: string, folder: string): Promise<FolderFiles | undefined> {
  const names = await fileNames(join(folder, dir));
  if (names === undefined) return undefined;
  const inDir = (name: string): string => (dir === '.' ? name : `${dir}/${name}`);
  const sources: ConfigSource[] = [];
  const unreadFiles: UnreadFile[] = [];
  for (const path of names.filter(isLoaded).map(inDir)) {
    try {
      sources.push({ path, bytes: readRegularFile(join(folder, path)) });
    } catch (cause) {
      const hint = 'check its permissions; if it is a link, check that the file it leads to exists';
      const message = `cannot read ${printable(path)}`;
      const error = new MigrationError('FILE_UNREADABLE', message, { cause, hint });
      unreadFiles.push({ file: path, error });
    }
  }
  const refuse = (name: string, why: string, hint: string): void => {
    const message = `${printable(inDir(name), 300)}: ${why}`;
    const error = new MigrationError('CONFIG_EDIT_REFUSED', message, { hint });
    unreadFiles.push({ file: inDir(name), error });
  };
  const tofu = names.find((name) => /^[^.].*\.tofu(?:\.json)?$/su.test(name));
  if (tofu !== undefined) {
    // it can replace a file that is read
    const hint = 'rename it to .tf, or pass --state instead of --dir';
    refuse(tofu, 'only OpenTofu loads this file, and it is not read', hint);
  }
  if (names.includes('cdk.tf') && names.includes('metadata.json')) {
    // it must not be edited, and additions to it are not synthesised (cdktf 0.21)
    const hint =
      'synthesise it as JSON (without --hcl), and delete cdk.tf and metadata.json in its folder';
    refuse('cdk.tf', 'CDKTF synthesised this stack as HCL, which is not supported', hint);
  }
  return { sources, unreadFiles };
}

/**
 * The files in a folder, in order. Folders and pipes are left out, even if their names end in `.tf`; links
 * are included, whatever their target.
 * @returns undefined if the folder does not exist
 */
async function fileNames(folder: string): Promise<string[] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  return entries
    ?.filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .sort();
}

const isLoaded = (name: string): boolean => configSyntax(name) !== undefined;

/**
 * Refuses a folder whose configuration is elsewhere, or is a copy that Terragrunt recreates at each run.
 * @param dir absolute
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function refuseTerragrunt(dir: string): Promise<void> {
  const parts = (await followLinks(dir)).split(sep);
  const cache = parts.indexOf('.terragrunt-cache');
  const unit = printable(cache === -1 ? dir : parts.slice(0, cache).join(sep), 300);
  const isUnit =
    existsSync(join(dir, 'terragrunt.hcl')) && !((await fileNames(dir)) ?? []).some(isLoaded);
  if (cache === -1 && !isUnit) return;
  throw new MigrationError(
    'CONFIG_EDIT_REFUSED',
    `${printable(dir, 300)} is a Terragrunt unit or its cache: what Terragrunt runs is a copy`,
    {
      hint: `edit the source that ${unit}/terragrunt.hcl names; for its state run \`terragrunt state pull > state.json\` in ${unit}, then plan with --state state.json`,
    },
  );
}
