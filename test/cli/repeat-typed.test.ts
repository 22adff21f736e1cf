import { repeatTyped } from '../../src/cli/repeat-typed';

const flagsOf = (name: string): Promise<readonly string[]> =>
  Promise.resolve(name === 'plan' ? ['--terraform', '--token-file'] : []);

it.each([
  ['plan --dir a', 'TF_WORKSPACE=prod cf-waf-migrate plan --dir a --terraform tofu'],
  ['plan -- -var=a=b', 'TF_WORKSPACE=prod cf-waf-migrate plan --terraform tofu -- -var=a=b'],
  ['plan --help', 'cf-waf-migrate plan --help'],
  ['plan --terraform other', 'TF_WORKSPACE=prod cf-waf-migrate plan --terraform other'],
  ['catalogue lookup 1', 'TF_WORKSPACE=prod cf-waf-migrate catalogue lookup 1'],
])(
  'a printed command gets the flags that it has, and the workspace: %s',
  async (line, expected) => {
    for (const words of [
      ['status', '--terraform', 'tofu'],
      ['status', '--terraform=tofu'],
    ]) {
      const text = `Next:\n  cf-waf-migrate ${line}\n`;
      expect(await repeatTyped(text, 'TF_WORKSPACE=prod ', words, flagsOf)).toBe(
        `Next:\n  ${expected}\n`,
      );
    }
  },
);

it('keeps the workspace that a command has, and words about a command', async () => {
  const text = '  TF_WORKSPACE=a cf-waf-migrate plan\nrun cf-waf-migrate plan\n';
  expect(await repeatTyped(text, 'TF_WORKSPACE=b ', ['plan'], flagsOf)).toBe(text);
});
