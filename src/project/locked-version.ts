import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The Cloudflare provider that a folder's `.terraform.lock.hcl` selects, if there is one. */
export async function lockedVersion(dir: string): Promise<string | undefined> {
  const lock = await readFile(join(dir, '.terraform.lock.hcl'), 'utf8').catch(() => '');
  const block = /^provider "[^"]*\/cloudflare\/cloudflare" \{$([\s\S]*?)^\}/m.exec(lock)?.[1] ?? '';
  return /^\s*version\s*=\s*"(\d+\.\d+\.\d+)"/m.exec(block)?.[1];
}
