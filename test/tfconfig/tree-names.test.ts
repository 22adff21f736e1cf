import { type HclFile } from '../../src/tfconfig/config';
import { loadHclGrammar } from '../../src/tfconfig/hcl-grammar';
import { hclTraversals, jsonTraversals, treeNames } from '../../src/tfconfig/uses';
import { localValues, readBody } from '../../src/tfconfig/read-body';
import { treeDepth } from '../../src/tfconfig/prove-edit';
import { parseText } from './open-project';

async function hclFile(text: string): Promise<HclFile> {
  const file = await parseText(text);
  if (file.syntax === 'json') throw new Error('no JSON');
  return file;
}

const argumentIn = (argument: string): Promise<HclFile> => hclFile(`t {\n  ${argument}\n}\n`);

const joined = (found: readonly { names: readonly string[] }[]): string[] =>
  found.map(({ names }) => names.join('.'));

/** What an argument refers to by names that begin with `a` or `module`. */
async function namesIn(argument: string) {
  const file = await argumentIn(argument);
  return treeNames(file.tree, file.text, await loadHclGrammar(), new Set(['a', 'module']));
}

describe('the names that an expression refers to', () => {
  test.each([
    ['a.b', ['a.b'], 'a.b'],
    ['a.bc-d._e.f', ['a.bc-d._e.f'], 'a.bc-d._e.f'],
    ['a.bc.de  ', ['a.bc.de'], 'a.bc.de'],
    ['a.0', ['a'], 'a.0'],
    ['a.0.b', ['a.b'], 'a.0.b'],
    ['a["k"].b', ['a.b'], 'a["k"].b'],
    ['a[x.y].b', ['a.b'], 'a[x.y].b'],
    ['a + x.b', ['a'], 'a'],
    ['a.*.b.c', ['a.b.c'], 'a.*.b.c'],
    ['a[*].b.c', ['a.b.c'], 'a[*].b.c'],
    ['a[*][x.y].b', ['a.b'], 'a[*][x.y].b'],
    ['(a /* 1 */ .b\n)', ['a.b'], 'a /* 1 */ .b'],
    ['(a . /* 2 */ b)', ['a.b'], 'a . /* 2 */ b'],
    ['x.a.b', [], undefined],
  ])('in %s', async (expression, names, text) => {
    const found = await namesIn(`v = ${expression}`);
    expect(joined(found)).toEqual(names);
    expect(found[0]?.text).toBe(text);
  });

  test.each([
    ['[for a in x : a.b]', 0],
    ['[for  a in x : a.b]', 0],
    ['[for a  in x : a.b]', 0],
    ['[for k,a in x : a.b]', 0],
    ['[for k , a in x : a.b]', 0],
    ['[for k,  a in x : a.b]', 0],
    ['[for a, v in x : a.b]', 0],
    ['[for k, module in x : module.m]', 0],
    ['[for a in a.c : a.b]', 1],
    ['[for v in x : a.b]', 1],
    ['[[for a in x : a.b], [for v in x : a.b]]', 1],
    ['[[for a in x : 1], [for v in a : a.b]]', 2],
    ['"%{ for a in x }${a.b}%{ endfor }"', 0],
  ])('as loops bind them, in %s', async (expression, count) => {
    expect(await namesIn(`v = ${expression}`)).toHaveLength(count);
  });

  test.each([
    ['depends_on = [module.m]', true],
    ['depends_on = [module.m.o]', false],
    ['depends_on = [a.b]', false],
    ['depends_on = [a.b.c]', false],
    ['v = module.m', false],
  ])('%s orders by a whole module: %s', async (argument, orders) => {
    expect((await namesIn(argument)).map((one) => one.orders)).toEqual([orders]);
  });
});

describe('the references of a file', () => {
  test.each([
    ['depends_on = ["a.b"]', ['a.b']],
    ['depends_on=["a.b"]', ['a.b']],
    ['provider  = "a.b"', ['a.b']],
    ['depends_on = ["x.b", "a", "${x}"]', []],
    ['# depends_on = [\n  v = "a.b"', []],
    ['v = /* depends_on = */ "a.b"', []],
    ['v = a', []],
    ['v = [a, a.b]', ['a.b']],
  ])('by a name and another, in %s', async (argument, names) => {
    const found = hclTraversals(await argumentIn(argument), await loadHclGrammar(), new Set(['a']));
    expect(joined(found)).toEqual(names);
  });

  test('by a name and another, in JSON', async () => {
    const t = { depends_on: ['a', 'x.b', 'a.b'], v: '${a} ${a.c}' };
    const file = await parseText(JSON.stringify({ locals: t }), 'main.tf.json');
    if (file.syntax !== 'json') throw new Error('no HCL');
    const found = jsonTraversals(file, await loadHclGrammar(), new Set(['a']));
    expect(joined(found)).toEqual(['a.b', 'a.c']);
  });
});

test.each([
  ['locals {\n  a = 1\n  # c\n  b {}\n  c = 2\n}', ['a', 'c']],
  ['locals {}', []],
])('the local values of %j', async (text, names) => {
  const file = await parseText(text);
  expect(localValues(file, file.blocks[0]!).map(({ name }) => name)).toEqual(names);
});

describe('what the grammar is given in another form', () => {
  const text =
    't {\n  v = 2e10\n  w = (a . /* c */ b-2e10)\n  depends_on = ["a.c[\\"2e10\\"]"]\n  d "2e10" {}\n}\nlocals {\n  x-2e10 = 1\n}\n';

  test('is read as it is written', async () => {
    const file = await hclFile(text);
    const [t, locals] = file.blocks;
    const found = hclTraversals(file, await loadHclGrammar(), new Set(['a']));
    expect(joined(found)).toEqual(['a.b-2e10', 'a.c']);
    expect(found[1]?.text).toBe('a.c["2e10"]');
    expect(readBody(file, t!).get('d')).toEqual([new Map([['2e10', new Map()]])]);
    expect(localValues(file, locals!).map(({ name }) => name)).toEqual(['x-2e10']);
  });
});

test('a tree is as deep as the deepest of what stands side by side', async () => {
  const depthOf = async (text: string): Promise<number> =>
    treeDepth((await loadHclGrammar()).parse(text));
  const deep = await depthOf('t {\n  x = [1]\n}\n');
  expect(await depthOf('t {\n  x = [1]\n}\nt {\n  x = [1]\n}\nt {}\n')).toBe(deep);
  expect(await depthOf('t {}\nt {\n  x = [[1]]\n}\n')).toBeGreaterThan(deep);
});
