import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureTools } from '../../scripts/ensure-tools.mjs';

const modified = (url) => (existsSync(url) ? statSync(url).mtimeMs : 0);

/**
 * Before the first end-to-end test: puts Terraform and Chromium into PATH, and installs cdktf-cli (420 MB) and
 * the CDKTF bindings of provider 3 and 4 (85 MB) where they are missing. Install scripts are skipped: they
 * serve older Node versions.
 */
export default async function setUp() {
  await ensureTools();
  for (const name of ['bindings', 'cdktf-cli']) {
    const folder = new URL(`../${name}/`, import.meta.url);
    const installed = modified(new URL('node_modules/.package-lock.json', folder));
    if (installed >= modified(new URL('package-lock.json', folder))) continue;
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status, stderr } = spawnSync('npm', args, {
      cwd: fileURLToPath(folder),
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`cannot install test/${name}: ${stderr}`);
  }
}
