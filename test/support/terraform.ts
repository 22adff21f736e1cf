import { spawn } from 'node:child_process';

export interface TerraformRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** Less collecting of garbage: these runs are short, and there are thousands of them. */
export const quickTerraform = { GOGC: '400' };

/** What would change what Terraform does, and does not come from the test. */
const foreign = /^(?:TF_|CLOUDFLARE_)/;

/**
 * Runs the terraform binary in a folder: no shell, nothing of the caller's Terraform or Cloudflare
 * environment, no colour.
 */
export function terraform(
  dir: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<TerraformRun> {
  return runIn(dir, 'terraform', args, env);
}

/** Like {@link terraform}, for another program that runs it. */
export function runIn(
  dir: string,
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<TerraformRun> {
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
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
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? -1, stdout, stderr });
    });
  });
}
