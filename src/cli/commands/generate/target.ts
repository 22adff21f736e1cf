import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type FormatName, isProgram, STACK_FORMATS } from '../../../core/format-names';
import { MigrationError } from '../../../core/migration-error';
import { posixQuote } from '../../../core/posix-quote';
import { printable } from '../../../core/printable';
import { findProviderMajor, PROVIDER_MAJORS } from '../../../core/provider-majors';
import { planFolder, refuseLinkOut } from '../../../files/paths';
import { textOfFile } from '../../../files/read-files';
import { type FileToWrite } from '../../../files/write-files';
import {
  type ExistingProject,
  programContext,
  readExistingProject,
  requireTypeScript,
} from '../../../generate/existing-project';
import { type GenerateRequest } from '../../../generate/generate';
import { newProjectFiles } from '../../../generate/new-project';
import { detectProvider, lockedVersion } from '../../../project/provider-version';
import { cdktfFolder, foldersOfTerraform, isStackFolder } from '../../../project/cdktf-project';
import { type CliContext } from '../../context';
import { advanced, defineFlags, type OptionsOf } from '../../flags';
import { DEFAULT_ADDRESS } from '../../../core/ruleset';
import { CONFIG, parseRulesetAddress, STATES, ZONES } from '../../options';

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
  '--out <dir>': 'project or folder (default: this folder; stacks/ for CDKTF without a project)',
  '--force': 'overwrite files that differ',
  '--project <dir>': { summary: 'create a CDKTF project with the stack', conflicts: ['out'] },
  '--address <address>': advanced('resource address, with a module if needed'),
});

export type GenerateOptions = OptionsOf<typeof GENERATE>;

export interface GenerateTarget {
  /** What all stacks have in common. Without a resource name, each gets a separate one. */
  readonly request: Omit<GenerateRequest, 'zone' | 'source'>;
  /** The files of a new project except its stacks; none without a new project. */
  readonly beside: readonly FileToWrite[];
  readonly because: string;
  readonly existing: ExistingProject | undefined;
  /** The folder of the CDKTF project that the stack or construct is in. */
  readonly project: string | undefined;
  /** Whether the stacks are for a later version than one of the folders has. */
  readonly isUpgrade: boolean;
}

/**
 * Decides where the stacks are written, before the first request.
 * @param many whether several zones share the folder
 */
export async function chooseTarget(
  options: GenerateOptions,
  { cwd }: CliContext,
  many: boolean,
): Promise<GenerateTarget> {
  const { importBlock = false, force = false } = options;
  const place = await choosePlace(options, cwd);
  const { format, out, root, existing, project } = place;
  const names = chooseNames(options, format, many);
  const isNew = options.project !== undefined;
  if (isProgram(format) && !isNew) requireTypeScript(root);
  const { provider, ...chosen } = await chooseProvider(options, place, cwd);
  const beside = isNew ? newProjectFiles(root, provider) : [];
  await refuseLinkOut(root, cwd);
  for (const folder of new Set([out, ...beside.map(({ path }) => dirname(path))])) {
    await refuseLinkOut(folder, root);
  }
  if (isNew) refuseOtherProject(root, beside, cwd);
  // a new project uses the packages of CDKTF, whatever the folders around it use
  const program = isProgram(format) && !isNew ? programContext(out) : {};
  return {
    request: { format, ...program, out, importBlock, force, provider, ...names },
    beside,
    existing,
    project,
    ...chosen,
  };
}

interface Place extends Pick<GenerateTarget, 'existing' | 'project'> {
  readonly format: FormatName;
  readonly out: string;
  /** The folder that the user named: no link leads out of it. */
  readonly root: string;
}

/** The folder and the format of the stacks, as the user says or as the project in the folder has them. */
async function choosePlace(options: GenerateOptions, cwd: string): Promise<Place> {
  if (options.project !== undefined) {
    const root = resolve(cwd, options.project);
    const { format = 'cdktf' } = options;
    return { format, out: join(root, 'stacks'), root, project: root, existing: undefined };
  }
  const root = resolve(cwd, options.out ?? '.');
  refuseStackFolder(root, cwd);
  const existing = await readExistingProject(root, options.format);
  const format = options.format ?? existing?.format ?? 'cdktf';
  if (!isProgram(format)) return { format, out: root, root, existing, project: undefined };
  const out = existing?.out ?? (options.out === undefined ? resolve(cwd, 'stacks') : root);
  const project = cdktfFolder(out);
  const above = project === undefined ? undefined : await readExistingProject(project, format);
  return { format, out, root, existing: existing ?? (above && { ...above, out }), project };
}

