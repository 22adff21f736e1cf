import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from './run-process';

/** What a few end-to-end tests need beside the project's own packages: a folder each, with a lock. */
const folders = ['bindings', 'cdktf-cli'];
const modified = (path: string): number => (existsSync(path) ? statSync(path).mtimeMs : 0);

/**
 * Installs cdktf-cli (420 MB) and the CDKTF bindings of provider 3 and 4 (85 MB) when they are not
 * there. Once, before the first end-to-end test: tests that run side by side would do it twice. Install
 * scripts, which are for the older nodes of cdktf's terminal interface, are left out.
 */
export default async function installPackages(): Promise<void> {
  for (const name of folders) {
    const folder = join(__dirname, '..', name);
    const installed = modified(join(folder, 'node_modules/.package-lock.json'));
    if (installed >= modified(join(folder, 'package-lock.json'))) continue;
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { code, stderr } = await runProcess('npm', args, { cwd: folder, env: process.env });
    if (code !== 0) throw new Error(`cannot install test/${name}: ${stderr}`);
  }
}
