import { type ConfigFile } from '../../src/tfconfig/config';
import { type FileEdit, mergeEdits, planEdit, planNewFile } from '../../src/tfconfig/plan-edit';
import { parseText } from './open-project';

const text = ['a', 'b', 'c'].map((name) => `resource "x" "${name}" {}\n`).join('');
const itself = (file: string) => file;
/** An edit of a file that takes out blocks by their position, and may append one. */
const edit = (file: ConfigFile, blocks: readonly number[], insert?: string): FileEdit =>
  planEdit(
    file,
    blocks.map((at) => file.blocks[at]!),
    insert,
  )!;
const removals = (edits: readonly FileEdit[]) =>
  edits.map(({ file, remove }) => [file, remove.map(({ address }) => address)]);

describe('edits of one file', () => {
  test('become one, which does what each of them does', async () => {
    const file = await parseText(text);
    const added = 'removed {\n  from = x.a\n}\n';
    const edits = [edit(file, [0], added), edit(file, [0, 2]), edit(file, [2], added)];
    expect(mergeEdits(edits, [file], itself)).toEqual([edit(file, [0, 2], added)]);
  });

  test('append what each of them appends', async () => {
    const file = await parseText(text);
    const [one, other] = ['one {}\n', 'other {}\n'];
    const merged = mergeEdits([edit(file, [], one), edit(file, [], other)], [file], itself);
    expect(merged).toEqual([edit(file, [], `${one}\n${other}`)]);
  });

  test('are one already where they leave the same', async () => {
    const file = await parseText(text);
    const [one, other] = [edit(file, [1]), edit(file, [1])];
    expect(mergeEdits([one, other], [], itself)).toEqual([one]);
    expect(mergeEdits([one, other, edit(file, [2])], [file], itself)).toEqual([edit(file, [1, 2])]);
  });

  test('stay as they are where the file is not as they were planned for', async () => {
    const file = await parseText(text);
    const edits = [edit(file, [0]), edit(file, [1])];
    const changed = await parseText(`${text}\n# changed\n`);
    const elsewhere = await parseText(text, 'elsewhere.tf');
    expect(mergeEdits(edits, [], itself)).toEqual(edits);
    expect(mergeEdits(edits, [changed, elsewhere], itself)).toEqual(edits);
  });

  test('are of one file also where a link leads to it', async () => {
    const file = await parseText(text);
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

test('what takes nothing out comes before what does, each in the order that it had', async () => {
  const files = await Promise.all(['a.tf', 'b.tf'].map((path) => parseText(text, path)));
  const [a, b] = files as [ConfigFile, ConfigFile];
  const edits = [
    edit(a, [0]),
    planNewFile('new.tf', 'x {}\n'),
    edit(b, [1]),
    edit(b, [], 'y {}\n'),
  ];
  expect(mergeEdits(edits.slice(0, 3), files, itself).map(({ file }) => file)).toEqual([
    'new.tf',
    'a.tf',
    'b.tf',
  ]);
  expect(mergeEdits([edits[0]!, edits[3]!], files, itself).map(({ file }) => file)).toEqual([
    'b.tf',
    'a.tf',
  ]);
});

test('no edits are none', () => {
  expect(mergeEdits([], [], itself)).toEqual([]);
});
