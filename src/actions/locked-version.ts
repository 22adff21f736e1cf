import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProviderMajor } from '../model/provider-majors';

/** The Cloudflare provider that a folder's `.terraform.lock.hcl` selects, if there is one. */
export async function lockedVersion(dir: string): Promise<string | undefined> {
  const lock = await readFile(join(dir, '.terraform.lock.hcl'), 'utf8').catch(() => '');
  const block = /^provider "[^"]*\/cloudflare\/cloudflare" \{$([\s\S]*?)^\}/m.exec(lock)?.[1] ?? '';
  const version = /^\s*version\s*=\s*"(\d+\.\d+\.\d+)"/m.exec(block)?.[1];
  return version !== undefined && findProviderMajor(version) !== undefined ? version : undefined;
}
