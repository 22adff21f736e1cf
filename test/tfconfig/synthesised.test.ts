import { type ConfigProject } from '../../src/tfconfig/config';
import { constructPath, isSynthesised, originOf } from '../../src/tfconfig/synthesised';
import { findBlocksOfTypes } from '../../src/tfconfig/find-blocks';
import { legacyWafTypes } from '../../src/tfstate/legacy-waf-types';
import { filesOf, openProject } from './open-project';

const made = (path: string) => ({ '//': { metadata: { path } } });
const call = (name: string, source: string) => ({ [name]: { source } });
const BLOCK = 'resource "x" "copied" {}\n';
const resourcesOf = (project: ConfigProject) =>
  [...project.modules.values()].flatMap(({ resources }) => resources);
/** Each block by its name, and what its user has to remove. */
const origins = (project: ConfigProject) =>
  resourcesOf(project).map((one) => [one.name, ...originOf(project, one)]);

describe.each(['.', 'cdktf.out/stacks/edge'])('in a stack in %s', (root) => {
  const at = (path: string) => (root === '.' ? path : `${root}/${path}`);
  const open = (up: string) =>
    openProject(
      {
        [at('cdk.tf.json')]: JSON.stringify({
          resource: { x: { a: made('edge/a'), raw: {} } },
          module: { ...call('one', './assets/m'), ...call('two', './assets/m'), ...call('up', up) },
        }),
        [at('assets/m/main.tf')]: BLOCK + BLOCK.replace('copied', 'too'),
        [at('assets/m/more.tf')]: BLOCK.replace('copied', 'more'),
        '../outside/main.tf': BLOCK.replace('copied', 'theirs'),
        'cdktf.out/stacks/outside/main.tf': BLOCK.replace('copied', 'theirs'),
      },
      root,
    );

  it('a block goes with its construct, or else is named by all of its addresses', async () => {
    const project = await open('../outside');
    expect(origins(project)).toEqual([
      ['a', 'edge/a'],
      ['raw', 'x.raw'],
      ['copied', 'module.one.x.copied', 'module.two.x.copied'],
      ['too', 'module.one.x.too', 'module.two.x.too'],
      ['more', 'module.one.x.more', 'module.two.x.more'],
      ['theirs', 'module.up.x.theirs'],
    ]);
  });
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
