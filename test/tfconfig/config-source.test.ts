import { configSyntax, isOverrideFile } from '../../src/tfconfig/config-source';

describe('a file by its name', () => {
  test.each([
    ['main.tf', 'hcl'],
    ['a/b.c/main.tf', 'hcl'],
    ['main.tf.json', 'json'],
    ['main.json', undefined],
    ['main.tf.bak', undefined],
    ['main_tf', undefined],
    ['.main.tf', undefined],
    ['a/.main.tf', undefined],
    ['.a/main.tf', 'hcl'],
    ['main.tf~', undefined],
    ['#main.tf#', undefined],
    ['#main.tf', 'hcl'],
    ['main.tfvars', undefined],
  ])('%j is %s', (path, syntax) => {
    expect(configSyntax(path)).toBe(syntax);
  });

  test.each([
    ['override.tf', true],
    ['a/xyz_override.tf', true],
    ['override.tf.json', true],
    ['xoverride.tf', false],
    ['override.tf/main.tf', false],
    ['override_x.tf', false],
    ['override.tf.x', false],
  ])('%j overrides others: %s', (path, does) => {
    expect(isOverrideFile(path)).toBe(does);
  });
});
