import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const folders: string[] = [];

type Files = Readonly<Record<string, string | Buffer>>;

/** A separate folder with these files for this test, removed when the test file ends. */
export function temporaryFolder(files: Files = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-'));
  folders.push(folder);
  writeInto(folder, files);
  return folder;
}

export function writeInto(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
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
