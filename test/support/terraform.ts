import { type ProcessRun, runProcess } from './run-process';

/** Less garbage collection, because there are thousands of short runs. */
export const quickTerraform = { GOGC: '400' };

/** Variables of the caller that change what Terraform does. */
const foreign = /^(?:TF_|CLOUDFLARE_)/;

/**
 * Runs the terraform binary in a folder without a shell, without the Terraform and Cloudflare variables of the
 * caller, and without colour.
 */
export function terraform(
  dir: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<ProcessRun> {
  return runIn(dir, 'terraform', args, env);
}

/** Like {@link terraform}, for another program that runs it. */
export function runIn(
  dir: string,
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<ProcessRun> {
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return runProcess(program, args, {
    cwd: dir,
    env: {
      ...Object.fromEntries(own),
      CHECKPOINT_DISABLE: '1',
      TF_IN_AUTOMATION: '1',
      TF_INPUT: '0',
      TF_CLI_ARGS: '-no-color',
      ...quickTerraform,
      ...env,
    },
  });
}
