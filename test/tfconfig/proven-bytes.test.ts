import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  applyEdit,
  provenBytes,
  type FileEdit,
  planEdit,
  planNewFile,
} from '../../src/tfconfig/plan-edit';
import { loadHclGrammar } from '../../src/tfconfig/hcl-grammar';
import { generatedFile } from './arbitrary-hcl';
import { oldTypes, parseText } from './open-project';

const text = 'resource "a" "b" {\n  x = 1\n}\n\nlocals {\n  kept = 1\n}\n';
const source = (of: string) => ({ path: 'main.tf', bytes: Buffer.from(of) });

async function edited(of: string, insert?: string): Promise<FileEdit> {
  const file = await parseText(of);
  const edit = planEdit(file, file.blocks.slice(0, 1), insert);
  if (edit === undefined) throw new Error('nothing to edit');
  return { ...edit, proven: true };
}
const told = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

test('an edit that was proven is made by its diff, without a parser', async () => {
  const edit = await edited(text, 'removed {\n  from = a.b\n}\n');
  expect(told(provenBytes(source(text), edit))).toBe(
    'locals {\n  kept = 1\n}\n\nremoved {\n  from = a.b\n}\n',
  );
});

test('a new file is its text', () => {
  expect(told(provenBytes(undefined, planNewFile('new.tf', 'locals {}\n')))).toBe('locals {}\n');
});

test('gives what is computed anew, whatever the file', async () => {
  const grammar = await loadHclGrammar();
  const given = fc.asyncProperty(generatedFile, fc.boolean(), async (generated, appends) => {
    const file = await parseText(generated.text);
    const old = file.blocks.filter(({ labels }) =>
      oldTypes.old.some((one) => one.type === labels[0]),
    );
    const edit = planEdit(file, old, appends ? 'locals {\n  a = "\u2028"\n}\n' : undefined);
    fc.pre(edit !== undefined);
    const proven: FileEdit = { ...edit, proven: true };
    const of = { path: edit.file, bytes: Buffer.from(generated.text) };
    expect(told(provenBytes(of, proven))).toBe(told(await applyEdit(of, proven, grammar)));
  });
  await fc.assert(given, { numRuns: 150, interruptAfterTimeLimit: 20_000 });
});

describe('leaves it to who computes anew', () => {
  const sha = (of: string): string => createHash('sha256').update(of).digest('hex');
  it.each<[string, (edit: FileEdit) => FileEdit]>([
    [
      'an edit without a proof',
      ({ file, sha256, remove, sha256After, diff }) => ({
        file,
        sha256,
        remove,
        sha256After,
        diff,
      }),
    ],
    ['a diff that leaves anything else', (edit) => ({ ...edit, sha256After: sha('other') })],
    [
      'a diff that does not fit',
      (edit) => ({ ...edit, diff: edit.diff.replace('x = 1', 'x = 2') }),
    ],
    ['a diff that is none', (edit) => ({ ...edit, diff: '@@ -1,9 +1,9 @@\nx' })],
    ['no diff', (edit) => ({ ...edit, diff: '' })],
    [
      'a diff with other line ends',
      (edit) => ({ ...edit, diff: edit.diff.replaceAll('\n', '\r\n') }),
    ],
    [
      'a diff that does not fit, and leaves nothing',
      (edit) => ({ ...edit, diff: edit.diff.replace('x = 1', 'x = 2'), sha256After: sha('') }),
    ],
    [
      'a diff that does not fit, and is not',
      (edit) => ({ ...edit, diff: edit.diff.replace('x = 1', 'x = 2'), sha256After: sha('false') }),
    ],
    ['an edit of a new file, where there is one', (edit) => ({ ...edit, sha256: null })],
  ])('%s', async (_, change) => {
    expect(provenBytes(source(text), change(await edited(text)))).toBeUndefined();
  });

  it('a file that changed by a byte', async () => {
    expect(provenBytes(source(`${text} `), await edited(text))).toBeUndefined();
  });

  it('a file that is gone', async () => {
    const edit = { ...(await edited(text)), insert: 'x {}\n', sha256After: sha('x {}\n') };
    expect(provenBytes(undefined, edit)).toBeUndefined();
  });
});
