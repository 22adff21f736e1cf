import { join, resolve } from 'node:path';
import { type FormatName, isProgram, STACK_FORMATS } from '../../../core/format-names';
import { MigrationError } from '../../../core/migration-error';
import { findProviderMajor, PROVIDER_MAJORS } from '../../../core/provider-majors';
import { type FileToWrite } from '../../../files/write-files';
import {
  type ExistingProject,
  programContext,
  readExistingProject,
} from '../../../generate/existing-project';
import { newProjectFiles } from '../../../generate/new-project';
import { type DetectedProvider, detectProvider } from '../../../project/provider-version';
import { type CliContext } from '../../context';
import { advanced, defineFlags, type OptionsOf } from '../../flags';
import { foldersOfTerraform } from '../../terraform';
import { CONFIG, DEFAULT_ADDRESS, LEGACY_SETTINGS, parseModuleAddress, ZONES } from '../../options';

export const GENERATE = defineFlags({
  ...ZONES,
  '--source <source>': {
    summary: 'source of the rules',
    choices: ['auto', 'config', 'live', 'state', 'old'],
    usual: 'auto',
  },
  ...CONFIG,
  ...LEGACY_SETTINGS,
  '--provider <major>': {
    summary: 'provider version (default: detected)',
    choices: PROVIDER_MAJORS.map(String),
  },
  '--format <format>': { summary: 'output', choices: STACK_FORMATS },
  '--import-block': 'also write the import block (HCL, Terraform JSON)',
  '--out <dir>': 'project or folder (default: this folder)',
  '--force': 'overwrite files that differ',
  '--project <dir>': 'create a CDKTF project with the stack',
  '--address <address>': advanced('resource address, with a module if needed'),
});

export type GenerateOptions = OptionsOf<typeof GENERATE>;

/** The place and form of a stack. */
export interface GenerateTarget {
  readonly format: FormatName;
  readonly flavor: 'cdktf' | 'cdktn';
  /** The source of a program's bindings; if absent, the package of the flavor. */
  readonly bindings: string | undefined;
  readonly out: string;
  /** Absent if each of several zones in one folder gets a separate name. */
  readonly resourceName?: string;
  readonly modulePath: string;
  readonly provider: DetectedProvider;
  /** The folder of a new project. */
  readonly project?: string;
  /** The project that exists there. */
  readonly existing: ExistingProject | undefined;
}

/**
 * Decides where the stacks are written, before the first request.
 * @param many whether several zones share the folder
 * @throws MigrationError `USAGE`, `PROJECT_UNSUITABLE`
 */
export async function chooseTarget(
  options: GenerateOptions,
  context: CliContext,
  many: boolean,
): Promise<GenerateTarget> {
  const { address, project } = options;
  if (options.out !== undefined && project !== undefined) {
    throw usage('--out and --project are two places: pass one');
  }
  const folder = resolve(context.cwd, options.out ?? '.');
  const existing =
    project === undefined ? await readExistingProject(folder, options.format) : undefined;
  const format = options.format ?? existing?.format ?? 'cdktf';
  if (project !== undefined && format !== 'cdktf') {
    throw usage('--project goes with --format cdktf');
  }
  const place = parseModuleAddress(address ?? DEFAULT_ADDRESS);
  if (place.modulePath !== '' && isProgram(format)) {
    throw usage('a CDKTF stack is a root module: --address names a resource without a module');
  }
  if (options.importBlock && isProgram(format)) {
    throw usage('--import-block goes with --format hcl or tfjson');
  }
  if (options.importBlock && place.modulePath !== '') {
    throw usage('--import-block goes with a resource of the root module');
  }
  const shared = many && !isProgram(format);
  if (shared && address !== undefined) {
    throw usage(`--address is one resource, and the zones share one folder`);
  }
  const out = existing?.out ?? outputFolder(options, context, format);
  const dirs = (options.dir ?? []).map((dir) => resolve(context.cwd, dir));
  const stacks = foldersOfTerraform(context.cwd).map((dir) => resolve(context.cwd, dir));
  const places = [existing?.dir, out, ...dirs, context.cwd, ...stacks];
  const provider = await chooseProvider(options, context, format, places);
  return {
    format,
    // a new project uses the packages of CDKTF, whatever the folders around it use
    ...(project === undefined && isProgram(format)
      ? await programContext(out)
      : { flavor: 'cdktf', bindings: undefined }),
    out,
    ...(shared ? { modulePath: '' } : place),
    provider,
    ...(project === undefined ? {} : { project: resolve(context.cwd, project) }),
    existing,
  };
}

/** The options of a stack that its target sets. */
export function requestOf(
  { format, flavor, bindings, out, resourceName, modulePath, provider }: GenerateTarget,
  { force = false, importBlock = false }: GenerateOptions,
) {
  return {
    format,
    flavor,
    bindings,
    out,
    modulePath,
    ...(resourceName === undefined ? {} : { resourceName }),
    provider: provider.major,
    importBlock,
    force,
  };
}

/** The files of a new project except its stacks; none without a new project. */
export function filesBeside({ project, provider }: GenerateTarget): FileToWrite[] {
  if (project === undefined) return [];
  return newProjectFiles(project, provider.major);
}

function outputFolder(
  { out, project }: GenerateOptions,
  { cwd }: CliContext,
  format: FormatName,
): string {
  if (project !== undefined) return resolve(cwd, join(project, 'stacks'));
  return resolve(cwd, out ?? (isProgram(format) ? 'stacks' : '.'));
}

async function chooseProvider(
  { provider, state }: GenerateOptions,
  { cwd }: CliContext,
  format: FormatName,
  folders: readonly (string | undefined)[],
): Promise<DetectedProvider> {
  const major = provider === undefined ? undefined : findProviderMajor(provider);
  if (major !== undefined) return { major, because: 'as --provider says' };
  const places = [...new Set(folders.filter((folder) => folder !== undefined))];
  // standard input can be read only once, by the translation
  const stateFile = state === undefined || state === '-' ? undefined : resolve(cwd, state);
  return detectProvider(places, { format, stateFile });
}

function usage(message: string): MigrationError {
  return new MigrationError('USAGE', message);
}
