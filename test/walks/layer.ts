import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildHostedMirror } from '../support/provider/mirror';
import { type CliRun, runCli } from '../support/run-cli';
import { startCli } from '../support/spawn-cli';
import { type ProcessRun, untilEnd } from '../support/run-process';
import { runIn } from '../support/terraform';

/** A fault in the tool, or in a Terraform that it starts. */
export type Fault =
  | { kind: 'kill'; point: string }
  | { kind: 'interrupt'; after: number }
  | { kind: 'terraform-killed'; at: string; when: 'before' | 'after' }
  | { kind: 'disk-full'; kib: number };

export interface ToolRun extends CliRun {
  /** Whether a signal ended it, so that it could not report anything. */
  killed: boolean;
}

/** Runs the tool and Terraform in a walk. */
export interface Layer {
  /** Environment variables for Terraform. */
  environment: Record<string, string>;
  /** `terraform init` of a folder. */
  init(dir: string, environment: Record<string, string>): Promise<void>;
  terraform(dir: string, args: string[], environment: Record<string, string>): Promise<ProcessRun>;
  cli(
    args: string[],
    where: { cwd: string; environment: Record<string, string> },
    fault?: Fault,
  ): Promise<ToolRun>;
  close(): void;
}

const versions = ['3.27.0', '3.35.0', '4.52.8', '5.22.0'];

/** The real Terraform, which installs the provider stand-in from a mirror. */
export async function realLayer(): Promise<Layer> {
  const home = mkdtempSync(join(tmpdir(), 'walks-'));
  const mirror = await buildHostedMirror(join(home, 'mirror'), versions);
  const run = (
    dir: string,
    args: string[],
    environment: Record<string, string>,
  ): Promise<ProcessRun> => runIn(dir, 'terraform', args, environment);

  /** Copies the result of an earlier `init` of the same configuration, because `init` takes a third of a second. */
  async function init(dir: string, environment: Record<string, string>): Promise<void> {
    const hash = createHash('sha256');
    const files = ['provider.tf', 'cdk.tf.json', 'backend.tf.json', 'main.tf', 'data.tf'];
    for (const name of files) {
      const path = join(dir, name);
      hash.update(existsSync(path) ? readFileSync(path) : '-');
    }
    const template = join(home, hash.digest('hex'));
    const written = ['.terraform', '.terraform.lock.hcl'];
    const copy = (from: string, to: string): void => {
      for (const name of written)
        cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    };
    if (existsSync(template)) {
      copy(template, dir);
      return;
    }
    const made = await run(dir, ['init', '-input=false'], environment);
    if (made.code !== 0) throw new Error(`terraform init: ${made.stderr}`);
    mkdirSync(template);
    copy(dir, template);
  }

  const cli: Layer['cli'] = async (args, { cwd, environment }, fault) => {
    const inside = async (more: Record<string, string> = {}): Promise<ToolRun> => ({
      ...(await runCli(args, { cwd, environment: { ...environment, ...more } })),
      killed: false,
    });
    if (fault === undefined) return inside();
    if (fault.kind === 'terraform-killed') {
      const bin = mkdtempSync(join(home, 'bin-'));
      writeFileSync(join(bin, 'terraform'), killedOnce(bin, fault), { mode: 0o755 });
      return inside({ PATH: bin + delimiter + (process.env['PATH'] ?? '') });
    }
    const kill = fault.kind === 'kill' ? { CF_WAF_MIGRATE_KILL_AT: fault.point } : {};
    const child = startCli(args, {
      cwd,
      environment: { ...environment, ...kill },
      // limits the size of each file, because no file system can be mounted
      ...(fault.kind === 'disk-full' && { through: `ulimit -f ${2 * fault.kib}; exec "$@"` }),
    });
    const timer =
      fault.kind === 'interrupt' ? setTimeout(() => child.kill('SIGINT'), fault.after) : undefined;
    const { code, stdout, stderr } = await untilEnd(child);
    clearTimeout(timer);
    return { code: code ?? -1, stdout, stderr, killed: code === null || code > 128 };
  };
  return {
    environment: mirror.env,
    init,
    terraform: run,
    cli,
    close: () => {
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/**
 * A Terraform that is killed once, at one subcommand, before or after it does its work. It is the first one in PATH,
 * and the real one comes after it.
 */
function killedOnce(
  bin: string,
  { at, when }: Extract<Fault, { kind: 'terraform-killed' }>,
): string {
  return `#!/bin/sh
PATH=\${PATH#*:}
case "$1 $2" in '${at}'*)
  if [ ! -e '${bin}/done' ]; then
    touch '${bin}/done'
    ${when === 'after' ? 'terraform "$@"' : ':'}
    kill -9 $$
  fi
esac
exec terraform "$@"
`;
}
