import { declarationsOf } from '../../src/tfconfig/find-blocks';
import { openProject } from './open-project';

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
