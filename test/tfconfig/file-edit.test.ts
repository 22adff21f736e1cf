import { createHash } from 'node:crypto';
import { type ConfigFile } from '../../src/tfconfig/config';
import {
  applyEdit,
  type FileEdit,
  mergeEdits,
  planEdit,
  planNewFile,
  proveEdits,
} from '../../src/tfconfig/file-edit';
import { parseText } from './open-project';

const text = 'first {}\n\n# goes\nresource "a" "b" {\n  x = 1\n}\n\nlast {}\n';

async function plan(from: string, addresses: string[]): Promise<FileEdit> {
  const file = await parseText(from, 'main.tf');
  const edit = planEdit(
    file,
    file.blocks.filter(({ address }) => addresses.includes(address)),
  );
  if (edit === undefined) throw new Error('nothing to edit');
  await proveEdits([edit], [file]);
  // a plan is plain JSON: what comes back from a file must do
  return JSON.parse(JSON.stringify(edit)) as FileEdit;
}

async function apply(from: string, edit: FileEdit): Promise<string> {
  const source = { path: edit.file, bytes: Buffer.from(from) };
  return Buffer.from(await applyEdit(source, edit)).toString();
}

const sha = (of: string): string => createHash('sha256').update(of).digest('hex');

describe('an edit', () => {
  test.each([
    ['resource "x" "y" {}', ['x.y', 'module.a.module.b.x.y']],
    ['data "x" "y" {}', ['data.x.y', 'module.a.data.x.y', 'module.a.module.b.data.x.y']],
    ['module "m" {}', ['module.m', 'module.a.module.m']],
  ])('of %s names it by any of %j', async (block, addresses) => {
    const from = `${block}\nlast {}\n`;
    const edit = await plan(from, [addresses[0]!]);
    for (const address of addresses) {
      const named = { ...edit, remove: [{ ...edit.remove[0]!, address }] };
      expect(await apply(from, named)).toBe('last {}\n');
    }
  });

  test.each([
    ['six lines apart, together', ['f', 'm'], ['@@ -3,14 +3,12 @@']],
    ['seven lines apart, each in a hunk', ['f', 'n'], ['@@ -3,7 +3,6 @@', '@@ -11,7 +10,6 @@']],
  ])('shows two changes that are %s', async (_, names, heads) => {
    const from = 'abcdefghijklmnopqrst'.replace(/./g, '$& {}\n');
    const { diff } = await plan(from, names);
    expect(diff.match(/^@@.*@@$/gm)).toEqual(heads);
  });

  test.each([
    [
      'three lines above it',
      'provider "p" {\n  api_token = "s3cret"\n}\n\n',
      '@@ -3,5 +3,4 @@\n }\n \n-x {}\n b {}\n c {}\n',
    ],
    [
      'by its length',
      'variable "t" {\n  default = "0123456789012345678901234567890123456789"\n}\n\n',
      '@@ -3,5 +3,4 @@\n }\n \n-x {}\n b {}\n c {}\n',
    ],
    [
      'that is an Origin CA key',
      `p { ca = "v1.0-${'a'.repeat(24)}-${'b'.repeat(146)}" }\n`,
      '@@ -2,1 +1,0 @@\n-x {}\n',
    ],
    ['in a URL', 'p { dsn = "postgres://u:pw@host/db" }\n', '@@ -2,1 +1,0 @@\n-x {}\n'],
    [
      'under a name in the line above it',
      'variable "db_password" {\n  default = "hunter2"\n}\n',
      '@@ -3,3 +3,2 @@\n }\n-x {}\n b {}\n',
    ],
    [
      'in a heredoc',
      'a {\n  t = <<EOT\nAKIA/x+y=\nEOT\n}\n',
      '@@ -5,3 +5,2 @@\n }\n-x {}\n b {}\n',
    ],
    ['next to it', 'provider "p" { api_token = "s3cret" }\n', '@@ -2,1 +1,0 @@\n-x {}\n'],
  ])('leaves out a credential %s, and the lines as far below', async (_, provider, shown) => {
    const after = `${provider}b {}\nc {}\nd {}\n`;
    const from = after.replace('b {}', 'x {}\nb {}');
    const edit = await plan(from, ['x']);
    expect(edit.diff.slice(edit.diff.indexOf('@@'))).toBe(shown);
    expect(await apply(from, edit)).toBe(after);
  });

  test('shows a long resource type beside the change', async () => {
    const label = 'cloudflare_zero_trust_tunnel_cloudflared_config';
    const { diff } = await plan(`resource "${label}" "a" {}\nx {}\n`, ['x']);
    expect(diff).toContain(` resource "${label}" "a" {}\n-x {}\n`);
  });

  test('writes a new file', async () => {
    const edit = planNewFile('new.tf', 'a {}\n');
    expect(edit).toMatchObject({ sha256: null, remove: [], sha256After: sha('a {}\n') });
    expect(edit.diff).toBe('--- /dev/null\n+++ b/new.tf\n@@ -0,0 +1,1 @@\n+a {}\n');
    const bytes = await applyEdit(undefined, edit);
    expect(Buffer.from(bytes).toString()).toBe('a {}\n');
  });

  test('is none where nothing changes', async () => {
    expect(planEdit(await parseText(text), [])).toBeUndefined();
  });
});

