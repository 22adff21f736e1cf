import { proveEdit } from '../../src/tfconfig/prove-edit';
import { parseText } from './open-project';

const two = 'resource "a" "b" {\n  x = 1\n}\n\nlast {}\n';
const without = 'last {}\n';
const DIFFERENT = 'the edit of main.tf cannot be proven: more than the blocks would change';
const UNREAD =
  'the edit of main.tf cannot be proven: another parser of Terraform configuration does not read the file';

describe('proving that an edit removes the first block, and nothing else', () => {
  test.each<[string, string, (string | undefined)?, string?]>([
    ['only that block is gone', without],
    ['another one is added, as planned', `${without}\nnew {}\n`, undefined, 'new {}\n'],
    ['nothing is gone', two, DIFFERENT],
    ['too much is gone', '', DIFFERENT],
    ['half of it is gone', `resource "a" "b" {\n}\n${without}`, DIFFERENT],
    ['another one is added', `${without}new {}\n`, DIFFERENT],
    ['something else changed', 'last {\n  y = 2\n}\n', DIFFERENT],
    ['the other parser does not read the result', 'last {', UNREAD],
  ])('%s', async (_, after, message, inserted) => {
    const file = await parseText(two);
    const proof = proveEdit(file, [file.blocks[0]!], inserted, after);
    if (message === undefined) await proof;
    else await expect(proof).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED', message });
  });
});

describe('proving an edit of JSON', () => {
  const one = { resource: { t: { a: {} } } };
  const three = { resource: [{ t: { a: {} } }, { t: { b: {} } }, { u: { a: {} } }] };
  const twice = { provider: { p: [{ alias: 'x' }, { alias: 'y' }] }, locals: { z: 1 } };
  const providers = (...aliases: string[]) => ({ p: aliases.map((alias) => ({ alias })) });

  test.each<[string, object, number, object, boolean]>([
    ['nothing is left of what only held it', one, 0, {}, true],
    ['nothing is left of it in a list', [one], 0, [], true],
    [
      'the others of a list are left',
      three,
      1,
      { resource: [{ t: { a: {} } }, { u: { a: {} } }] },
      true,
    ],
    [
      'the other one of its address is left',
      twice,
      1,
      { ...twice, provider: providers('x') },
      true,
    ],
    [
      'what was empty is left',
      { import: [], data: { t: { a: {} } }, locals: {} },
      0,
      { import: [], locals: {} },
      true,
    ],
    ['an empty object is left, which Terraform refuses', one, 0, { resource: {} }, false],
    ['an empty list is left', { resource: { t: [{ a: {} }] } }, 0, { resource: { t: [] } }, false],
    [
      'the wrong one of its address is left',
      twice,
      1,
      { ...twice, provider: providers('y') },
      false,
    ],
    ['the order changes', twice, 2, { provider: providers('y', 'x') }, false],
    ['what was empty is gone', { import: [], data: { t: { a: {} } } }, 0, {}, false],
  ])('%s', async (_, before, removed, after, isProven) => {
    const file = await parseText(JSON.stringify(before), 'main.tf.json');
    const proof = proveEdit(file, [file.blocks[removed]!], undefined, JSON.stringify(after));
    if (isProven) await proof;
    else await expect(proof).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
  });
});
