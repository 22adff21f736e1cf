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
import { type GenerateRequest } from '../../../generate/generate';
import { newProjectFiles } from '../../../generate/new-project';
import { type DetectedProvider, detectProvider } from '../../../project/provider-version';
import { cdktfFolder } from '../../../project/cdktf-project';
import { type CliContext } from '../../context';
import { advanced, defineFlags, type OptionsOf } from '../../flags';
import { foldersOfTerraform } from '../../terraform';
import { CONFIG, DEFAULT_ADDRESS, parseModuleAddress, STATES, ZONES } from '../../options';

export const GENERATE = defineFlags({
  ...ZONES,
  '--source <source>': {
    summary: 'source of the rules',
    choices: ['auto', 'config', 'live', 'state', 'old'],
    usual: 'auto',
  },
  ...CONFIG,
  ...STATES,
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

/** The place and form of the stacks. */
export interface GenerateTarget {
  /** What all stacks have in common. Without a resource name, each gets a separate one. */
  readonly request: Omit<GenerateRequest, 'zone' | 'source'>;
  /** The files of a new project except its stacks; none without a new project. */
  readonly beside: readonly FileToWrite[];
  /** Why this provider version. */
  readonly because: string;
  /** The project that exists there. */
  readonly existing: ExistingProject | undefined;
  /** The folder of the CDKTF project that the stack or construct is in. */
  readonly project: string | undefined;
}

/**
 * Decides where the stacks are written, before the first request.
 * @param many whether several zones share the folder
 * @throws MigrationError `USAGE`, `PROJECT_UNSUITABLE`
 */
export async function chooseTarget(
  options: GenerateOptions,
  { cwd }: CliContext,
  many: boolean,
): Promise<GenerateTarget> {
  const { address, project, importBlock = false, force = false } = options;
  const existing =
    project === undefined
      ? await readExistingProject(resolve(cwd, options.out ?? '.'), options.format)
      : undefined;
  const format = options.format ?? existing?.format ?? 'cdktf';
  const hasProgram = isProgram(format);
  const { modulePath, resourceName } = parseModuleAddress(address ?? DEFAULT_ADDRESS);
  // each CDKTF stack has its own state, but constructs can share a stack, and files a folder
  const isShared = many && format !== 'cdktf';
  const isNamedByZone = isShared || (format === 'construct' && address === undefined);
  refuseFirst([
    [
      options.out !== undefined && project !== undefined,
      '--out and --project are two places: pass one',
    ],
    [project !== undefined && format !== 'cdktf', '--project goes with --format cdktf'],
    [
      modulePath !== '' && hasProgram,
      'a CDKTF stack is a root module: --address names a resource without a module',
    ],
    [importBlock && hasProgram, '--import-block goes with --format hcl or tfjson'],
    [importBlock && modulePath !== '', '--import-block goes with a resource of the root module'],
    [
      isShared && address !== undefined,
      '--address is one resource, and the zones share one folder or stack',
    ],
  ]);
  const own = project === undefined ? undefined : resolve(cwd, project);
  const place =
    own === undefined ? (options.out ?? (hasProgram ? 'stacks' : '.')) : join(own, 'stacks');
  const out = existing?.out ?? resolve(cwd, place);
  const folders = [...(options.dir ?? []), '.', ...foldersOfTerraform(cwd)];
  const inProject = own ?? (hasProgram ? cdktfFolder(out) : undefined);
  const places = [inProject ?? out, out, ...folders.map((dir) => resolve(cwd, dir))];
  const { major, because } = await chooseProvider(options, format, places);
  // a new project uses the packages of CDKTF, whatever the folders around it use
  const program = own === undefined && hasProgram ? await programContext(out) : {};
  return {
    request: {
      ...{ format, ...program, out, importBlock, force, provider: major },
      ...(isNamedByZone ? { modulePath: '' } : { modulePath, resourceName }),
    },
    beside: own === undefined ? [] : newProjectFiles(own, major),
    ...{ because, existing, project: inProject },
  };
}

/** @throws MigrationError `USAGE` with the message of the first case that applies */
function refuseFirst(cases: readonly (readonly [applies: boolean, message: string])[]): void {
  const found = cases.find(([applies]) => applies);
  if (found !== undefined) throw new MigrationError('USAGE', found[1]);
}

async function chooseProvider(
  { provider }: GenerateOptions,
  format: FormatName,
  folders: readonly string[],
): Promise<DetectedProvider> {
  const major = provider === undefined ? undefined : findProviderMajor(provider);
  if (major !== undefined) return { major, because: 'as --provider says' };
  return detectProvider([...new Set(folders)], format);
}
