import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** A separate folder for this test, removed when the test file ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-'));
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Everything below a folder by name: the contents of files, and the targets of links, which are not followed. */
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
