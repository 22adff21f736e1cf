import { stringOf } from '../../src/tfconfig/config';
import {
  callsOf,
  declarationsOf,
  findBlocks,
  findBlocksOfTypes,
  mergedBody,
  modulePaths,
} from '../../src/tfconfig/find-blocks';
import { legacyWafTypes } from '../../src/tfstate/legacy-waf-types';
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

describe('the blocks of some types', () => {
  test('are told by the type and by whether they are data sources', async () => {
    const text = 'data "t" "a" {}\nresource "t" "b" {}\nresource "u" "c" {}\n';
    const project = await openProject({ 'main.tf': text });
    const found = findBlocksOfTypes(project, [{ mode: 'managed', type: 't' }]);
    expect(found.map(({ name }) => name)).toEqual(['b']);
  });

  test('are those of every module', async () => {
    const found = findBlocksOfTypes(await openProject('old-and-new'), legacyWafTypes);
    expect(found.map(({ block }) => block.address)).toEqual([
      'cloudflare_waf_package.owasp',
      'cloudflare_waf_rule.sqli',
    ]);
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

const block = (labels: string, name: string) => `${labels} {\n  name = "${name}"\n}\n`;
const own = 'resource "x" "a"';

test.each([
  ['resource "x" "a"', true],
  ['resource "x" "b"', false],
  ['resource "y" "a"', false],
  ['data "x" "a"', false],
])('%s declares the same as resource "x" "a": %j', async (labels, same) => {
  const files = { 'main.tf': block(own, 'own'), 'z.tf': block(labels, 'other') };
  const root = (await openProject(files)).modules.get('.')!;
  const [one, other] = root.resources;
  expect(declarationsOf(root.resources, one!)).toEqual(same ? [one, other] : [one]);
});

async function rootOf(files: Record<string, string>) {
  const project = await openProject(files);
  return project.modules.get('.')!;
}

test('an override file says the last word, whatever it is called', async () => {
  const root = await rootOf({
    'a_override.tf': `${own} {\n  added = "overridden"\n  name = "overridden"\n}\n`,
    'main.tf': `${own} {\n  name = "own"\n  kept = "own"\n}\n`,
    'z.tf': 'resource "x" "b" {\n  another = "another"\n}\n',
  });
  const [resource] = root.resources.filter(({ file }) => !file.override);
  const body = mergedBody(root, resource!);
  expect([...body].map(([key, value]) => [key, stringOf(value)])).toEqual([
    ['name', 'overridden'],
    ['kept', 'own'],
    ['added', 'overridden'],
  ]);
});

describe('finding blocks by address', () => {
  test('goes through the calls, and finds overrides', async () => {
    const project = await openProject('override-files');
    const places = (address: string): string[] =>
      findBlocks(project, address).map(({ block }) => `${block.file}:${block.range.startLine}`);
    expect(places('cloudflare_waf_package.owasp')).toEqual([
      'main.tf:3',
      'override.tf:3',
      'staging_override.tf.json:4',
    ]);
    expect(places('module.waf.cloudflare_waf_rule.local')).toEqual(['modules/waf/main.tf:1']);
    expect(places('module.gone.cloudflare_waf_rule.local')).toEqual([]);
    expect(places('data.cloudflare_waf_package.owasp')).toEqual([]);
  });

  test('tells by which paths a module is reached', async () => {
    const project = await openProject('module-per-zone');
    const paths = [...project.modules.values()].map((module) => modulePaths(project, module));
    expect(paths).toEqual([[''], ['module.zone', 'module.shop']]);
  });

  test('stays quick where the paths are more than can be counted', async () => {
    const levels = 40;
    const files = Object.fromEntries(
      Array.from({ length: levels }, (_, level) => {
        const next = `source = "../m${level + 1}"`;
        const calls = `module "a" { ${next} }\nmodule "b" { ${next} }\n`;
        return [
          `m${level}/m.tf`,
          level === levels - 1 ? 'module "c" { source = "../leaf" }\n' : calls,
        ];
      }),
    );
    const project = await openProject({
      'main.tf': 'module "m" { source = "./m0" }\nmodule "side" { source = "./side" }\n',
      ...files,
      'leaf/l.tf': '',
      'side/s.tf': '',
    });
    const paths = (dir: string): string[] => modulePaths(project, project.modules.get(dir)!, 100);
    expect(paths('leaf')).toHaveLength(100);
    expect(paths('side')).toEqual(['module.side']);
  });
});
