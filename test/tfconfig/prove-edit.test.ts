import { proveEdit } from '../../src/tfconfig/prove-edit';
import { parseText } from './open-project';

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
