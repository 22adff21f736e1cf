import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type ConfigModule } from '../../tfconfig/config';
import { configSyntax } from '../../tfconfig/config-source';
import { allowedMajors } from '../../core/provider-majors';
import { attempt, MigrationError, writing } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Plan, type PlanState } from '../../plan/plan-schema';
import { majorOf } from '../../plan/facts/provider-versions';
import { BACKUP_FOLDER } from '../../files/backups';
import { folderAbove } from '../../files/paths';
import { type ApplyRequest } from '../apply-context';
import { requireConfiguration } from '../../project/read-configuration';
import { isCloudflareRequirement } from '../../project/provider-version';

interface CalledModule {
  readonly dir: string;
  readonly state: string;
  /** The folder that Terraform runs in. */
  readonly root: string;
  readonly module: ConfigModule | undefined;
}

/**
 * Copies every folder of the configurations, and keeps their relative paths.
 * @param root the folder of the copy; nothing is written outside it
 * @returns `addFilesRead`: copies the other files that the configurations read, without overwriting. Call it after the
 *   states are copied: otherwise `terraform init` takes some of these files for its own states.
 * @throws MigrationError `FILE_UNWRITABLE`, `CONFIG_INVALID`, `REHEARSAL_IMPOSSIBLE`
 */
export async function copyConfigurations(
  { plan, folder }: Pick<ApplyRequest, 'plan' | 'folder'>,
  root: string,
) {
  const base = realpathSync(folder);
  const modules: CalledModule[] = [];
  for (const state of plan.states) modules.push(...(await modulesOf(state, base)));
  const read = modules.flatMap((one) => pathsRead(one, plan));
  const files = [...new Set(read.flatMap(({ file }) => file ?? []))];
  const folders = [...new Set(read.flatMap((one) => one.folder ?? []))].filter(
    (one) => !modules.some(({ dir }) => isWithin(one, dir)),
  );
  const top = folderAbove([base, ...modules.map(({ dir }) => dir), ...files, ...folders]);
  const copied = (path: string): string => join(root, relative(top, path));
  mkdirSync(copied(base), { recursive: true });
  const copy = limitedCopy(OF_CONFIGURATION);
  for (const { dir } of modules) copyFolder(dir, copied(dir), copy, isLeftOut);
  const addFilesRead = (): void => {
    for (const one of folders) copyFolder(one, copied(one), copy, isToolFolder);
    for (const one of files) copy.file(one, copied(one));
  };
  for (const { state, provider } of plan.steps) {
    if (provider === undefined) continue;
    for (const { dir, module } of modules.filter((one) => one.state === state)) {
      if (module) setProviderVersion(copied(dir), module, provider);
    }
  }
  return { folder: copied(base), addFilesRead };
}

async function modulesOf({ name, dir }: PlanState, base: string): Promise<CalledModule[]> {
  const root = resolve(base, dir);
  const configuration = await requireConfiguration(dir, base);
  const modules = [...(configuration?.project.modules.values() ?? [])];
  if (modules.length === 0) return [{ dir: root, state: name, root, module: undefined }];
  return modules.map((module) => ({ dir: resolve(base, module.dir), state: name, root, module }));
}

/**
 * Finds what a configuration may read: files whose path is a quoted text, and the folders of patterns and
 * expressions. Absolute paths need no copy, because they are valid in the copy too.
 */
function pathsRead(called: CalledModule, { steps }: Plan): { file?: string; folder?: string }[] {
  const runs = steps.flatMap((step) => (step.state === called.state ? (step.runs ?? []) : []));
  const given = runs.flatMap(({ argv }) => argv.map((word) => word.replace(/^--?var-file=/, '')));
  const texts = (called.module?.files ?? []).flatMap(({ text }) => text.split('"'));
  const paths = [...new Set([...given, ...texts])].flatMap((text) => pathsNamed(text, called));
  return paths.flatMap((path) => {
    const stats = attempt(() => statSync(path));
    if (stats?.isFile()) return { file: path };
    return stats?.isDirectory() ? { folder: join(path, '.') } : [];
  });
}

