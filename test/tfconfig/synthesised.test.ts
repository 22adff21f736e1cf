import { constructPath, isSynthesised } from '../../src/tfconfig/synthesised';
import { findBlocksOfTypes } from '../../src/tfconfig/find-blocks';
import { legacyWafTypes } from '../../src/tfstate/legacy-waf-types';
import { filesOf, openProject } from './open-project';

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
