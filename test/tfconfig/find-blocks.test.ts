import { callsOf, findBlocks, modulePaths, findOldBlocks } from '../../src/tfconfig/find-blocks';
import { oldTypes, openProject } from './open-project';

const files = {
  'main.tf': [
    'module "a" { source = "./a" }',
    'module "gone" { source = "./gone" }',
    'module "far" { source = "registry.example.com/x/y/z" }',
    'resource "t" "n" {}',
    'resource "t" "other" {}',
    'resource "u" "n" {}',
    'data "t" "n" {}',
    'resource "module" "x" {}',
  ].join('\n'),
  'a/a.tf': [
    'module "b" { source = "../b" }',
    'module "self" { source = "./" }',
    'module "root" { source = "./.." }',
    'resource "t" "n" {}',
    'data "t" "n" {}',
    'resource "module" "x" {}',
  ].join('\n'),
  'b/b.tf': 'resource "t" "n" {}\n',
};

describe('the blocks that declare a resource', () => {
  test.each([
    ['t.n', ['main.tf:4']],
    ['u.n', ['main.tf:6']],
    ['data.t.n', ['main.tf:7']],
    ['module.x', ['main.tf:8']],
    ['module.a.t.n', ['a/a.tf:4']],
    ['module.a.data.t.n', ['a/a.tf:5']],
    ['module.a.module.x', ['a/a.tf:6']],
    ['module.a.module.b.t.n', ['b/b.tf:1']],
    ['module.a.module.self.data.t.n', ['a/a.tf:5']],
    ['t.nowhere', []],
    ['module.b.t.n', []],
    ['module.gone.t.n', []],
    ['module.gone.module.a.t.n', []],
    ['module.far.t.n', []],
  ])('of the address %s', async (address, places) => {
    const found = findBlocks(await openProject(files), address);
    expect(found.map(({ file, block }) => `${file.path}:${block.range.startLine}`)).toEqual(places);
  });

  test('relative to a module', async () => {
    const project = await openProject(files);
    expect(findBlocks(project, 'module.b.t.n', 'a')[0]?.file.path).toBe('b/b.tf');
  });
});

describe('the paths to a module', () => {
  test.each([
    ['.', ['']],
    ['a', ['module.a']],
    ['b', ['module.a.module.b']],
  ])('in %s, of which none goes round in circles', async (dir, paths) => {
    const project = await openProject(files);
    expect(modulePaths(project, project.modules.get(dir)!)).toEqual(paths);
  });
});

describe('what the migration concerns', () => {
  test('is told by the type and by whether it is a data source', async () => {
    const ruleset = 'phase = "http_request_firewall_managed"';
    const text = [
      'data "cloudflare_filter" "x" {}\nresource "cloudflare_filter" "y" {}',
      `data "cloudflare_ruleset" "x" { ${ruleset} }\nresource "cloudflare_ruleset" "y" { ${ruleset} }`,
      `resource "other_ruleset" "x" { ${ruleset} }`,
    ].join('\n');
    const found = findOldBlocks(await openProject({ 'main.tf': text }), oldTypes);
    const names = (blocks: readonly { name: string }[]) => blocks.map(({ name }) => name);
    expect(names(found.retired)).toEqual(['y']);
    expect(names(found.entryPoints)).toEqual(['y']);
  });
});

test.each([
  ['', []],
  ['module.a', ['a in main.tf']],
  ['module.a.module.b', ['a in main.tf', 'b in a/a.tf']],
])('the calls on the way of %j are %j', async (path, calls) => {
  const found = callsOf(await openProject(files), path);
  expect(found.map(({ name, blocks }) => `${name} in ${blocks[0]!.file}`)).toEqual(calls);
});

test('a module may be called as the word for one', async () => {
  const nested = {
    'main.tf': 'module "module" { source = "./x" }',
    'x/x.tf': 'module "module" { source = "../y" }',
    'y/y.tf': '',
  };
  expect(callsOf(await openProject(nested), 'module.module')).toHaveLength(1);
});