describe('an edit is refused', () => {
  const changed = (message: string): Error =>
    expect.objectContaining({ code: 'CONFIG_CHANGED', message }) as Error;
  const refused = (message: unknown): object => ({ code: 'CONFIG_EDIT_REFUSED', message });

  test('when a byte of the file has changed', async () => {
    const edit = await plan(text, ['a.b']);
    await expect(apply(`${text}\n`, edit)).rejects.toEqual(
      changed('main.tf was changed since the plan was made'),
    );
  });

  test('when the file is gone, or there although it was not', async () => {
    const removal = await plan(text, ['a.b']);
    await expect(applyEdit(undefined, removal)).rejects.toEqual(
      changed('main.tf is gone since the plan was made'),
    );
    const source = { path: 'n.tf', bytes: Buffer.from('') };
    await expect(applyEdit(source, planNewFile('n.tf', 'a {}'))).rejects.toEqual(
      changed('n.tf exists since the plan was made'),
    );
  });

  test.each<[string, (edit: FileEdit) => Partial<FileEdit>]>([
    [
      'another block to remove',
      ({ remove }) => ({ remove: [...remove, { address: 'last', startLine: 8, endLine: 8 }] }),
    ],
    ['another diff', ({ diff }) => ({ diff: diff.replace(' last {}', '-last {}') })],
    ['no diff', () => ({ diff: '@@ -1,9 +1,9 @@\nx' })],
    ['a diff that does not fit', ({ diff }) => ({ diff: diff.replace('x = 1', 'x = 2') })],
    ['an empty diff', () => ({ diff: '' })],
    ['another result', () => ({ sha256After: sha('other') })],
  ])('when the plan was edited by hand, and has %s', async (_, change) => {
    const edit = await plan(text, ['a.b']);
    await expect(apply(text, { ...edit, ...change(edit) })).rejects.toEqual(
      expect.objectContaining({
        code: 'CONFIG_EDIT_REFUSED',
        message: 'the edit of main.tf does not give what was planned',
      }),
    );
  });

  test('when another parser cannot read the file', async () => {
    const twoOnOneLine = 'a {} resource "a" "b" {}\n';
    await expect(plan(twoOnOneLine, ['a.b'])).rejects.toMatchObject(
      refused(
        'the edit of main.tf cannot be proven: another parser of Terraform configuration cannot read the file',
      ),
    );
  });

  test('when two blocks cannot be told apart', async () => {
    const file = await parseText('{"removed": [{"from": "a.b"}, {"from": "a.c"}]}', 'main.tf.json');
    expect(() => planEdit(file, file.blocks.slice(0, 1))).toThrow(
      'there is more than one removed in line 1 of main.tf.json',
    );
  });
});

