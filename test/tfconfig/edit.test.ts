import { createHash } from 'node:crypto';
import { applyPatch } from 'diff';
import {
  applyEdit,
  editSplices,
  type FileEdit,
  planEdit,
  planNewFile,
} from '../../src/tfconfig/plan-edit';
import { loadHclGrammar } from '../../src/tfconfig/hcl-grammar';
import { parseText } from './open-project';

const text = 'first {}\n\n# goes\nresource "a" "b" {\n  x = 1\n}\n\nlast {}\n';

async function plan(
  from: string,
  addresses: string[],
  insert?: string,
  path = 'main.tf',
): Promise<FileEdit> {
  const file = await parseText(from, path);
  const edit = planEdit(
    file,
    file.blocks.filter(({ address }) => addresses.includes(address)),
    insert,
  );
  if (edit === undefined) throw new Error('nothing to edit');
  // a plan is plain JSON: what comes back from a file must do
  return JSON.parse(JSON.stringify(edit)) as FileEdit;
}

async function apply(from: string, edit: FileEdit): Promise<string> {
  const source = { path: edit.file, bytes: Buffer.from(from) };
  return Buffer.from(await applyEdit(source, edit, await loadHclGrammar())).toString();
}

const sha = (of: string): string => createHash('sha256').update(of).digest('hex');

describe('an edit', () => {
  test('carries digests, lines and a diff', async () => {
    expect(await plan(text, ['a.b'])).toEqual({
      file: 'main.tf',
      sha256: sha(text),
      remove: [{ address: 'a.b', startLine: 4, endLine: 6 }],
      sha256After: sha('first {}\n\nlast {}\n'),
      diff: [
        '--- a/main.tf',
        '+++ b/main.tf',
        '@@ -1,8 +1,3 @@',
        ' first {}',
        ' ',
        '-# goes',
        '-resource "a" "b" {',
        '-  x = 1',
        '-}',
        '-',
        ' last {}',
        '',
      ].join('\n'),
    });
  });

  test('is applied to the file that it was made for', async () => {
    expect(await apply(text, await plan(text, ['a.b']))).toBe('first {}\n\nlast {}\n');
  });

  test('finds the block also by its address in the whole configuration', async () => {
    const edit = await plan(text, ['a.b']);
    const remove = edit.remove.map((one) => ({
      ...one,
      address: `module.m.module.n.${one.address}`,
    }));
    expect(await apply(text, { ...edit, remove })).toBe('first {}\n\nlast {}\n');
  });

  test('takes module calls out, too', async () => {
    const calls = 'module "a" {\n}\nmodule "b" {\n}\n';
    expect(await apply(calls, await plan(calls, ['module.a']))).toBe('module "b" {\n}\n');
  });

  test.each([
    ['behind a blank line', 'a {}\n', 'a {}\n\nb {}\n'],
    ['also without a line end before it', 'a {}', 'a {}\n\nb {}\n'],
    ['with the line ends of the file', 'a {}\r\n', 'a {}\r\n\r\nb {}\r\n'],
    ['into an empty file', '', 'b {}\n'],
    ['behind a byte order mark', '\ufeff', '\ufeffb {}\n'],
  ])('appends blocks %s', async (_, before, after) => {
    const edit = await plan(before, [], 'b {}\n');
    expect(await apply(before, edit)).toBe(after);
    expect(applyPatch(before, edit.diff, { autoConvertLineEndings: false })).toBe(after);
  });

  test('appends blocks where the last one leaves', async () => {
    const before = 'a {}\n\nx {}\n';
    const edit = await plan(before, ['x'], 'b {}\n');
    expect(await apply(before, edit)).toBe('a {}\n\nb {}\n');
    expect(applyPatch(before, edit.diff)).toBe('a {}\n\nb {}\n');
  });

  test('appends blocks where others leave as well, each part of the file once', async () => {
    const before = 'x {}\na {}\ny {}\nc {}\nz {}\n';
    const edit = await plan(before, ['x', 'y', 'z'], 'b {}\n');
    expect(await apply(before, edit)).toBe('a {}\nc {}\n\nb {}\n');
    const file = await parseText(before);
    const [x, , y, , z] = file.blocks;
    const splices = editSplices(file, [x!, y!, z!], 'b {}\n');
    expect(splices.map(({ start, end }) => [start, end])).toEqual([
      [0, 5],
      [10, 15],
      [20, 25],
    ]);
    const others = editSplices(file, [x!], 'b {}\n');
    expect(others.map(({ start, end }) => [start, end])).toEqual([
      [0, 5],
      [25, 25],
    ]);
  });

  test('has no text to insert where none was given', async () => {
    const file = await parseText(text);
    expect(Object.keys(planEdit(file, [file.blocks[1]!])!)).not.toContain('insert');
  });

  test('writes a new file', async () => {
    const edit = planNewFile('new.tf', 'a {}\n');
    expect(edit).toMatchObject({ sha256: null, remove: [], sha256After: sha('a {}\n') });
    expect(edit.diff).toBe('--- /dev/null\n+++ b/new.tf\n@@ -0,0 +1,1 @@\n+a {}\n');
    const bytes = await applyEdit(undefined, edit, await loadHclGrammar());
    expect(Buffer.from(bytes).toString()).toBe('a {}\n');
  });

  test('is none where nothing changes', async () => {
    expect(planEdit(await parseText(text), [])).toBeUndefined();
    expect(planEdit(await parseText(text), [], ' \n')).toBeUndefined();
  });
});