/** The part of a path before its first pattern or expression. */
const PATH = /^(?:\$\{\s*path\.(module|root|cwd)\s*\}\/?)?([^\0\n$%*?[{]*)(.*)$/s;

/** The paths that a text can be; of a pattern or an expression, that of its folder. */
function pathsNamed(text: string, { dir, root }: CalledModule): string[] {
  const [, from, path = '', rest = ''] = PATH.exec(text.replace(/(?<!\\)\\+$/, '')) ?? [];
  if (path.length > 1000 || (from === undefined && !/^[\w.][^:]*$/.test(path))) return [];
  const named = rest === '' ? path : path.slice(0, path.lastIndexOf('/') + 1);
  if (from === undefined) return [join(root, named), join(dir, named)];
  return [join(from === 'module' ? dir : root, named)];
}

/**
 * Copies contents, so that no write reaches the originals. Overwrites nothing. Follows links, except those to a
 * parent folder. Skips unreadable folders and special files.
 */
function copyFolder(
  from: string,
  to: string,
  copy: LimitedCopy,
  leftOut: (name: string) => boolean,
  above: readonly string[] = [],
): void {
  const real = attempt(() => realpathSync(from));
  const names = attempt(() => readdirSync(from));
  if (real === undefined || names === undefined) return;
  if (above.some((one) => isWithin(real, one))) return;
  copy.folder(from, to);
  for (const name of names.filter((one) => !leftOut(one))) {
    const path = join(from, name);
    const stats = attempt(() => statSync(path));
    if (stats?.isDirectory()) copyFolder(path, join(to, name), copy, leftOut, [real, ...above]);
    else if (stats?.isFile()) copy.file(path, join(to, name));
  }
}

/** Copies an installed module, which can have links and large folders of other users. */
export function copyInstalled(from: string, to: string): void {
  copyFolder(from, to, limitedCopy(OF_MODULES), (name) => name === '.git');
}

type LimitedCopy = ReturnType<typeof limitedCopy>;

interface Limit {
  /** In GiB, of all files. */
  readonly most: number;
  readonly hint?: string;
}

/** Any quoted text of a configuration can name a large folder outside it. */
const OF_CONFIGURATION: Limit = {
  most: 4,
  hint: 'move large files that Terraform does not read out of these folders',
};
/** Terraform installs a whole repository for each call of a module in it. */
const OF_MODULES: Limit = { most: 16 };

/** In bytes: also an empty file, or a link, takes time. */
const LEAST_OF_FILE = 4096;
/** In bytes. Links can lead to a folder on very many paths, and each gets a copy. */
const OF_FOLDER = 65_536;

/** A file that several paths lead to is copied once, so that an edit of the copy changes it at all of them too. */
function limitedCopy(limit: Limit) {
  let size = 0;
  const copies = new Map<string, string>();
  const add = (path: string, bytes: number): void => {
    size += bytes;
    if (size > limit.most * 1024 ** 3) throw tooLarge(path, limit);
  };
  return {
    folder: (from: string, to: string): void => {
      add(from, OF_FOLDER);
      copying(from, () => mkdirSync(to, { recursive: true }));
    },
    file: (from: string, to: string): void => {
      if (existsSync(to)) return;
      const real = realpathSync(from);
      const first = copies.get(real);
      add(from, first === undefined ? Math.max(statSync(from).size, LEAST_OF_FILE) : LEAST_OF_FILE);
      if (first !== undefined && isLinked(first, to)) return;
      copies.set(real, to);
      copying(from, () => {
        mkdirSync(dirname(to), { recursive: true });
        copyFileSync(from, to, constants.COPYFILE_FICLONE);
      });
    },
  };
}

function isLinked(first: string, to: string): boolean {
  mkdirSync(dirname(to), { recursive: true });
  // Windows allows links only with a privilege
  return attempt(() => (symlinkSync(relative(dirname(to), first), to), true)) ?? false;
}

function tooLarge(file: string, { most, hint }: Limit): MigrationError {
  const what = 'the folders of the configuration, and those that its strings name';
  const message = `${what}, have too many folders, or more than ${most} GiB: ${printable(file)} is not copied`;
  return new MigrationError('REHEARSAL_IMPOSSIBLE', message, { hint });
}

/** @throws MigrationError `FILE_UNWRITABLE` */
export function copying(from: string, copy: () => void): void {
  writing(
    `cannot copy ${printable(from)} for the rehearsal`,
    copy,
    'check that it is readable, and that TMPDIR (on Windows TEMP) is writable and has space',
  );
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isToolFolder(name: string): boolean {
  return ['.git', '.terraform', 'node_modules', BACKUP_FOLDER].includes(name);
}

/**
 * Whether a name is not part of the configuration. States and the data of Terraform are copied separately.
 * Rehearsal copies are in the folder if `TMPDIR` is.
 */
function isLeftOut(name: string): boolean {
  if (configSyntax(name) !== undefined) return false;
  return (
    isToolFolder(name) ||
    /^(cf-waf-migrate-rehearsal-\w{6}|terraform\.tfstate\.d|.*\.tfstate(\..*)?)$/.test(name)
  );
}

/** Terraform merges override files by name, and the last one wins: `~` sorts after every letter. */
const PROVIDER_OVERRIDE = '~~cf_waf_migrate_provider_override.tf.json';

/** Makes the copy of a module require a version of the Cloudflare provider, unless it allows only that major version. */
function setProviderVersion(dir: string, module: ConfigModule, version: string): void {
  const others = module.requirements
    .filter(isCloudflareRequirement)
    .filter((one) => allowedMajors(one.version ?? '').join() !== String(majorOf(version)));
  if (others.length === 0) return;
  // an override replaces all attributes of a provider
  const required = others.map(({ name, source, aliases }) => {
    const entry = { ...(source !== undefined && { source }), version };
    const withAliases = aliases.length > 0 && { configuration_aliases: aliases };
    return [name, { ...entry, ...withAliases }] as const;
  });
  const terraform = { required_providers: Object.fromEntries(required) };
  writeFileSync(join(dir, PROVIDER_OVERRIDE), JSON.stringify({ terraform }));
}
