import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { objectOf, textOf } from '../core/json';
import { attempt, MigrationError } from '../core/migration-error';

export interface SynthOptions {
  /** The Node binary. */
  readonly node: string;
  /** The project with cdktf, its bindings and tsx. */
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
 * What a project needs for synthesis but does not have: packages, or the app itself. The published package
 * contains none of them; a clone of the repository contains all.
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
 * @throws MigrationError `SYNTH_FAILED` with the error of the app
 */
export async function synthStacks(options: SynthOptions): Promise<void> {
  const { node, project, stacks, out, environment, signal } = options;
  // generated files outside the project also need its packages
  const found = [join(project, 'node_modules'), environment['NODE_PATH']].filter(Boolean);
  const NODE_PATH = found.join(delimiter);
  const env = { ...environment, STACKS_DIR: stacks, CDKTF_OUTDIR: out, NODE_PATH };
  try {
    await promisify(execFile)(node, ['--import', 'tsx', APP], { cwd: project, env, signal });
  } catch (error) {
    throw new MigrationError('SYNTH_FAILED', 'the stacks cannot be synthesised', {
      cause: new Error(firstError(error)),
    });
  }
}

/** The line of a Node error output that states the reason. */
function firstError(error: unknown): string {
  const lines = (textOf(objectOf(error)['stderr']) || String(error))
    .split('\n')
    .map((line) => line.trim());
  return lines.find((line) => /^(?:\w*Error\b|.*: error )/.test(line)) ?? lines[0] ?? '';
}

/**
 * Whether git tracks a file below a path; false outside of a repository.
 * @throws the error of git: without an answer, a file can be one of a pull request
 */
export function isTrackedByGit(
  path: string,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  // prevents a repository from a pull request from starting its own programs
  const settings = ['safe.directory=*', 'safe.bareRepository=explicit', 'core.fsmonitor=false'];
  const flags = settings.flatMap((one) => ['-c', one]);
  const options = { cwd: folder, env: { ...environment, LC_ALL: 'C' }, timeout: 10_000 };
  return new Promise((resolve, reject) => {
    execFile('git', [...flags, 'ls-files', '-z', '--', path], options, (error, stdout, stderr) => {
      const isOutside =
        stderr.includes('not a git repository (or any') ||
        (error?.code === 'ENOENT' && !isInRepository(folder));
      if (error === null || isOutside) resolve(stdout !== '');
      else reject(new Error('git failed', { cause: error }));
    });
  });
}

function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return existsSync(join(folder, '.git')) || (parent !== folder && isInRepository(parent));
}
