import { calledFolder, readModule, readProject } from '../../src/tfconfig/read-project';
import { filesOf, openProject, parseText } from './open-project';

describe('reading a project', () => {
  test('follows local modules and names the others', async () => {
    const project = await openProject({
      'main.tf': [
        'module "a" { source = "./modules/a" }',
        'module "b" { source = "../b" }',
        'module "c" { source = "registry.example.com/x/y/z" }',
        'module "d" { source = var.d }',
        'module "e" { source = "./gone" }',
      ].join('\n'),
      'modules/a/a.tf': 'module "n" { source = "..//other/./" }\n',
      'modules/other/o.tf': '',
      '../b/b.tf.json': '{}',
    });
    expect([...project.modules.keys()]).toEqual(['.', 'modules/a', '../b', 'modules/other']);
    expect([...project.unread].map(({ name }) => name)).toEqual(['c', 'd', 'e']);
  });

  test('ends where calls double at each level, and refuses what is not read', async () => {
    const calls = (dir: string): string =>
      ['a', 'b'].map((name) => `module "${name}" {\n  source = "${dir}"\n}\n`).join('');
    const levels = Array.from({ length: 40 }, (_, at) => [`d${at}/m.tf`, calls(`../d${at + 1}`)]);
    const files = { 'main.tf': calls('./d0'), 'd40/m.tf': '', ...Object.fromEntries(levels) };
    await expect(openProject(files)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'the configuration in . calls more than 10,000 modules',
    });
  });

  test('ends where links lead calls into ever deeper folders', async () => {
    const call = (dir: string): string => `module "${dir}" {\n  source = "./${dir}"\n}\n`;
    const many = Array.from({ length: 10_000 }, (_, at) => call(`d${at}`)).join('');
    const readFolder = (dir: string) => {
      // further folders are empty, because parsing takes most of the time
      const text = dir === '.' ? many : dir.startsWith('d0') ? call('x') : '';
      const sources = [{ path: `${dir}/m.tf`, bytes: Buffer.from(text) }];
      return Promise.resolve({ sources: text === '' ? [] : sources, unreadFiles: [] });
    };
    await expect(readProject('.', readFolder)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'the configuration in . calls more than 10,000 modules',
    });
  });

  test('reads the files that Terraform loads, and no other', async () => {
    const block = 'a {}\n';
    const project = await openProject({
      ...{ 'a.tf': block, 'b.tf.json': '{"b": {}}', 'c.tfvars': 'x = 1', 'd.tf~': 'broken {' },
      ...{ '.e.tf': 'broken {', '#f.tf#': 'broken {', 'g.hcl': 'broken {', 'h.tofu': 'broken {' },
    });
    expect(filesOf(project).map(({ path }) => path)).toEqual(['a.tf', 'b.tf.json']);
  });

  test('reads providers, requirements and the blocks that concern the state', async () => {
    const project = await openProject({
      'main.tf':
        'terraform {\n  required_providers {\n    cloudflare = {\n      source = "x/cloudflare"\n      version = "~> 3.35"\n    }\n    old = ">= 1"\n  }\n}\nprovider "cloudflare" {\n  alias = "eu"\n}\nprovider "cloudflare" {}\nimport {\n  to = a.b["k"]\n  id = "z"\n}\nremoved {\n  from = c.d\n}\nmoved {\n  from = e.f\n  to = e.g\n}\n',
      'more.tf.json':
        '{"terraform": [{"required_providers": {"other": {"version": "1"}}}], "provider": {"cloudflare": [{"alias": "us"}]}, "import": {"to": "h.i", "id": "${var.x}"}}',
    });
    const module = project.modules.get('.');
    /** Without the block, which is long. */
    const facts = (one: object): object =>
      Object.fromEntries(Object.entries(one).filter(([name]) => name !== 'block'));
    expect(module?.requirements.map(facts)).toEqual([
      { name: 'cloudflare', source: 'x/cloudflare', version: '~> 3.35', aliases: [] },
      { name: 'old', source: undefined, version: '>= 1', aliases: [] },
      { name: 'other', source: undefined, version: '1', aliases: [] },
    ]);
    expect(module?.providers.map(facts)).toEqual([
      { name: 'cloudflare', alias: 'eu' },
      { name: 'cloudflare', alias: undefined },
      { name: 'cloudflare', alias: 'us' },
    ]);
    expect(module?.stateBlocks.map(facts)).toEqual([
      { kind: 'import', from: undefined, to: 'a.b["k"]', id: 'z', isDestroyFalse: false },
      { kind: 'import', from: undefined, to: 'h.i', id: '${var.x}', isDestroyFalse: false },
      { kind: 'moved', from: 'e.f', to: 'e.g', id: undefined, isDestroyFalse: false },
      { kind: 'removed', from: 'c.d', to: undefined, id: undefined, isDestroyFalse: false },
    ]);
  });
});

