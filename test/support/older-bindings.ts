import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runProcess } from './run-process';

const folder = join(__dirname, '../bindings');
const modified = (path: string): number => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** Installs the CDKTF bindings of provider 3 and 4 when they are not there: 85 MB that few tests need. */
export async function ensureOlderBindings(): Promise<void> {
  const installed = modified(join(folder, 'node_modules/.package-lock.json'));
  if (installed >= modified(join(folder, 'package-lock.json'))) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, stderr } = await runProcess('npm', args, { cwd: folder, env: process.env });
  if (code !== 0) throw new Error(`cannot install the bindings: ${stderr}`);
}

/** Loads packages as a project does that has the bindings of this major: `require` for its stacks. */
export function requireWith(major: 3 | 4): (name: string) => any {
  const load = createRequire(join(folder, 'package.json'));
  return (name) => load(name.replace('@cdktf/provider-cloudflare', `provider-${major}`));
}

/** Where the compiler finds the packages of such a project. */
export function pathsWith(major: 3 | 4): Record<string, string[]> {
  const modules = join(folder, 'node_modules');
  return {
    '@cdktf/provider-cloudflare/*': [join(modules, `provider-${major}/*`)],
    cdktf: [join(modules, 'cdktf')],
    constructs: [join(modules, 'constructs')],
  };
}
