import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terraformFileName } from '../../src/core/terraform-syntax';
import { type Plan } from '../../src/plan/plan';
import { stackOf } from '../generate/support/generate-files';
import { live } from '../generate/support/live-answer';
import { fakeTerraform } from '../support/fake-terraform';
import { statesFolder } from '../plan/support/plans';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator } from './support/cli-with-emulator';

const cli = cliWithEmulator('old-waf');

describe('no file is written that Terraform would merge into others', () => {
  it.each([
    ['override', 'override_ruleset.tf'],
    ['waf_override', 'waf_override_ruleset.tf'],
    ['overrides', 'overrides.tf'],
    ['wafoverride', 'wafoverride.tf'],
  ])('the file for %s is %s', (name, file) => {
    expect(terraformFileName(name, '.tf')).toBe(file);
  });

  it('generate, for a zone below .override', () => {
    const answer = live({});
    const fileOf = (format: 'hcl' | 'tfjson'): string =>
      stackOf(answer, { zone: 'shop.override', format }).resourceFile.path;
    expect(fileOf('hcl')).toBe('shop_override_ruleset.tf');
    expect(fileOf('tfjson')).toBe('shop_override_ruleset.tf.json');
  });

  it('plan, for an address that ends so', async () => {
    const cwd = temporaryFolder();
    const state = join(statesFolder, 'old-waf-3.35.tfstate');
    const fake = fakeTerraform(cwd, `case "$*" in 'state pull') cat '${state}' ;; esac`);
    writeFileSync(join(cwd, 'main.tf'), '');
    const zone = cli.emulator().zones[0]!.id;
    const address = 'cloudflare_ruleset.waf_override';
    const args = ['plan', '--zone', zone, '--dir', '.', '--address', address, '--json'];
    const { stdout } = await cli.run(args, { cwd, environment: { PATH: fake.searchPath } });
    const { steps }: Plan = JSON.parse(stdout);
    const files = steps.flatMap(({ edits = [] }) => edits.map(({ file }) => file));
    expect(files).toEqual(['waf_override_ruleset.tf']);
  });
});
