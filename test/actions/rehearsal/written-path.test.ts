import { withWorkspace, writtenPath } from '../../../src/actions/rehearsal/written-path';

const [ofRoot, ofModule] = [{ isOfModule: false }, { isOfModule: true }];

it.each([
  ['one.json', { ...ofRoot, text: './one.json', isWhole: true }],
  ['../cost$ 5%/one.json', { ...ofRoot, text: './../cost$ 5%/one.json', isWhole: true }],
  ['${path.module}/../one.json', { ...ofModule, text: './../one.json', isWhole: true }],
  ['${ path.module }', { ...ofModule, text: './', isWhole: true }],
  ['${path.root}/a', { ...ofRoot, text: './a', isWhole: true }],
  ['${path.cwd}/a', { ...ofRoot, text: './a', isWhole: true }],
  ['${path.module}-b/a', { ...ofRoot, text: './', isWhole: false }],
  ['../p/${each.key}.json', { ...ofRoot, text: './../p/', isWhole: false }],
  ['../p/%{ if x }a%{ endif }', { ...ofRoot, text: './../p/', isWhole: false }],
  ['../$${a}', { ...ofRoot, text: './../$', isWhole: false }],
  ['/states/${var.a}', undefined],
  ['~/states/a', undefined],
])('of %j is told as much as can be told without Terraform', (template, told) => {
  expect(writtenPath(template)).toEqual(told);
});

it('the workspace is known, whatever its name', () => {
  expect(withWorkspace('${terraform.workspace}/${ terraform.workspace }', '$&')).toBe('$&/$&');
});
