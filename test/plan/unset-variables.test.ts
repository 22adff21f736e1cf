import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireConfiguration } from '../../src/project/read-configuration';
import { readVariables } from '../../src/plan/facts/read-variables';
import { temporaryFolder } from '../support/temporary-folder';

const MAIN = 'variable "env" {\n  type = string\n}\nvariable "size" {\n  default = null\n}\n';

async function variables(
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
) {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries({ 'main.tf': MAIN, ...files }))
    writeFileSync(join(cwd, name), text);
  const { project } = (await requireConfiguration('.', cwd))!;
  return readVariables(cwd, project, environment, flags);
}

it.each([
  ['no file sets it', {}, {}],
  ['only a file that Terraform does not load sets it', { 'prod.tfvars': 'env = "prod"\n' }, {}],
  ['another variable has a value', { 'terraform.tfvars': 'size = 3\n' }, { TF_VAR_size: '3' }],
  ['flags are in the environment, which are not passed on', {}, { TF_CLI_ARGS: '-var=env=prod' }],
  ['the backend is http', { 'b.tf': 'terraform {\n  backend "http" {}\n}\n' }, {}],
])('a variable without a default has no value where %s', async (_, files, environment) => {
  expect((await variables(files, environment)).unsetVariables).toEqual(['env']);
});

it.each([
  ['terraform.tfvars', { 'terraform.tfvars': 'size = 3\nenv  = "prod"\n' }, {}],
  ['*.auto.tfvars', { 'prod.auto.tfvars': 'env="prod"' }, {}],
  ['a file that cannot be parsed', { 'terraform.tfvars': 'env = "prod"\nx = [\n' }, {}],
  ['a JSON file', { 'terraform.tfvars.json': '{"env":"prod"}' }, {}],
  ['the environment', {}, { TF_VAR_env: '' }],
  ['an override file', { 'a_override.tf': 'variable "env" {\n  default = "dev"\n}\n' }, {}],
  ['HCP Terraform', { 'b.tf': 'terraform {\n  cloud {\n    organization = "o"\n  }\n}\n' }, {}],
  ['a remote backend', { 'b.tf': 'terraform {\n  backend "remote" {}\n}\n' }, {}],
])('a variable has a value, or may have one, by %s', async (_, files, environment) => {
  expect((await variables(files, environment)).unsetVariables).toEqual([]);
});

it.each([
  ['a file, not its default', { 'terraform.tfvars': 'size = 3\n' }, {}, 3],
  ['a JSON file', { 'terraform.tfvars.json': '{"size": 4}' }, {}, 4],
  ['the last file', { 'a.auto.tfvars': 'size = 5', 'terraform.tfvars': 'size = 3' }, {}, 5],
  ['no file that sets a nested name', { 'terraform.tfvars': 'env = {\n  size = 3\n}\n' }, {}, null],
  ['the environment', {}, { TF_VAR_size: '6' }, '6'],
  ['a file, not the environment', { 'terraform.tfvars': 'size = 3' }, { TF_VAR_size: '6' }, 3],
])('a variable has the value of %s', async (_, files, environment, size) => {
  expect((await variables(files, environment)).values.get('var.size')).toEqual(size);
});

it.each([
  ['-var', {}, ['-var=env=a=b'], [], 'a=b'],
  ['the last flag', { 'x=y.tfvars': 'env = "f"' }, ['-var=env=a', '-var-file=x=y.tfvars'], [], 'f'],
  ['a file with another ending', { 'prod.vars': 'env = "p"' }, ['-var-file=prod.vars'], [], 'p'],
  ['a JSON file', { 'p.json': '{"env": "j"}' }, ['-var-file=p.json'], [], 'j'],
  [
    'no flag that sets another',
    { p: 'size = 3' },
    ['-var-file=p', '-parallelism=2'],
    ['env'],
    undefined,
  ],
  ['a file that is not here, perhaps', {}, ['-var-file=prod.tfvars'], [], undefined],
])('a variable has the value of %s', async (_, files, flags, unset, env) => {
  const { unsetVariables, values } = await variables(files, {}, flags);
  expect(unsetVariables).toEqual(unset);
  expect(values.get('var.env')).toBe(env);
});