describe('an edit is refused', () => {
  const changed = (message: string): object => ({ code: 'CONFIG_CHANGED', message });
  const refused = (message: unknown): object => ({ code: 'CONFIG_EDIT_REFUSED', message });

  test('when a byte of the file has changed', async () => {
    const edit = await plan(text, ['a.b']);
    await expect(apply(`${text}\n`, edit)).rejects.toMatchObject(
      changed('main.tf was changed since the plan was made'),
    );
  });

  test('when the file is gone, or there although it was not', async () => {
    const grammar = await loadHclGrammar();
    await expect(applyEdit(undefined, await plan(text, ['a.b']), grammar)).rejects.toMatchObject(
      changed('main.tf is gone since the plan was made'),
    );
    const create = applyEdit(
      { path: 'n.tf', bytes: Buffer.from('') },
      planNewFile('n.tf', 'a {}'),
      grammar,
    );
    await expect(create).rejects.toMatchObject(changed('n.tf exists since the plan was made'));
  });

  test('when the plan was edited by hand', async () => {
    const edit = await plan(text, ['a.b']);
    const [one] = edit.remove;
    const other = { address: 'last', startLine: 8, endLine: 8 };
    await expect(apply(text, { ...edit, remove: [one!, other] })).rejects.toMatchObject({
      ...refused('the edit of main.tf does not give what was planned'),
      hint: 'plan again, and leave the plan as it is',
    });
    await expect(
      apply(text, { ...edit, remove: [{ ...one!, startLine: 3 }] }),
    ).rejects.toMatchObject(refused('there is no a.b in line 3 of main.tf'));
    await expect(
      apply(text, { ...edit, remove: [{ ...one!, address: 'a.c' }] }),
    ).rejects.toMatchObject(refused('there is no a.c in line 4 of main.tf'));
    await expect(apply(text, { ...edit, insert: 'x {}\n' })).rejects.toMatchObject(
      refused('the edit of main.tf does not give what was planned'),
    );
  });

  test('when another parser does not read the file', async () => {
    const twoOnOneLine = 'a {} resource "a" "b" {}\n';
    await expect(apply(twoOnOneLine, await plan(twoOnOneLine, ['a.b']))).rejects.toMatchObject(
      refused(
        'the edit of main.tf cannot be proven: another parser of Terraform configuration does not read the file',
      ),
    );
  });

  test('when what is inserted is no configuration', async () => {
    await expect(apply(text, await plan(text, [], 'b {'))).rejects.toMatchObject({
      code: 'CONFIG_EDIT_REFUSED',
    });
  });

  test('when expressions are nested so deep that the other parser would not return', async () => {
    const deep = `a {}\nb {\n  x = ${'['.repeat(6_000)}${']'.repeat(6_000)}\n}\n`;
    await expect(apply(deep, await plan(deep, ['a']))).rejects.toMatchObject(
      refused('the edit of main.tf cannot be proven: its expressions are nested too deeply'),
    );
    // and the parser is none the worse for it
    expect(await apply(text, await plan(text, ['a.b']))).toBe('first {}\n\nlast {}\n');
  });

  test('when JSON has two properties with one name', async () => {
    const twins = '{"resource": {"a": {"b": {}}}, "resource": {"a": {"c": {}}}}';
    const edit = await plan(twins, ['a.b'], undefined, 'main.tf.json');
    await expect(apply(twins, edit)).rejects.toMatchObject(
      refused(
        'the edit of main.tf.json cannot be proven: it has two properties with one name in an object',
      ),
    );
  });

  test('when two blocks cannot be told apart', async () => {
    const file = await parseText('{"removed": [{"from": "a.b"}, {"from": "a.c"}]}', 'main.tf.json');
    expect(() => planEdit(file, file.blocks.slice(0, 1))).toThrow(
      'there is more than one removed in line 1 of main.tf.json',
    );
  });

  test('when something is to be appended to JSON', async () => {
    const file = await parseText('{}', 'main.tf.json');
    expect(() => planEdit(file, [], 'a {}')).toThrow(
      expect.objectContaining({
        ...refused('main.tf.json is JSON: nothing can be appended to it'),
        hint: 'write the blocks to a file of their own',
      }),
    );
  });
});
