import { proveEdit } from '../../src/tfconfig/prove-edit';
import { parseText } from './open-project';

const two = 'resource "a" "b" {\n  x = 1\n}\n\nlast {}\n';
const without = 'last {}\n';

/** Whether an edit that is to take `a.b` out of the text above, and leaves this, is proven. */
async function proof(after: string, inserted?: string): Promise<unknown> {
  const file = await parseText(two);
  try {
    await proveEdit(file, [file.blocks[0]!], inserted, after);
    return 'proven';
  } catch (error) {
    return error;
  }
}

describe('an edit is proven', () => {
  test('where exactly the blocks have left', async () => {
    expect(await proof(without)).toBe('proven');
    expect(await proof(`${without}\nnew {}\n`, 'new {}\n')).toBe('proven');
  });

  test.each([
    ['nothing has left', two],
    ['too much has left', ''],
    ['half of it has left', `resource "a" "b" {\n}\n${without}`],
    ['something came', `${without}new {}\n`],
    ['something else changed', 'last {\n  y = 2\n}\n'],
  ])('in no other way: %s', async (_, after) => {
    expect(await proof(after)).toMatchObject({
      code: 'CONFIG_EDIT_REFUSED',
      message: 'the edit of main.tf cannot be proven: more than the blocks would change',
    });
  });

  test('never with what the other parser does not read, and says what that is', async () => {
    expect(await proof('last {')).toMatchObject({
      message: expect.stringMatching(/another parser of Terraform configuration does not read/),
      cause: expect.anything(),
    });
  });
});

/** Whether the edit of JSON is proven that removes blocks, by their position, and leaves this. */
async function isProven(before: object, removed: readonly number[], after: object) {
  const file = await parseText(JSON.stringify(before), 'main.tf.json');
  const blocks = removed.map((at) => file.blocks[at]!);
  return proveEdit(file, blocks, undefined, JSON.stringify(after)).then(
    () => true,
    () => false,
  );
}

describe('an edit of JSON is proven', () => {
  const three = { resource: [{ t: { a: {} } }, { t: { b: {} } }, { u: { a: {} } }] };
  const twice = { provider: { p: [{ alias: 'x' }, { alias: 'y' }] }, locals: { z: 1 } };

  test.each<[string, object, number[], object]>([
    ['where nothing is left of what only held them', { resource: { t: { a: {} } } }, [0], {}],
    ['the same in a list', [{ resource: { t: { a: {} } } }], [0], []],
    ['with the others of a list', three, [1], { resource: [{ t: { a: {} } }, { u: { a: {} } }] }],
    [
      'by the turn of those with one address',
      twice,
      [1],
      { ...twice, provider: { p: [{ alias: 'x' }] } },
    ],
    [
      'with what was empty',
      { import: [], data: { t: { a: {} } }, locals: {} },
      [0],
      { import: [], locals: {} },
    ],
  ])('%s', async (_, before, removed, after) => {
    expect(await isProven(before, removed, after)).toBe(true);
  });

  test.each<[string, object, number[], object]>([
    [
      'an empty object is left, which Terraform refuses',
      { resource: { t: { a: {} } } },
      [0],
      { resource: {} },
    ],
    ['an empty list is left', { resource: { t: [{ a: {} }] } }, [0], { resource: { t: [] } }],
    [
      'another one of the same address is left',
      twice,
      [1],
      { ...twice, provider: { p: [{ alias: 'y' }] } },
    ],
    [
      'the order of those with one address changes',
      twice,
      [2],
      { provider: { p: [{ alias: 'y' }, { alias: 'x' }] } },
    ],
    ['what was empty is gone', { import: [], data: { t: { a: {} } } }, [0], {}],
  ])('not where %s', async (_, before, removed, after) => {
    expect(await isProven(before, removed, after)).toBe(false);
  });
});