describe('an edit beside comments', () => {
  const old = 'resource "x" "y" {\n  a = 1\n}';
  const edited = async (from: string): Promise<string> => apply(from, await plan(from, ['x.y']));

  test.each([
    ['ends on the first line of the block', `a {}\n/* 1\n2 */ ${old}\nb {}\n`],
    ['does so at the top of the file', `/* 1\n2 */ ${old}\nb {}\n`],
    ['begins on the last line of the block', `a {}\n${old} /* 1\n2 */\nb {}\n`],
    ['joins two blocks', `a {} /* 1\n2 */ ${old}\nb {}\n`],
    ['hides a block until it is cut', `${old} /*\nhidden {}\n# */\n`],
  ])('is refused if a comment of several lines %s', async (_, from) => {
    await expect(edited(from)).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
  });

  const heredoc = `a {\n  t = <<EOT\n${old}\nEOT\n}\n`;
  test.each([
    ['a heredoc with the same block', `${heredoc}${old}\nb {}\n`, `${heredoc}b {}\n`],
    [
      'a heredoc in it with another block',
      'a {}\nresource "x" "y" {\n  t = <<EOT\n}\nb {}\n# c\nEOT\n}\nb {}\n',
      'a {}\nb {}\n',
    ],
    ['a comment around a copy', `a {}\n/*\n${old}\n*/\n\n${old}\n`, `a {}\n/*\n${old}\n*/\n`],
    ['a comment of the block before', `a {} /* 1\n2 */\n${old}\nb {}\n`, 'a {} /* 1\n2 */\nb {}\n'],
  ])('is correct with %s', async (_, from, after) => {
    expect(await edited(from)).toBe(after);
  });
});

const three = ['a', 'b', 'c'].map((name) => `resource "x" "${name}" {}\n`).join('');
const itself = (file: string) => file;
/** An edit of a file that removes blocks by their position. */
const edit = (file: ConfigFile, blocks: readonly number[]): FileEdit =>
  planEdit(
    file,
    blocks.map((at) => file.blocks[at]!),
  )!;
const removals = (edits: readonly FileEdit[]) =>
  edits.map(({ file, remove }) => [file, remove.map(({ address }) => address)]);

describe('edits of one file', () => {
  test('become one, which does what each of them does', async () => {
    const file = await parseText(three);
    const edits = [edit(file, [0]), edit(file, [0, 2]), edit(file, [2])];
    expect(mergeEdits(edits, [file], itself)).toEqual([edit(file, [0, 2])]);
  });

  test('are one already where they leave the same', async () => {
    const file = await parseText(three);
    expect(mergeEdits([edit(file, [1]), edit(file, [1])], [], itself)).toEqual([edit(file, [1])]);
    expect(mergeEdits([], [], itself)).toEqual([]);
  });

  test('stay as they are where the file is not as they were planned for', async () => {
    const file = await parseText(three);
    const edits = [edit(file, [0]), edit(file, [1])];
    const changed = await parseText(`${three}\n# changed\n`);
    const elsewhere = await parseText(three, 'elsewhere.tf');
    expect(mergeEdits(edits, [], itself)).toEqual(edits);
    expect(mergeEdits(edits, [changed, elsewhere], itself)).toEqual(edits);
  });

  test('are of one file also where a link leads to it', async () => {
    const file = await parseText(three);
    const linked = { ...edit(file, [1]), file: 'link.tf' };
    const merged = mergeEdits([edit(file, [0]), linked], [file], () => '/real/main.tf');
    expect(merged).toEqual([edit(file, [0, 1])]);
    const apart = mergeEdits([edit(file, [0]), linked], [file], itself);
    expect(removals(apart)).toEqual([
      ['main.tf', ['x.a']],
      ['link.tf', ['x.b']],
    ]);
  });
});

test('new files come before edits that remove, which stay in order', async () => {
  const files = await Promise.all(['a.tf', 'b.tf'].map((path) => parseText(three, path)));
  const [a, b] = files as [ConfigFile, ConfigFile];
  const edits = [edit(a, [0]), planNewFile('new.tf', 'x {}\n'), edit(b, [1])];
  expect(mergeEdits(edits, files, itself).map(({ file }) => file)).toEqual([
    'new.tf',
    'a.tf',
    'b.tf',
  ]);
});
