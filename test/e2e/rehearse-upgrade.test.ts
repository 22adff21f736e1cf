import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { applySettings } from '../support/apply-world';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { buildHostedMirror, type Mirror } from '../support/provider/mirror';
import { addRulesetOfThree } from '../support/provider3-ruleset';
import { temporaryFolder } from '../support/temporary-folder';

let mirror: Mirror;
beforeAll(async () => {
  mirror = await buildHostedMirror(temporaryFolder(), ['3.35.0', '4.52.8', '5.22.0']);
});

const pins = {
  'versions.tf': `terraform {
  required_providers {
    cloudflare = {
      source                = "cloudflare/cloudflare"
      version               = "~> 3.35"
      configuration_aliases = [cloudflare.eu]
    }
  }
}
`,
  'versions.tf.json': {
    terraform: {
      required_providers: {
        cloudflare: {
          source: 'cloudflare/cloudflare',
          version: '~> 3.35',
          configuration_aliases: ['cloudflare.eu'],
        },
      },
    },
  },
};

/** Takes the ruleset of the second zone into a module that requires provider 3, and an alias of it. */
function takeIntoPinnedModule({ lab }: InstalledWorld, file: keyof typeof pins): void {
  const { resource } = JSON.parse(lab.read('other.tf.json'));
  resource.cloudflare_ruleset.other.provider = 'cloudflare.eu';
  lab.write('other.tf.json', {
    module: { eu: { source: './eu', providers: { 'cloudflare.eu': 'cloudflare' } } },
  });
  mkdirSync(join(lab.dir, 'eu'));
  lab.write('eu/main.tf.json', { resource });
  lab.write(`eu/${file}`, pins[file]);
  const state = JSON.parse(lab.read('terraform.tfstate'));
  for (const one of state.resources) if (one.name === 'other') one.module = 'module.eu';
  lab.write('terraform.tfstate', state);
}

const settings = { ...applySettings, zones: 2, version: '3.35.0' };
const notes = (stdout: string): string[] =>
  (JSON.parse(stdout).findings ?? []).map(({ code, message }: any) => `${code} ${message}`);

describe('a rehearsal of a plan that changes the major of the provider', () => {
  it.each(['versions.tf', 'versions.tf.json'] as const)(
    'sets the constraint on the copy, also in a module (%s), and proves the end',
    (file) =>
      inInstalledWorld(mirror, settings, async (world) => {
        const { lab, cli, run } = world;
        addRulesetOfThree(world, 5);
        takeIntoPinnedModule(world, file);
        expect((await run('init')).code).toBe(0);
        const plan = await world.makePlan('--to', '5');
        expect(plan.steps.map(({ kind }) => kind)).toContain('upgrade-provider');

        const ran = await cli(['rehearse', 'plan.json', '--json']);
        expect([ran.code, ran.stderr.includes('"error"')]).toEqual([0, false]);
        expect(JSON.parse(ran.stdout)).toMatchObject({ verdict: 'clean', notRehearsed: [] });
        expect(notes(ran.stdout)).toEqual([
          'CONSTRAINT_SET_ON_COPY the copy requires provider 5.22.0 in required_providers of: ., eu',
        ]);
        expect((await cli(['rehearse', 'plan.json'])).stdout).toContain(
          'Note: the copy requires provider 5.22.0',
        );
        expect(lab.read('.terraform.lock.hcl')).toContain('"3.35.0"');
        expect(lab.read('provider.tf.json')).toContain('3.35.0');
      }),
    300_000,
  );

  it('is dirty where the plan would not be empty, and keeps a constraint that is set already', () =>
    inInstalledWorld(mirror, settings, async (world) => {
      const { lab, cli } = world;
      addRulesetOfThree(world, 5);
      await world.makePlan('--to', '5');
      world.require('~> 5.0');
      const other = JSON.parse(lab.read('other.tf.json'));
      other.resource.cloudflare_ruleset.other.rules[0].description = 'changed';
      lab.write('other.tf.json', other);
      const ran = await cli(['rehearse', 'plan.json', '--json']);
      const { verdict, changes } = JSON.parse(ran.stdout);
      expect([ran.code, verdict]).toEqual([2, 'dirty']);
      expect(changes).toMatchObject([{ address: 'cloudflare_ruleset.other' }]);
      expect(notes(ran.stdout)).toEqual([]);
    }));
});
