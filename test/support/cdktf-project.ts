import { mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runProcess } from './run-process';

const installed = join(__dirname, '../../node_modules');
const bindings = join(__dirname, '../bindings/node_modules');

/** Gives a generated project the packages of this repository, as if it had been installed. */
export function linkPackages(project: string): void {
  symlinkSync(installed, join(project, 'node_modules'));
}

/** Installs CDKTF 0.21, the bindings of provider 3, and the packages that run its program. */
export function linkPackagesOfThree(project: string): void {
  const links = {
    '.bin': join(installed, '.bin'),
    cdktf: join(bindings, 'cdktf'),
    constructs: join(bindings, 'constructs'),
    '@cdktf/provider-cloudflare': join(bindings, 'provider-3'),
  };
  for (const [name, target] of Object.entries(links)) {
    const link = join(project, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
}

/** The environment without variables that change Terraform or CDKTF. */
export function plainEnvironment(more: Record<string, string> = {}): Record<string, string> {
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(?:TF_|CDKTF_|CLOUDFLARE_|JEST_|NODE_OPTIONS)/.test(name)
      ? []
      : [[name, value] as const],
  );
  return { ...Object.fromEntries(own), CHECKPOINT_DISABLE: '1', CI: '1', ...more };
}

/** Runs an installed program in a project. */
export function runInProject(
  project: string,
  program: string,
  args: string[],
  more: Record<string, string> = {},
) {
  const env = plainEnvironment(more);
  return runProcess(join(installed, '.bin', program), args, { cwd: project, env });
}

/** The binary of cdktf-cli, which the set-up of the end-to-end tests has installed. */
export const cdktfCli = join(__dirname, '../cdktf-cli/node_modules/.bin/cdktf');

/** `require` for the stacks of a project with the bindings of this major. */
export function requireWith(major: 3 | 4): (name: string) => any {
  const load = createRequire(join(bindings, '../package.json'));
  return (name) => load(name.replace('@cdktf/provider-cloudflare', `provider-${major}`));
}

/** The paths at which the compiler finds the packages of such a project. */
export function pathsWith(major: 3 | 4): Record<string, string[]> {
  return {
    '@cdktf/provider-cloudflare/*': [join(bindings, `provider-${major}/*`)],
    cdktf: [join(bindings, 'cdktf')],
    constructs: [join(bindings, 'constructs')],
  };
}
