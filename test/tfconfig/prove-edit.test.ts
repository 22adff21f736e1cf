import { type JsonValue } from '../../src/core/json';
import { proveEdit, withoutBlocks } from '../../src/tfconfig/prove-edit';
import { parseText } from './open-project';

const text = 'resource "a" "b" {\n  x = 1\n}\n\nlast {}\n';
const without = 'last {}\n';

/** Whether an edit that is to take `a.b` out of the text above, and leaves this, is proven. */
async function proof(after: string, inserted?: string): Promise<unknown> {
  const file = await parseText(text);
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
    ['nothing has left', text],
    ['too much has left', ''],
    ['half of it has left', `resource "a" "b" {\n}\n${without}`],
    ['something came', `${without}new {}\n`],
    ['something else changed', 'last {\n  y = 2\n}\n'],
  ])('in no other way: %s', async (_, after) => {
    expect(await proof(after)).toMatchObject({
      code: 'CONFIG_EDIT_REFUSED',
      message: 'the edit of main.tf cannot be proven: something else than the blocks would change',
    });
  });

  test('never with what the other parser does not read, and says what that is', async () => {
    expect(await proof('last {')).toMatchObject({
      message: expect.stringMatching(/another parser of Terraform configuration does not read/),
      cause: expect.anything(),
    });
  });
});

describe('a configuration without blocks', () => {
  /** The blocks of a text in JSON; those of these places in it are gone from the configuration. */
  async function left(
    config: JsonValue,
    gone: readonly number[],
    of: JsonValue = config,
  ): Promise<JsonValue> {
    const { blocks } = await parseText(JSON.stringify(of), 'main.tf.json');
    return withoutBlocks(config, blocks, new Set(gone.map((at) => blocks[at]!)));
  }

  test('has nothing left of what only held them', async () => {
    expect(await left({ resource: { t: { a: {} } } }, [0])).toEqual({});
    expect(await left([{ resource: { t: { a: {} } } }], [0])).toEqual([]);
  });

  test('keeps the others of a list, in their order', async () => {
    const list = { resource: [{ t: { a: {} } }, { t: { b: {} } }, { u: { a: {} } }] };
    expect(await left(list, [1])).toEqual({ resource: [{ t: { a: {} } }, { u: { a: {} } }] });
  });

  test('tells those with one address by their turn', async () => {
    const twice = { provider: { p: [{ alias: 'x' }, { alias: 'y' }] }, locals: {} };
    expect(await left(twice, [1])).toEqual({ provider: { p: [{ alias: 'x' }] }, locals: {} });
    expect(await left(twice, [0])).toEqual({ provider: { p: [{ alias: 'y' }] }, locals: {} });
  });

  test('keeps what was empty, or no block at all', async () => {
    const config = { resource: [{}, { t: [] }, null, { t: { a: {} } }] };
    const blocks = { resource: { t: { a: {} } } };
    expect(await left(config, [0], blocks)).toEqual({ resource: [{}, { t: [] }, null] });
  });
});
