import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from '../../src/files/read-files';
import { failureOf } from '../support/client-under-test';
import { temporaryFolder } from '../support/temporary-folder';

const document = { expression: 'http.host eq "café.example"' };
const text = JSON.stringify(document);

function saved(bytes: Buffer): string {
  const path = join(temporaryFolder(), 'saved.json');
  writeFileSync(path, bytes);
  return path;
}

test.each([
  ['as it is', text],
  ['behind a byte order mark', `\ufeff${text}`],
])('reads a saved answer in UTF-8, %s', async (_, content) => {
  expect(await readJsonFile(saved(Buffer.from(content)))).toEqual(document);
});

test.each([
  ['Latin 1, which would change a letter of an expression', Buffer.from(text, 'latin1')],
  ['UTF-16, as PowerShell writes it', Buffer.from(`\ufeff${text}`, 'utf16le')],
])('refuses one in %s, with a hint', async (_, bytes) => {
  const error = await failureOf(readJsonFile(saved(bytes)));
  expect(error.code).toBe('FILE_UNREADABLE');
  expect(error.message).toMatch(/saved\.json is not UTF-8 text$/);
  expect(error.hint).toContain('cmd /c');
});

test('refuses a link that leads to itself', async () => {
  const path = join(temporaryFolder(), 'saved.json');
  symlinkSync(path, path);
  const error = await failureOf(readJsonFile(path));
  expect(error.code).toBe('FILE_UNREADABLE');
});
