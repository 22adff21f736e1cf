import { locateBlocks } from '../../src/tfconfig/plan-edit';
import { parseText } from './open-project';

test.each([
  ['resource "x" "y" {}', 'x.y'],
  ['resource "x" "y" {}', 'module.a.module.b.x.y'],
  ['data "x" "y" {}', 'data.x.y'],
  ['data "x" "y" {}', 'module.a.data.x.y'],
  ['data "x" "y" {}', 'module.a.module.b.data.x.y'],
  ['module "m" {}', 'module.m'],
  ['module "m" {}', 'module.a.module.m'],
])('the block %s is found as %s', async (text, address) => {
  const file = await parseText(`${text}\n`);
  expect(locateBlocks(file, [{ address, startLine: 1, endLine: 1 }])).toEqual(file.blocks);
});
