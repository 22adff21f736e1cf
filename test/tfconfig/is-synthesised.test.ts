import { isSynthesised } from '../../src/tfconfig/synthesised';
import { openProject } from './open-project';

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
