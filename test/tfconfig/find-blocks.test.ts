import {
  constructPath,
  findBlocks,
  findBlocksOfTypes,
  isSynthesised,
} from '../../src/tfconfig/find-blocks';
import { legacyWafTypes } from '../../src/tfstate/legacy-waf-types';
import { filesOf, openProject } from './open-project';

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
])('the blocks that declare a resource of the address %s', async (address, places) => {
  const found = findBlocks(await openProject(files), address);
  expect(found.map(({ file, block }) => `${file.path}:${block.range.startLine}`)).toEqual(places);
});

test('no path of a module goes round in circles', async () => {
  const { paths } = await openProject(files);
  expect([...paths.keys()]).toEqual(['', 'module.a', 'module.a.module.b']);
});

test('tells in CDKTF output which construct made a block', async () => {
  const project = await openProject('cdktf-output');
  const paths = findBlocksOfTypes(project, legacyWafTypes).map((one) => constructPath(one));
  expect(paths).toEqual(
    ['groups', 'php', 'owasp', 'rule-0', 'rule-1', 'rule-2'].map((id) => `edge/${id}`),
  );
  const byHand = await openProject('tf-json');
  const file = filesOf(byHand)[0]!;
  expect(constructPath({ file, block: file.blocks[0]! })).toBeUndefined();
});

test.each([
  [['cdk.tf.json'], true],
  [['cdk.tf.json', 'main.tf.json'], true],
  [['main.tf.json'], false],
  [['not-cdk.tf.json'], false],
])('a folder with %j is made by CDKTF: %s', async (names, made) => {
  const files = Object.fromEntries(names.map((name) => [name, '{}']));
  expect(isSynthesised(await openProject(files))).toBe(made);
});

test('a folder whose module was made by CDKTF is not', async () => {
  const files = { 'main.tf': 'module "m" { source = "./m" }\n', 'm/cdk.tf.json': '{}' };
  expect(isSynthesised(await openProject(files))).toBe(false);
});
