import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { objectOf, textOf } from '../core/json';
import { attempt, MigrationError } from '../core/migration-error';

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
  const missing = PACKAGES.filter(
    (name) => attempt(() => resolve(`${name}/package.json`)) === undefined,
  );
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
  try {
    await promisify(execFile)(node, ['--import', 'tsx', APP], { cwd: project, env, signal });
  } catch (error) {
    throw new MigrationError('SYNTH_FAILED', 'the stacks do not synthesise', {
      cause: new Error(firstError(error)),
    });
  }
}

/** Of what a process of Node says when it fails, the line that says why. */
function firstError(error: unknown): string {
  const lines = (textOf(objectOf(error)['stderr']) || String(error))
    .split('\n')
    .map((line) => line.trim());
  return lines.find((line) => /^(?:\w*Error\b|.*: error )/.test(line)) ?? lines[0] ?? '';
}

/** Whether git tracks anything below a path. Without git, or outside of a repository, it does not. */
export function isTrackedByGit(
  path: string,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  // a repository that a pull request ships starts no program of its own
  const settings = ['safe.directory=*', 'safe.bareRepository=explicit', 'core.fsmonitor=false'];
  const flags = settings.flatMap((one) => ['-c', one]);
  const options = { cwd: folder, env: environment, timeout: 10_000 };
  return new Promise((resolve) => {
    execFile('git', [...flags, 'ls-files', '-z', '--', path], options, (_, stdout) => {
      resolve(stdout !== '');
    });
  });
}
