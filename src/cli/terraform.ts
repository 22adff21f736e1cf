import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { attempt, MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { printable } from '../core/printable';
import { planFolder } from '../files/paths';
import { foldersOfTerraform, stacksFolder, synthCommand } from '../project/cdktf-project';
import { neutralisedVariables } from '../terraform/environment';
import { initOf } from '../terraform/failures';
import { type TerraformSettings } from '../terraform/run-terraform';
import { statePull } from '../terraform/subcommands';
import { type CliContext } from './context';
import { terraformIn } from '../plan/formats/render-command';
import { parseCount, type StatePlaces, type TerraformFlags } from './options';

/** How Terraform is run, by the flags and the environment of the user. */
export function terraformOptions(options: TerraformFlags, context: CliContext): TerraformSettings {
  const { environment, interrupted, hurry, hold, verbose, stderr, notify, notifyOnce } = context;
  const seconds = parseCount('--terraform-timeout', options.terraformTimeout, 1);
  const ignored = neutralisedVariables(environment);
  if (ignored.length > 0) {
    notifyOnce(
      `${ignored.join(', ')} ${ignored.length === 1 ? 'is' : 'are'} ignored: pass flags for Terraform after --, and see its output with --verbose`,
    );
  }
  return {
    binary: binaryOf(options, context),
    timeout: seconds * 1000,
    signal: interrupted,
    environment,
    hurry,
    hold,
    waiting: notify,
    ...(verbose ? { watch: stderr } : {}),
  };
}

/** What `--terraform` says: a path is one of the user's folder, not of Terraform's; a name is looked up in `PATH`. */
export function binaryOf({ terraform }: TerraformFlags, { cwd }: Pick<CliContext, 'cwd'>): string {
  return /[\\/]/.test(terraform) ? resolve(cwd, terraform) : terraform;
}

/** Reads the raw states, without states that do not exist yet. */
export async function readRawStates(options: StatePlaces, context: CliContext): Promise<Buffer[]> {
  const { state } = options;
  if (state !== undefined) return [await readStateInput(state, context)];
  const terraform = terraformOptions(options, context);
  const states = await readFolders(
    options,
    context,
    (folder) => statePull({ ...terraform, dir: folder }),
    '--zone <id or name>, --dir <folder> or --state <file>',
  );
  return states.filter((bytes) => bytes.length > 0);
}

/**
 * Reads the folders of `--dir`; without it, this folder or the stacks of its CDKTF project. An error names all folders
 * that are not initialised.
 * @param read takes an absolute path
 * @param flags that the command can take instead
 */
export async function readFolders<Facts>(
  { dir }: Pick<StatePlaces, 'dir'>,
  { cwd }: Pick<CliContext, 'cwd'>,
  read: (dir: string) => Promise<Facts>,
  flags = '--dir <folder> or --state <file>',
): Promise<Facts[]> {
  const folders = [...new Set((dir ?? foldersOfTerraform(cwd)).map((path) => resolve(cwd, path)))];
  if (folders.length === 0) throw noFolder(cwd, flags);
  if (dir !== undefined) for (const folder of folders) refuseProject(folder, cwd);
  const facts: Facts[] = [];
  const inits: string[] = [];
  let first: MigrationError | undefined;
  for (const folder of folders) {
    try {
      facts.push(await read(folder));
    } catch (error) {
      const isToInitialise = error instanceof MigrationError && initOf(error.hint) === 'init';
      if (!isToInitialise || folders.length === 1) throw error;
      first ??= error;
      inits.push(terraformIn(planFolder(cwd, folder), 'init'));
    }
  }
  if (first === undefined) return facts;
  throw first.withHint(
    `initialise each folder below, then run the same command again:\n${inits.join('\n')}`,
  );
}

function noFolder(cwd: string, flags: string): MigrationError {
  const message = 'there is no Terraform configuration in this folder';
  const hint =
    stacksFolder(cwd) === undefined
      ? `run the command in a Terraform folder, or pass ${flags}`
      : `synthesise the CDKTF project, then run the command again. If the program itself sets outdir, set output in cdktf.json to the same folder:\n${synthCommand(cwd)}`;
  return new MigrationError('USAGE', message, { hint });
}

/** The states of a CDKTF project are those of its stacks. */
function refuseProject(folder: string, cwd: string): void {
  const output = stacksFolder(folder);
  if (output === undefined || foldersOfTerraform(folder).includes('.')) return;
  const place = planFolder(cwd, folder);
  const message = `${printable(place, 200)} is the folder of a CDKTF project: only its stacks have a state`;
  throw new MigrationError('USAGE', message, {
    hint: `synthesise it there with \`${synthCommand(folder)}\`, then pass its stacks: --dir ${posixQuote(join(place, output))}/<stack>`,
  });
}

/** Refuses a folder in which Terraform was never used: its empty state would read as if nothing were left to do. */
export function refuseUnused(path: string, cwd: string): void {
  const folder = resolve(cwd, path);
  const used = attempt(() => foldersOfTerraform(folder));
  // another error tells of a folder that cannot be read, and of that of a project
  if (used === undefined || used.length > 0 || stacksFolder(folder) !== undefined) return;
  const place = printable(planFolder(cwd, folder), 200);
  throw new MigrationError('USAGE', `there is no Terraform configuration in ${place}`, {
    hint: 'pass the folder of the configuration, or that of each stack: --dir <folder...>',
  });
}

export async function readStateInput(path: string, context: CliContext): Promise<Buffer> {
  if (path === '-') return buffer(context.readStdin());
  const file = resolve(context.cwd, path);
  try {
    // synchronously, because reading a large state with promises takes twice as long
    return readFileSync(file);
  } catch (cause) {
    throw new MigrationError('STATE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  }
}
