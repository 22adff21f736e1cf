import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Everything below a folder by name: what a file holds, and where a link leads, which is not followed. */
export function folderContents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .map(String)
      .sort()
      .map((name) => {
        const path = join(folder, name);
        const stats = lstatSync(path);
        if (stats.isSymbolicLink()) return [name, `-> ${readlinkSync(path)}`];
        return [name, stats.isFile() ? readFileSync(path, 'base64') : ''];
      }),
  );
}
