import { readModule } from '../../src/tfconfig/read-project';
import { parseText } from './open-project';

const read = async (files: Readonly<Record<string, string>>) =>
  readModule(
    '.',
    await Promise.all(Object.entries(files).map(([path, text]) => parseText(text, path))),
  );

test.each([[['a.tf', 'b.tf', 'c.tf']], [['c.tf', 'b.tf', 'a.tf']], [['b.tf', 'c.tf', 'a.tf']]])(
  'files given as %j are read in the order of their names',
  async (names) => {
    const module = await read(Object.fromEntries(names.map((name) => [name, 'locals {}\n'])));
    expect(module.files.map(({ path }) => path)).toEqual(['a.tf', 'b.tf', 'c.tf']);
    expect(module.others.map(({ file }) => file)).toEqual(['a.tf', 'b.tf', 'c.tf']);
  },
);

test('resources are blocks of these types with two labels', async () => {
  const { resources } = await read({
    'a.tf':
      'resource "x" "y" {}\ndata "x" "y" {}\nresource "x" {}\nresource {}\nother "x" "y" {}\n',
  });
  expect(resources.map(({ mode, type, name }) => `${mode} ${type}.${name}`)).toEqual([
    'managed x.y',
    'data x.y',
  ]);
});

test('the others are what is read as nothing else', async () => {
  const { others } = await read({
    'a.tf':
      'resource "x" "y" {}\ndata "x" "y" {}\nmodule "m" {}\nprovider "p" {}\nimport {}\nmoved {}\nremoved {}\nlocals {}\nvariable "v" {}\n',
  });
  expect(others.map(({ type }) => type)).toEqual(['locals', 'variable']);
});

describe('the call of a module', () => {
  const sourceIn = async (files: Readonly<Record<string, string>>) =>
    (await read(files)).calls.map(({ name, source, blocks }) => [
      name,
      source,
      blocks.map(({ file }) => file),
    ]);

  test.each([
    ['goes where an override says', 'source = "./o"', './o'],
    ['goes where it said, where an override says nothing of it', 'x = 1', './m'],
    ['is not known, where an override has it worked out', 'source = var.x', undefined],
  ])('%s', async (_, argument, source) => {
    const files = {
      'a_override.tf': `module "m" {\n  ${argument}\n}\n`,
      'main.tf': 'module "m" {\n  source = "./m"\n}\n',
    };
    expect(await sourceIn(files)).toEqual([['m', source, ['main.tf', 'a_override.tf']]]);
  });

  test.each([
    ['once', '', '', false],
    ['by a count', 'count = 2', '', true],
    ['by keys', 'for_each = var.zones', '', true],
    ['by what an override says', '', 'count = 2', true],
    ['by what it says itself, where an override says nothing of it', 'count = 2', 'x = 1', true],
  ])('is made %s', async (_, argument, override, isRepeated) => {
    const { calls } = await read({
      'main.tf': `module "m" {\n  source = "./m"\n  ${argument}\n}\n`,
      'a_override.tf': `module "m" {\n  ${override}\n}\n`,
    });
    expect(calls).toMatchObject([{ isRepeated }]);
  });

  test('has a name, and may have no source', async () => {
    expect(await sourceIn({ 'a.tf': 'module {}\nmodule "m" {}\n' })).toEqual([
      ['m', undefined, ['a.tf']],
    ]);
  });
});

test('a provider without a label has no name', async () => {
  const { providers } = await read({ 'a.tf': 'provider {}\n' });
  expect(providers.map(({ name }) => name)).toEqual(['']);
});
