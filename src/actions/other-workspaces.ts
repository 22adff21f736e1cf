import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Other workspaces of a folder whose states hold old resources, where the backend is local: what other
 * backends have is not known without asking them.
 */
export async function otherWorkspaces(dir: string, workspace: string): Promise<readonly string[]> {
  const names = await readdir(join(dir, 'terraform.tfstate.d')).catch((): string[] => []);
  if (names.length === 0) return [];
  const places = [
    { name: 'default', path: join(dir, 'terraform.tfstate') },
    ...names
      .sort()
      .map((name) => ({ name, path: join(dir, 'terraform.tfstate.d', name, 'terraform.tfstate') })),
  ];
  const found: string[] = [];
  for (const { name, path } of places) {
    if (name === (workspace || 'default')) continue;
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (bytes.includes('"cloudflare_waf_')) found.push(name);
  }
  return found;
}
