import { isSynthesised } from '../../src/blocks/is-synthesised';
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

const stack = JSON.stringify({ '//': { metadata: { stackName: 'edge', version: '0.21.0' } } });

test.each([
  ['the metadata of its stack', { 'cdk.tf': '', 'metadata.json': stack }, true],
  ['nothing', { 'cdk.tf': '' }, false],
  ['metadata of something else', { 'cdk.tf': '', 'metadata.json': '{"name":"edge"}' }, false],
  ['what is no JSON', { 'cdk.tf': '', 'metadata.json': 'edge' }, false],
  ['no cdk.tf, but such metadata', { 'main.tf': '', 'metadata.json': stack }, false],
])('a folder of HCL with %s beside cdk.tf', async (_, files, made) => {
  expect(isSynthesised(await openProject(files))).toBe(made);
});

test('a folder whose module was made by CDKTF is not', async () => {
  const files = { 'main.tf': 'module "m" { source = "./m" }\n', 'm/cdk.tf.json': '{}' };
  expect(isSynthesised(await openProject(files))).toBe(false);
});
