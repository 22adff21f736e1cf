import { localNames, localValues } from '../../src/tfconfig/read-body';
import { locateBlocks } from '../../src/tfconfig/plan-edit';
import { ModuleNames } from '../../src/tfconfig/find-blocks';
import { parseText } from './open-project';

describe('the labels of a block of JSON', () => {
  test.each([
    ['resource', 2],
    ['data', 2],
    ['ephemeral', 2],
    ['action', 2],
    ['list', 2],
    ['module', 1],
    ['variable', 1],
    ['output', 1],
    ['provider', 1],
    ['check', 1],
    ['locals', 0],
  ])('of the type %s are %i', async (type, count) => {
    const labels = ['a', 'b'].slice(0, count);
    const body = labels.reduceRight<object>((inner, label) => ({ [label]: inner }), {
      x: { y: 1 },
    });
    const { blocks } = await parseText(JSON.stringify({ [type]: body }), 'main.tf.json');
    expect(blocks.map((block) => block.labels)).toEqual([labels]);
  });

  test('end in the line of their last brace, and hold an object', async () => {
    const { blocks } = await parseText('{"locals": {\n"x": 1\n}\n}', 'main.tf.json');
    expect(blocks[0]?.range).toMatchObject({ startLine: 1, endLine: 3 });
    await expect(parseText('{"locals": "x"}', 'main.tf.json')).rejects.toThrow(
      'main.tf.json:1:12: expected the body of a block',
    );
  });

  test.each([
    ['{"a" 1}', '1:6: colon expected'],
    ['{"a": [1 2]}', '1:10: comma expected'],
    ['{"a": "\\x"}', '1:7: invalid escape character'],
  ])('are refused where the text is %s', async (text, message) => {
    await expect(parseText(text, 'main.tf.json')).rejects.toThrow(`main.tf.json:${message}`);
  });
});

describe('the values of a locals block', () => {
  test.each([
    ['main.tf', 'locals {\n  # a comment\n  a = 1\n  b = [\n    2,\n  ]\n}\n'],
    ['main.tf.json', '{"locals": {"//": "a comment", "a": 1, "b": [2]}}'],
  ])('of %s are known by name and place', async (path, text) => {
    const file = await parseText(text, path);
    const [block] = file.blocks;
    const values = localValues(file, block!);
    expect(values.map(({ name }) => name)).toEqual(['a', 'b']);
    const nameAt = localNames(file, block!);
    const [a, b] = values;
    expect([a!.start - 1, a!.start, a!.end - 1, a!.end, b!.start, b!.end].map(nameAt)).toEqual([
      '',
      'a',
      'a',
      '',
      'b',
      '',
    ]);
  });

  test('are none where there are none', async () => {
    const file = await parseText('locals {}\n');
    expect(localValues(file, file.blocks[0]!)).toEqual([]);
  });
});

test('a block is found by its address in the whole configuration, if there is one', async () => {
  const text = '{"module": {"m": [{}, {}], "n": {"x": [\n{}]}}}';
  const file = await parseText(text, 'main.tf.json');
  const at = (address: string, endLine = 1) => [{ address, startLine: 1, endLine }];
  expect(locateBlocks(file, at('module.a.module.b.module.n', 2))[0]?.labels).toEqual(['n']);
  expect(() => locateBlocks(file, at('module.m'))).toThrow(
    expect.objectContaining({
      code: 'CONFIG_EDIT_REFUSED',
      message: 'there is more than one module.m in line 1 of main.tf.json',
    }),
  );
});

test('a name is new once in each module', () => {
  const names = new ModuleNames();
  expect([names.add('a', 'x'), names.add('a', 'x'), names.add('b', 'x')]).toEqual([
    true,
    false,
    true,
  ]);
  expect([names.has('a', 'x'), names.has('a', 'y'), names.has('c', 'x')]).toEqual([
    true,
    false,
    false,
  ]);
});
