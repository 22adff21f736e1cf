import { hasCounts, impliedMoves } from '../../src/blocks/implied-moves';
import { openProject } from './open-project';

const block = (address: string, ...body: string[]) => {
  const [type = '', name = ''] = address.split('.');
  return `resource "${type}" "${name}" {\n${body.map((line) => `  ${line}\n`).join('')}}\n`;
};
async function implied(files: string | Record<string, string>, ...addresses: string[]) {
  const project = await openProject(typeof files === 'string' ? { 'main.tf': files } : files);
  return impliedMoves(project, addresses).map(({ from, to }) => `${from} → ${to}`);
}

describe('a move is implied', () => {
  test('where count was added to what the state has without a key', async () => {
    const text = block('a.b', 'count = 2');
    expect(await implied(text, 'a.other', 'a.b')).toEqual(['a.b → a.b[0]']);
    expect(await implied(text, 'a.b[0]', 'a.b[1]')).toEqual([]);
    expect(await implied(text, 'a.b["x"]')).toEqual([]);
  });

  test('where count was removed from what the state has as instance 0', async () => {
    const text = block('a.long') + block('a.b', 'count = 1');
    expect(await implied(text, 'a.long[0]', 'a.long[1]')).toEqual(['a.long[0] → a.long']);
    expect(await implied(block('a.b', 'name = "count"'), 'a.b[0]')).toEqual(['a.b[0] → a.b']);
    expect(await implied(block('a.b'), 'a.b', 'a.b[1]')).toEqual([]);
  });

  test('of a data source as well', async () => {
    const data = block('a.b', 'count = 1').replace('resource', 'data');
    expect(await implied(data, 'data.a.b')).toEqual(['data.a.b → data.a.b[0]']);
    expect(await implied(data, 'a.b')).toEqual([]);
  });

  test('not by for_each, nor by an argument of another name', async () => {
    const text = block('a.b', 'for_each = {}') + block('a.c', 'account = "count"');
    expect(await implied(text, 'a.b', 'a.b[0]', 'a.c')).toEqual([]);
    expect(await implied(block('a.b', 'for_each = {}'), 'a.b[0]')).toEqual([]);
  });

  test('not to an address that the state has', async () => {
    expect(await implied(block('a.b', 'count = 1'), 'a.b', 'a.b[0]')).toEqual([]);
    expect(await implied(block('a.b'), 'a.b', 'a.b[0]')).toEqual([]);
  });

  test('not where a moved block names the resource', async () => {
    const moved = 'moved {\n  from = a.b\n  to   = a.b[1]\n}\n';
    expect(await implied(block('a.b', 'count = 2') + moved, 'a.b')).toEqual([]);
    expect(await implied(block('a.b', 'count = 2') + moved.replace('a.b', 'a.old'), 'a.b')).toEqual(
      [],
    );
  });

  test('where another resource is moved, or an instance imported', async () => {
    const others =
      'moved {\n  from = a.c\n  to   = a.d\n}\n' + 'import {\n  to = a.b[1]\n  id = "x"\n}\n';
    expect(await implied(block('a.b', 'count = 2') + others, 'a.b')).toEqual(['a.b → a.b[0]']);
  });

  test('once for a block, with the address of an instance of its module', async () => {
    const call = (name: string, more = '') => `module "${name}" {\n  source = "./m"\n${more}}\n`;
    const project = await openProject({
      'main.tf': call('m', '  for_each = {}\n') + call('n'),
      'm/main.tf': `\n${block('a.b', 'count = 1')}`,
    });
    expect(impliedMoves(project, ['module.m["x"].a.b', 'module.n.a.b', 'a.b'])).toEqual([
      {
        ...{ from: 'module.m["x"].a.b', to: 'module.m["x"].a.b[0]' },
        ...{ file: 'm/main.tf', line: 2, isImplied: true },
      },
    ]);
  });

  test('by what override files and JSON say', async () => {
    const files = { 'main.tf': block('a.b'), 'override.tf': block('a.b', 'count = 1') };
    expect(await implied(files, 'a.b')).toEqual(['a.b → a.b[0]']);
    const json = JSON.stringify({ resource: { a: { b: { count: '${1}' } } } });
    expect(await implied({ 'main.tf.json': json }, 'a.b')).toEqual(['a.b → a.b[0]']);
  });
});

test('whether there is a count at all is told without a state', async () => {
  const has = async (text: string) => {
    const call = 'module "m" {\n  source = "./m"\n}\n';
    return hasCounts(await openProject({ 'main.tf': call, 'm/a.tf': '', 'm/b.tf': text }));
  };
  expect(await has(block('a.b', 'count = 1'))).toBe(true);
  expect(await has(block('a.b', 'account_id = "x"'))).toBe(false);
});