/** Reads texts by folder, and tells which folders it was asked for. */
function recording(texts: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const readFolder = (dir: string) => {
    asked.push(dir);
    const text = texts[dir];
    return Promise.resolve(
      text === undefined
        ? undefined
        : { sources: [{ path: `${dir}/m.tf`, bytes: Buffer.from(text) }], unreadFiles: [] },
    );
  };
  return { asked, readFolder };
}

describe('the folders of a project', () => {
  test('are read once, however often they are called', async () => {
    const { asked, readFolder } = recording({
      '.': 'module "a" { source = "./m" }\nmodule "b" { source = "./m" }\n',
      m: 'module "up" { source = "../" }\n',
    });
    await readProject('.', readFolder);
    expect(asked).toEqual(['.', 'm']);
  });
});

describe('what cannot be read', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['is not there', {}],
    ['has nothing that Terraform loads', { 'readme.md': '' }],
  ])('is no configuration, where the folder %s', async (_, files) => {
    await expect(openProject(files)).rejects.toThrow('no configuration');
  });

  test('is every such file of every module, each as a cause', async () => {
    const reading = openProject({
      'main.tf': 'module "m" { source = "./m" }\n',
      'x.tf': 'a {\n',
      'm/y.tf.json': '{\n  "a": }\n',
    });
    await expect(reading).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'x.tf:2:1: syntax error; m/y.tf.json:2:8: value expected',
      cause: [
        expect.objectContaining({ message: 'x.tf:2:1: syntax error' }),
        expect.objectContaining({ message: 'm/y.tf.json:2:8: value expected' }),
      ],
    });
  });
});

const read = async (files: Readonly<Record<string, string>>) =>
  readModule(
    '.',
    await Promise.all(Object.entries(files).map(([path, text]) => parseText(text, path))),
  );

test('files are read in the order of their names', async () => {
  const names = ['c.tf', 'a.tf', 'b.tf'];
  const module = await read(Object.fromEntries(names.map((name) => [name, 'locals {}\n'])));
  expect(module.files.map(({ path }) => path)).toEqual(['a.tf', 'b.tf', 'c.tf']);
});

test('resources are blocks of these types with two labels', async () => {
  const { resources, providers } = await read({
    'a.tf':
      'resource "x" "y" {}\ndata "x" "y" {}\nresource "x" {}\nresource {}\nother "x" "y" {}\nmodule "m" {}\nprovider {}\nimport {}\nmoved {}\nremoved {}\nlocals {}\nvariable "v" {}\n',
  });
  expect(resources.map(({ mode, type, name }) => `${mode} ${type}.${name}`)).toEqual([
    'managed x.y',
    'data x.y',
  ]);
  expect(providers.map(({ name }) => name)).toEqual(['']);
});

test.each([
  ['source = "./m"', 'm', false],
  ['source = var.m\n  count = 2', undefined, true],
  ['for_each = var.zones', undefined, true],
])('the call of a module with %j', async (argument, folder, isRepeated) => {
  const { calls } = await read({ 'main.tf': `module "m" {\n  ${argument}\n}\nmodule {}\n` });
  expect(calls).toMatchObject([{ name: 'm', folder, isRepeated }]);
});

describe('an override file', () => {
  test.each([
    ['override.tf', 'module "m" {}', 'module.m'],
    ['a/x_override.tf', 'data "cloudflare_waf_rules" "r" {}', 'data.cloudflare_waf_rules.r'],
    ['override.tf.json', '{"resource": {"cloudflare_ruleset": {"a": {}}}}', 'cloudflare_ruleset.a'],
  ])('%s is refused for %s', async (path, text, address) => {
    const files = { 'main.tf': 'module "a" { source = "./a" }\n', [path]: text };
    await expect(openProject(files)).rejects.toMatchObject({
      code: 'CONFIG_EDIT_REFUSED',
      message: `${path} overrides ${address}, which is not supported`,
    });
  });

  test.each([
    [
      'override.tf',
      'terraform {}\nprovider "cloudflare" {}\nresource "cloudflare_record" "a" {}\n',
    ],
    ['xoverride.tf', 'module "m" {}\n'],
    ['override_x.tf', 'module "m" {}\n'],
  ])('%s is read with %j', async (path, text) => {
    expect(filesOf(await openProject({ [path]: text }))).toHaveLength(1);
  });
});

describe('the folder of a module that is called', () => {
  test.each([
    ['.', './m', 'm'],
    ['.', '.', '.'],
    ['.', '..', '..'],
    ['.', '../..', '../..'],
    ['..', '../x', '../../x'],
    ['a', '..', '.'],
    ['a', '../../x', '../x'],
    ['a/b', '../c', 'a/c'],
    ['a', './b/./c//d/', 'a/b/c/d'],
    ['.', '.\\m\\n', 'm/n'],
  ])('from %j by %j is %j', (dir, source, folder) => {
    expect(calledFolder(dir, source)).toBe(folder);
  });

  test.each([undefined, 'm', '.m', '..m', 'x/../m', 'https://example.com/./m', '/m'])(
    'is none of this configuration by %j',
    (source) => {
      expect(calledFolder('.', source)).toBeUndefined();
    },
  );
});
