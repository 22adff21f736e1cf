import { findBlocks, modulePaths, findOldBlocks } from '../../src/tfconfig/find-blocks';
import { constructPath } from '../../src/tfconfig/synthesised';
import { loadHclGrammar } from '../../src/tfconfig/hcl-grammar';
import { readProject } from '../../src/tfconfig/read-project';
import { filesOf, oldTypes, openProject } from './open-project';

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
    expect(project.unread).toEqual([
      { dir: '.', name: 'c', source: 'registry.example.com/x/y/z', why: 'remote' },
      { dir: '.', name: 'd', source: undefined, why: 'not literal' },
      { dir: '.', name: 'e', source: './gone', why: 'missing' },
    ]);
  });

  test('reads the files that Terraform loads, and no other', async () => {
    const block = 'a {}\n';
    const project = await openProject({
      ...{ 'a.tf': block, 'b.tf.json': '{"b": {}}', 'c.tfvars': 'x = 1', 'd.tf~': 'broken {' },
      ...{ '.e.tf': 'broken {', '#f.tf#': 'broken {', 'g.hcl': 'broken {', 'h.tofu': 'broken {' },
    });
    expect(filesOf(project).map(({ path }) => path)).toEqual(['a.tf', 'b.tf.json']);
  });

  test('names every file that cannot be read, of every module', async () => {
    const reading = openProject({
      'main.tf': 'module "m" { source = "./m" }\n',
      'x.tf': 'a {\n',
      'm/y.tf.json': '{\n  "a": }\n',
    });
    await expect(reading).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'x.tf:2:1: syntax error; m/y.tf.json:2:8: value expected',
    });
  });

  test('refuses a folder without configuration', async () => {
    await expect(openProject({ 'readme.md': '' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: '. holds no Terraform configuration',
    });
  });

  test('refuses a loop of links instead of following it', async () => {
    const grammar = await loadHclGrammar();
    const bytes = Buffer.from('module "loop" { source = "./loop" }\n');
    const reading = readProject(
      '.',
      (dir) => Promise.resolve([{ path: `${dir}/m.tf`, bytes }]),
      grammar,
    );
    await expect(reading).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'modules lie more than 64 folders deep below each other',
    });
  });

  test('reads providers, requirements and the blocks that concern the state', async () => {
    const project = await openProject({
      'main.tf':
        'terraform {\n  required_providers {\n    cloudflare = {\n      source = "x/cloudflare"\n      version = "~> 3.35"\n    }\n    old = ">= 1"\n  }\n}\nprovider "cloudflare" {\n  alias = "eu"\n}\nprovider "cloudflare" {}\nimport {\n  to = a.b["k"]\n  id = "z"\n}\nremoved {\n  from = c.d\n}\nmoved {\n  from = e.f\n  to = e.g\n}\n',
      'more.tf.json':
        '{"terraform": [{"required_providers": {"other": {"version": "1"}}}], "provider": {"cloudflare": [{"alias": "us"}]}, "import": {"to": "h.i", "id": "${var.x}"}}',
    });
    const module = project.modules.get('.');
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
      { kind: 'import', from: undefined, to: 'a.b["k"]', id: 'z', keeps: false },
      { kind: 'import', from: undefined, to: 'h.i', id: '${var.x}', keeps: false },
      { kind: 'moved', from: 'e.f', to: 'e.g', id: undefined, keeps: false },
      { kind: 'removed', from: 'c.d', to: undefined, id: undefined, keeps: false },
    ]);
  });
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

describe('finding what the migration concerns', () => {
  test('old blocks, retired ones and entry points', async () => {
    const project = await openProject('old-and-new');
    const { old, retired, entryPoints } = findOldBlocks(project, oldTypes);
    expect(old.map(({ block }) => block.address)).toEqual([
      'cloudflare_waf_package.owasp',
      'cloudflare_waf_rule.sqli',
    ]);
    expect(retired.map(({ block }) => block.address)).toEqual([
      'cloudflare_filter.bad',
      'cloudflare_firewall_rule.bad',
    ]);
    expect(entryPoints.map(({ name }) => name)).toEqual(['managed', 'computed']);
  });

  test('tells in CDKTF output which construct made a block', async () => {
    const project = await openProject('cdktf-output');
    const paths = findOldBlocks(project, oldTypes).old.map((one) => constructPath(one));
    expect(paths).toEqual(
      ['groups', 'php', 'owasp', 'rule-0', 'rule-1', 'rule-2'].map((id) => `edge/${id}`),
    );
    const byHand = await openProject('tf-json');
    const file = filesOf(byHand)[0]!;
    expect(constructPath({ file, block: file.blocks[0]! })).toBeUndefined();
  });
});
