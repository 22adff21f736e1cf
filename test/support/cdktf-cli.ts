import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from './run-process';

const folder = join(__dirname, '../cdktf-cli');
const modified = (path: string): number => (existsSync(path) ? statSync(path).mtimeMs : 0);

/**
 * The binary of cdktf-cli, installed when it is not there: 420 MB that only one test needs.
 * Its install scripts are for the older nodes of its terminal interface, and are left out.
 */
export async function ensureCdktfCli(): Promise<string> {
  const installed = modified(join(folder, 'node_modules/.package-lock.json'));
  if (installed < modified(join(folder, 'package-lock.json'))) {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { code, stderr } = await runProcess('npm', args, { cwd: folder, env: process.env });
    if (code !== 0) throw new Error(`cannot install cdktf-cli: ${stderr}`);
  }
  return join(folder, 'node_modules/.bin/cdktf');
}
