import { neutralisedVariables } from '../terraform/terraform-environment';
import { inGroup } from './option-group';
import { type Command as Commander } from 'commander';
import { isAbsolute, resolve } from 'node:path';
import { planFolder } from '../files/plan-folder';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type TerraformOptions } from '../terraform/run-terraform';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { notify } from './notify';

/** Flags of the commands that run Terraform. */
export interface TerraformFlags {
  readonly terraform: string;
  readonly terraformTimeout: string;
}

/** Adds the flags of {@link TerraformFlags}. */
export function withTerraform(command: Commander): Commander {
  return inGroup(command, 'Terraform', (group) =>
    group
      .option('--terraform <path>', 'the Terraform binary', 'terraform')
      .option('--terraform-timeout <seconds>', 'how long a run of it may take', '600'),
  );
}

/**
 * How Terraform is run, by the flags and the environment of the user.
 * @throws MigrationError `USAGE`
 */
export function terraformOptions(
  options: TerraformFlags & CommonOptions,
  context: CliContext,
): Omit<TerraformOptions, 'dir'> {
  const { environment, cwd, interrupted } = context;
  const { terraform, terraformTimeout } = options;
  const seconds = /^\d{1,5}$/.test(terraformTimeout) ? Number(terraformTimeout) : 0;
  if (seconds === 0) {
    const given = printable(terraformTimeout, 20);
    throw new MigrationError('USAGE', `--terraform-timeout "${given}" is not a number of seconds`);
  }
  const ignored = neutralisedVariables(environment);
  if (ignored.length > 0) {
    notify(
      options,
      context,
      `${ignored.join(', ')} ${ignored.length === 1 ? 'is' : 'are'} not passed on: arguments for Terraform go after --, and --verbose shows what it says\n`,
    );
  }
  return {
    // a path is one of the user's folder, not of Terraform's
    binary: isPath(terraform) ? resolve(cwd, terraform) : terraform,
    environment,
    timeout: seconds * 1000,
    signal: interrupted,
    hurry: context.hurry,
    hold: context.hold,
    waiting: (text) => {
      notify(options, context, `${text}\n`);
    },
    ...(options.verbose ? { watch: context.stderr } : {}),
  };
}

/** What the user gives as `--terraform`, as commands name it that are run in another folder than the working one. */
export function binaryFrom(folder: string, terraform: string, cwd: string): string {
  if (folder === cwd || !isPath(terraform) || isAbsolute(terraform)) return terraform;
  const path = planFolder(folder, resolve(cwd, terraform));
  return isPath(path) ? path : `./${path}`;
}

/** A name without a separator is looked up in `PATH`. */
function isPath(terraform: string): boolean {
  return /[\\/]/.test(terraform);
}