/** The module and the name of the rulesets; without a name, each zone gets a separate one. */
function chooseNames(options: GenerateOptions, format: FormatName, many: boolean) {
  const { address } = options;
  const { modulePath, resourceName } = parseModuleAddress(address ?? DEFAULT_ADDRESS);
  // each CDKTF stack has its own state, but constructs can share a stack, and files a folder
  const isShared = many && format !== 'cdktf';
  refuseContradictions(options, format, { isModule: modulePath !== '', isShared });
  if (address !== undefined) return { modulePath, resourceName };
  if (isShared || format === 'construct') return { modulePath };
  return { modulePath, newName: resourceName };
}

/** The provider version of the stacks, why it was chosen, and whether one of the folders has an earlier one. */
async function chooseProvider(options: GenerateOptions, place: Place, cwd: string) {
  const dirs = [...(options.dir ?? []), '.', ...foldersOfTerraform(cwd)];
  const folders = new Set([
    place.project ?? place.out,
    place.out,
    ...dirs.map((dir) => resolve(cwd, dir)),
  ]);
  const detected = await detectProvider([...folders], place.format);
  const locked = [...folders].flatMap((dir) => findProviderMajor(lockedVersion(dir) ?? '') ?? []);
  const given = findProviderMajor(options.provider ?? '');
  const provider = given ?? detected.major;
  return {
    provider,
    because: given === undefined ? detected.because : 'from --provider',
    isUpgrade: [detected.major, ...locked].some((one) => one < provider),
  };
}

const IN_MODULE = /^((?:module\.[A-Za-z_][A-Za-z0-9_-]*\.)*)(cloudflare_ruleset\..*)$/;

/**
 * Checks `--address`, which can name a module. The module has no key, because each of its instances would declare the
 * one entry point of the zone.
 * @returns the name, and the module as `module.waf.module.zone.`, empty for the root module
 */
function parseModuleAddress(text: string) {
  const [, modulePath = '', resource = text] = IN_MODULE.exec(text) ?? [];
  return { modulePath, resourceName: parseRulesetAddress(resource) };
}

function refuseContradictions(
  { project, importBlock = false, address }: GenerateOptions,
  format: FormatName,
  { isModule, isShared }: Record<'isModule' | 'isShared', boolean>,
): void {
  const hasProgram = isProgram(format);
  const refuse = (message: string): never => {
    throw new MigrationError('USAGE', message);
  };
  if (project !== undefined && format !== 'cdktf') refuse('--project goes with --format cdktf');
  if (isModule && (hasProgram || importBlock))
    refuse(
      'CDKTF and --import-block are for the root module: --address names a resource without a module',
    );
  if (importBlock && hasProgram) refuse('--import-block goes with --format hcl or tfjson');
  if (isShared && address !== undefined)
    refuse('--address is one resource, and the zones share one folder or stack');
}

/** The next synthesis deletes other files of the folder. */
function refuseStackFolder(folder: string, cwd: string): void {
  if (!isStackFolder(folder)) return;
  const place = planFolder(cwd, folder);
  const project = posixQuote(planFolder(cwd, cdktfFolder(folder) ?? '<project>'));
  throw new MigrationError(
    'PROJECT_UNSUITABLE',
    `${printable(place)} is a folder that CDKTF generates: the program would not have the ruleset`,
    { hint: `pass --format construct --out ${project}, to write it into the program` },
  );
}

function refuseOtherProject(folder: string, files: readonly FileToWrite[], cwd: string): void {
  const isProject = ['cdktf.json', 'package.json'].some((name) => existsSync(join(folder, name)));
  const isOther = ({ path, text }: FileToWrite): boolean =>
    existsSync(path) && textOfFile(path) !== text;
  if (!isProject || !files.some(isOther)) return;
  const place = planFolder(cwd, folder);
  throw new MigrationError('PROJECT_UNSUITABLE', `${printable(place)} has a project already`, {
    hint: `add the stack to it: pass --out ${posixQuote(place)} instead of --project`,
  });
}
