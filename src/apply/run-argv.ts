import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Run } from '../plan/plan';
import { withLockTimeout } from '../terraform/subcommands';
import { runTerraform, type TerraformOptions } from '../terraform/run-terraform';

/** Subcommands that a step may run as they stand in the plan; `apply` is none of them. */
const allowed = new Set(['state rm', 'import', 'init', 'plan']);

/** The flags of a run for Terraform: what stands behind the subcommand. */
export function flagsOf({ argv }: Run): { subcommand: string; rest: readonly string[] } {
  const start = argv[1]?.startsWith('-chdir=') ? 2 : 1;
  const end = argv[start] === 'state' ? start + 2 : start + 1;
  const subcommand = argv.slice(start, end).join(' ');
  if (argv[0] !== 'terraform' || !allowed.has(subcommand)) {
    throw new MigrationError(
      'PLAN_INVALID',
      `a step runs ${printable(argv.slice(0, 3).join(' '), 80)}`,
    );
  }
  return { subcommand, rest: argv.slice(end) };
}

/**
 * Runs a command of the plan in the folder of its state.
 * @throws MigrationError `PLAN_INVALID` for any other command, and as `runTerraform`
 */
export async function runArgv(run: Run, options: TerraformOptions): Promise<void> {
  const { subcommand, rest } = flagsOf(run);
  const flags = subcommand === 'init' ? rest : withLockTimeout(rest);
  await runTerraform([...subcommand.split(' '), ...flags], options);
}
