import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliLab, jsonOf } from '../support/cli-lab';
import { ENTERPRISE, FINISH } from '../support/zones';

let lab: CliLab;
beforeEach(async () => {
  lab = await CliLab.of('enterprise');
});
afterEach(() => lab.emulator.stop());

const aliased =
  'terraform {\n  required_providers {\n    cloudflare = {\n      source = "cloudflare/cloudflare"\n    }\n  }\n}\nprovider "cloudflare" {\n  alias = "prod"\n}\n';

test.each([
  ['that names a provider configuration, in HCL', '--format hcl'],
  ['that names a provider configuration, in Terraform JSON', '--format tfjson'],
])('finish takes the stack %s', async (_, form) => {
  mkdirSync(join(lab.cwd, 's'));
  writeFileSync(join(lab.cwd, 's/main.tf'), aliased);
  const line = `generate --zone ${ENTERPRISE} ${form} --out s --json`;
  const [file] = jsonOf(await lab.cli(line)).files;
  expect((await lab.cli(`${FINISH} --stack ${file}`)).code).toBe(0);
});

test.each(['cdktf', 'construct'])('finish takes a %s of CDK Terrain', async (format) => {
  writeFileSync(join(lab.cwd, 'package.json'), '{"dependencies":{"cdktn":"^0.24.0"}}');
  const line = `generate --zone ${ENTERPRISE} --format ${format} --out s --json`;
  const [file] = jsonOf(await lab.cli(line)).files;
  expect(readFileSync(join(lab.cwd, file), 'utf8')).toContain('.gen/providers');
  expect((await lab.cli(`${FINISH} --stack ${file}`)).code).toBe(0);
});

test('finish takes the stack of a project that generates its bindings', async () => {
  mkdirSync(join(lab.cwd, 's'));
  const providers = ['cloudflare/cloudflare@~> 5.19'];
  const manifest = { language: 'typescript', app: 'node main.js', terraformProviders: providers };
  writeFileSync(join(lab.cwd, 's/cdktf.json'), JSON.stringify(manifest));
  const [file] = jsonOf(await lab.cli(`generate --zone ${ENTERPRISE} --out s --json`)).files;
  expect(readFileSync(join(lab.cwd, file), 'utf8')).toContain('"./.gen/providers/cloudflare/');
  expect((await lab.cli(`${FINISH} --stack ${file}`)).code).toBe(0);
});
