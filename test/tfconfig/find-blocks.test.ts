import { findBlocks, modulePaths } from '../../src/tfconfig/find-blocks';
import { openProject } from './open-project';

const files = {
  'main.tf': [
    'module "a" { source = "./a" }',
    'module "gone" { source = "./gone" }',
    'module "far" { source = "registry.example.com/x/y/z" }',
    'resource "t" "n" {}',
    'resource "t" "other" {}',
    'resource "u" "n" {}',
    'data "t" "n" {}',
  ].join('\n'),
  'a/a.tf': [
    'module "b" { source = "../b" }',
    'module "self" { source = "./" }',
    'module "root" { source = "./.." }',
    'resource "t" "n" {}',
    'data "t" "n" {}',
  ].join('\n'),
  'b/b.tf': 'resource "t" "n" {}\n',
};

describe('the blocks that declare a resource', () => {
  test.each([
    ['t.n', ['main.tf:4']],
    ['u.n', ['main.tf:6']],
    ['data.t.n', ['main.tf:7']],
    ['module.a.t.n', ['a/a.tf:4']],
    ['module.a.data.t.n', ['a/a.tf:5']],
    ['module.a.module.b.t.n', ['b/b.tf:1']],
    ['module.a.module.self.data.t.n', []],
    ['t.nowhere', []],
    ['edge/owasp', []],
    ['module.b.t.n', []],
    ['module.gone.t.n', []],
    ['module.gone.module.a.t.n', []],
    ['module.far.t.n', []],
  ])('of the address %s', async (address, places) => {
    const found = findBlocks(await openProject(files), address);
    expect(found.map(({ file, block }) => `${file.path}:${block.range.startLine}`)).toEqual(places);
  });
});

test.each([
  ['.', ['']],
  ['a', ['module.a']],
  ['b', ['module.a.module.b']],
])('the module in %s has the paths %j, none of which goes round in circles', async (dir, paths) => {
  const project = await openProject(files);
  expect(modulePaths(project, project.modules.get(dir)!)).toEqual(paths);
});
