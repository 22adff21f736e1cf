import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { MigrationError } from '../core/migration-error';

/** Where a CDKTF app is and where its output goes. */
export interface SynthOptions {
  /** The Node binary. */
  readonly node: string;
  /** The project that has cdktf, its bindings and tsx installed. */
  readonly project: string;
  /** Folder of the generated zone files. */
  readonly stacks: string;
  /** Output folder: `stacks/<name>/cdk.tf.json` below it. */
  readonly out: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal;
}

const APP = 'stacks/main.ts';
const PACKAGES = ['cdktf', 'constructs', '@cdktf/provider-cloudflare', 'tsx'];

/**
 * What a project lacks to synthesise: packages that are not installed, or the app itself. The
 * published package has none of them; a clone of the repository has all.
 */
export function missingForSynth(project: string): string[] {
  const { resolve } = createRequire(join(project, 'package.json'));
  const missing = PACKAGES.filter((name) => {
    try {
      resolve(`${name}/package.json`);
      return false;
    } catch {
      return true;
    }
  });
  return existsSync(join(project, APP)) ? missing : [APP, ...missing];
}

/**
 * Synthesises generated stacks by running the app as cdktf-cli would, without cdktf-cli.
 * @throws MigrationError `SYNTH_FAILED` with what the app said last
 */
export async function synthStacks(options: SynthOptions): Promise<void> {
  const { node, project, stacks, out, environment, signal } = options;
  // generated files may lie outside of the project, and still find its packages
  const found = [join(project, 'node_modules'), environment['NODE_PATH']].filter(Boolean);
  const NODE_PATH = found.join(delimiter);
  const env = { ...environment, STACKS_DIR: stacks, CDKTF_OUTDIR: out, NODE_PATH };
  return new Promise((resolve, reject) => {
    const child = spawn(node, ['--import', 'tsx', APP], {
      cwd: project,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    child.on('error', (cause) => {
      reject(new MigrationError('SYNTH_FAILED', 'cannot start node', { cause }));
    });
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new MigrationError('SYNTH_FAILED', 'the stacks do not synthesise', {
            cause: new Error(firstError(said)),
          }),
        );
    });
  });
}

/** Of what a process of Node says when it fails, the line that says why. */
function firstError(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  return lines.find((line) => /^(?:\w*Error\b|.*: error )/.test(line)) ?? lines[0] ?? '';
}
