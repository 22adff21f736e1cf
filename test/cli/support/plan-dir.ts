import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { RULESET, statesFolder, ZONE } from '../../plan/support/plans';
import { type FakeTerraform, fakeTerraform } from '../../support/fake-terraform';
import { type CliRun, runCli } from '../../support/run-cli';
import { temporaryFolder } from '../../support/temporary-folder';

export const tainted = join(statesFolder, 'tainted-3.35.tfstate');
/** A Terraform that pulls it, in the workspace `prod`. */
export const works = `case "$*" in 'state pull') cat '${tainted}' ;; 'workspace show') echo prod ;; esac`;

interface DirRun extends CliRun {
  readonly cwd: string;
  readonly fake: FakeTerraform;
}

interface DirOptions {
  args?: string[];
  environment?: Record<string, string>;
  /** Files of the working directory. */
  files?: Record<string, string>;
}

/** Plans the folder `tf` with a terraform of a few lines of shell. */
export async function planDir(terraform: string, options: DirOptions = {}): Promise<DirRun> {
  const { args = ['--dir', 'tf', '--json'], environment = {}, files = {} } = options;
  const cwd = temporaryFolder(files);
  mkdirSync(join(cwd, 'tf'), { recursive: true });
  const fake = fakeTerraform(cwd, terraform);
  const line = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, ...args];
  const ran = await runCli(line, { cwd, environment: { PATH: fake.searchPath, ...environment } });
  return { ...ran, cwd, fake };
}
