import { proveEdit } from '../../src/tfconfig/prove-edit';
import { parseText } from './open-project';

/** Whether the edit of JSON is proven that removes blocks, by their position, and leaves this. */
async function isProven(before: object, removed: readonly number[], after: object) {
  const file = await parseText(JSON.stringify(before), 'main.tf.json');
  const blocks = removed.map((at) => file.blocks[at]!);
  return proveEdit(file, blocks, JSON.stringify(after)).then(
    () => true,
    () => false,
  );
}

const twice = { provider: { p: [{ alias: 'x' }, { alias: 'y' }] }, locals: { z: 1 } };

test('an edit of JSON is proven by the turn of the blocks with one address', async () => {
  expect(await isProven(twice, [1], { ...twice, provider: { p: [{ alias: 'x' }] } })).toBe(true);
});

test.each<[string, object, number[], object]>([
  ['an empty object is left', { resource: { t: { a: {} } } }, [0], { resource: {} }],
  ['an empty list is left', { resource: { t: [{ a: {} }] } }, [0], { resource: { t: [] } }],
  ['another of that address is left', twice, [1], { ...twice, provider: { p: [{ alias: 'y' }] } }],
  ['those of one address swap', twice, [2], { provider: { p: [{ alias: 'y' }, { alias: 'x' }] } }],
  ['what was empty is gone', { import: [], data: { t: { a: {} } } }, [0], {}],
])('an edit of JSON is not proven where %s', async (_, before, removed, after) => {
  expect(await isProven(before, removed, after)).toBe(false);
});
