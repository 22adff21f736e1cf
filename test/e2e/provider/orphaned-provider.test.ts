import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inLab, type Lab } from '../../support/lab';
import { addressesIn, oldWafScenario, removedBlocks } from '../../support/legacy-waf-case';

const state = readFileSync(
  join(__dirname, '../../fixtures/terraform/states/provider-alias-3.35.tfstate'),
  'utf8',
);
const source =
  'terraform {\n  required_providers {\n    cloudflare = { source = "cloudflare/cloudflare" }\n  }\n}\n';
const alias = 'provider "cloudflare" {\n  alias = "eu"\n}\n';
const shell = 'module "a" {\n  source = "./a"\n}\n';

const inAlias = (use: (lab: Lab) => Promise<void>) =>
  inLab({ major: 3, scenario: oldWafScenario({ alive: false }) }, async (lab) => {
    lab.write('terraform.tfstate', state);
    lab.write('removed.tf.json', removedBlocks(addressesIn(state)));
    mkdirSync(join(lab.dir, 'a'));
    lab.write('a/main.tf', `${source}provider "cloudflare" {\n  alias = "inner"\n}\n`);
    await use(lab);
  });

describe('old resources that are bound to a provider alias, or to one inside a module', () => {
  it('cannot be forgotten by blocks once that configuration is gone', () =>
    inAlias(async (lab) => {
      lab.write('main.tf', source);
      await lab.terraform('init');
      const verdict = await lab.plan();
      expect(verdict.outcome).toBe('error');
      expect(verdict.text.replace(/\s+/g, ' ')).toContain('Provider configuration not present');
    }));

  it('can while the alias and the shell of the module are kept', () =>
    inAlias(async (lab) => {
      lab.write('main.tf', source + alias + shell);
      await lab.terraform('init');
      expect(await lab.plan()).toMatchObject({ outcome: 'diff' });
      expect((await lab.terraform('apply', '-auto-approve')).code).toBe(0);
      expect(addressesIn(lab.read('terraform.tfstate'))).toEqual([]);
      expect(lab.asked()).toEqual([]);
    }));

  it('and can always be removed from state', () =>
    inAlias(async (lab) => {
      lab.write('main.tf', source);
      await lab.terraform('init');
      expect((await lab.terraform('state', 'rm', ...addressesIn(state))).code).toBe(0);
      expect((await lab.plan()).outcome).toBe('empty');
    }));
});
