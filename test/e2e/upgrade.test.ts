import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan } from '../../src/plan/plan-schema';
import { acceptAll, journalOf } from '../support/plans';
import { applySettings, stateNow } from '../support/apply-world';
import { hostedMirror } from '../support/hosted-mirror';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { addRulesetOfThree, declareOther, OTHER } from '../support/provider3-ruleset';
import { nextCommands } from '../support/next-commands';
import { spawnCli } from '../support/spawn-cli';

const mirror = hostedMirror(['2.27.0', '3.28.0', '3.35.0', '4.52.8', '5.22.0', '6.0.0']);

/** Two zones in one state; the ruleset of the second one was written by provider 3. */
const settings = { ...applySettings, zones: 2, version: '3.35.0' };

const applying = ({ lab }: InstalledWorld): string[] => [
  ...['apply', 'plan.json', '--yes', '--json'],
  ...acceptAll(JSON.parse(lab.read('plan.json'))),
];

/** The user's part when `apply` waits for the next provider. */
function requireNext(world: InstalledWorld, version: string): void {
  world.require(version);
  declareOther(world.lab, world.zoneIds[1]!, version.startsWith('4') ? 4 : 5);
}

/** Status leads to the list of what a rollback left to undo by hand. */
async function expectRollbackNext({ cli }: InstalledWorld, plan: Plan): Promise<void> {
  const { stdout } = await cli('status');
  const journal = journalOf(plan).replace('.journal.', '.rolled-back.');
  expect(nextCommands(stdout)).toEqual([`cf-waf-migrate rollback ${journal}`]);
}

it.each<[string, 'local' | 'http']>([
  ['upgrade-provider-before', 'local'],
  ['upgrade-provider-after', 'http'],
])(
  'apply from provider 3 to 5 killed at %s on the %s backend: resumes, and rolls back',
  (point, backend) =>
    inInstalledWorld(mirror, { ...settings, backend }, async (world) => {
      const { lab, environment } = world;
      addRulesetOfThree(world, 3);
      const before = stateNow(world);
      const plan = await world.makePlan('--to', '5');
      const waiting = await world.cli(applying(world));
      expect([waiting.code, waiting.stdout]).toEqual([2, expect.stringContaining('"waiting"')]);
      const shown = await world.cli(applying(world).filter((one) => one !== '--json'));
      expect(shown.stdout).toMatch(
        / it runs\s+`terraform init -upgrade`[^$]*\nDeploy nothing until/,
      );
      requireNext(world, '5.22.0');
      const killed = await spawnCli(applying(world), {
        cwd: lab.dir,
        environment: { ...environment, CF_WAF_MIGRATE_KILL_AT: point },
      });
      expect(killed.signal).toBe('SIGKILL');
      expect((await world.cli(applying(world))).code).toBe(0);
      const listed = (await world.run('state', 'list')).stdout.trim().split('\n');
      expect(listed).toEqual(['cloudflare_ruleset.managed_rules', OTHER]);
      expect((await world.run('plan', '-detailed-exitcode')).code).toBe(0);
      expect(lab.read('.terraform.lock.hcl')).toContain('"5.22.0"');

      const back = await world.cli(`rollback ${journalOf(plan)} --yes`);
      expect([back.code, back.stderr.includes('error')]).toEqual([2, false]);
      expect(back.stderr).toMatch(/undo afterwards:\n {2}[\w-]+: 3\.35\.0 → 5\.22\.0\n/);
      expect(back.stdout).toContain('set the version constraint back');
      await expectRollbackNext(world, plan);
      expect(stateNow(world).resources).toEqual(before.resources);
      world.require('3.35.0');
      const again = await world.cli(`rollback ${journalOf(plan)}`);
      expect(again.stdout).toContain('provider, then run terraform init -upgrade -input=false\n');
    }),
);

it.each(['4.52.8', '5.22.0'])(
  'a plan made after the legacy resources were removed upgrades the state to %s',
  (version) =>
    inInstalledWorld(mirror, settings, async (world) => {
      addRulesetOfThree(world, 3);
      await world.makePlan();
      expect((await world.cli(applying(world))).code).toBe(0);

      const plan = await world.makePlan('--to', version);
      expect(plan.steps.flatMap(({ provider }) => provider ?? [])).toEqual([version]);
      expect(plan.findings.map(({ code }) => code)).not.toContain('NO_LEGACY_RESOURCES');
      const waiting = await world.cli(applying(world));
      const { manual } = JSON.parse(waiting.stdout);
      expect([waiting.code, manual.kind, manual.provider]).toEqual([
        2,
        'upgrade-provider',
        version,
      ]);
      const { stdout } = await world.cli(applying(world).filter((flag) => flag !== '--json'));
      expect(stdout).toMatch(/\nNext, when step \d+ is done:\n {2}cf-waf-migrate apply plan.json/);
      requireNext(world, version);
      const [, generate = ''] = /cf-waf-migrate (generate .*managed_rules .*)/.exec(stdout) ?? [];
      const generated = await world.cli(generate);
      expect([generated.stderr, generated.stdout]).toEqual([
        '',
        expect.stringMatching(/\nNext:\n {2}cf-waf-migrate apply( --accept [A-Z_]+)*\n$/),
      ]);
      expect((await world.cli(applying(world))).code).toBe(0);
      expect((await world.cli('verify plan.json')).code).toBe(0);
      const again = await world.makePlan('--to', version);
      expect(again.steps.map(({ kind }) => kind)).toEqual(['check']);
      // the run of the earlier plan of the same state stays
      expect((await world.cli(`rollback ${journalOf(plan)} --yes`)).code).toBe(2);
      await expectRollbackNext(world, plan);
    }),
);

it('rehearses the rest of a run that waits for the next provider', () =>
  inInstalledWorld(mirror, { ...settings, zones: 1 }, async (world) => {
    await world.makePlan('--to', '5');
    expect((await world.cli(applying(world))).code).toBe(2);
    world.require('5.22.0');
    for (const line of ['rehearse plan.json --json', 'rehearse --json']) {
      const ran = await world.cli(line);
      expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('"error"')]);
      expect(JSON.parse(ran.stdout)).toMatchObject({ verdict: 'clean', notRehearsed: [] });
    }
    expect((await world.cli(applying(world))).code).toBe(0);
    expect((await world.cli('rehearse plan.json')).code).toBe(0);
  }));

it('a pipeline that runs the apply job of an upgrade twice finds all done', () =>
  inInstalledWorld(mirror, settings, async (world) => {
    addRulesetOfThree(world, 3);
    await world.makePlan('--to', '5');
    expect((await world.cli(applying(world))).code).toBe(2);
    requireNext(world, '5.22.0');
    expect((await world.cli(applying(world))).code).toBe(0);
    rmSync(join(world.lab.dir, 'cf-waf-migrate-backup'), { recursive: true });
    const again = await world.cli(applying(world));
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('"error"')]);
  }));

const pin = `terraform {
  required_providers {
    cloudflare = {
      source                = "cloudflare/cloudflare"
      version               = "~> 3.35"
      configuration_aliases = [cloudflare.eu]
    }
  }
}
`;

/** Moves the ruleset of the second zone into a module that requires provider 3, and an alias of it. */
function moveIntoPinnedModule({ lab }: InstalledWorld): void {
  const { resource } = JSON.parse(lab.read('other.tf.json'));
  resource.cloudflare_ruleset.other.provider = 'cloudflare.eu';
  lab.write('other.tf.json', {
    module: { eu: { source: './eu', providers: { 'cloudflare.eu': 'cloudflare' } } },
  });
  mkdirSync(join(lab.dir, 'eu'));
  lab.write('eu/main.tf.json', { resource });
  lab.write('eu/versions.tf', pin);
  const state = JSON.parse(lab.read('terraform.tfstate'));
  for (const one of state.resources) if (one.name === 'other') one.module = 'module.eu';
  lab.write('terraform.tfstate', state);
}

describe('a rehearsal of a plan that changes the major version of the provider', () => {
  it('sets the constraint on the copy, also in a module', () =>
    inInstalledWorld(mirror, settings, async (world) => {
      const { lab, cli, run } = world;
      addRulesetOfThree(world, 5);
      moveIntoPinnedModule(world);
      expect((await run('init')).code).toBe(0);
      await world.makePlan('--to', '5');
      const ran = await cli('rehearse plan.json --json');
      expect([ran.code, ran.stderr.includes('"error"')]).toEqual([0, false]);
      expect(JSON.parse(ran.stdout)).toMatchObject({ verdict: 'clean', notRehearsed: [] });
      expect(lab.read('.terraform.lock.hcl')).toContain('"3.35.0"');
      expect(lab.read('provider.tf.json')).toContain('3.35.0');
    }));

  it('fails while a ruleset is written for provider 3, with the command that writes it again', () =>
    inInstalledWorld(mirror, settings, async (world) => {
      const { lab, cli } = world;
      addRulesetOfThree(world, 3);
      await world.makePlan('--to', '5.22.0');
      const failed = await cli('rehearse plan.json --json');
      const { error } = JSON.parse(failed.stderr.slice(failed.stderr.indexOf('{"error"')));
      expect([failed.code, error.code]).toEqual([1, 'TERRAFORM_FAILED']);
      expect(error.hint).toContain(
        `check whether ${OTHER} is still written for another provider; before you plan or apply again, edit its block`,
      );
      const [, command = ''] = /:\ncf-waf-migrate (generate .*)$/.exec(error.hint) ?? [];
      const example = await cli(command);
      expect([example.code, example.stderr]).toEqual([0, '']);
      const folder = join(lab.dir, 'example');
      const [file = ''] = readdirSync(folder).filter((name) => name !== 'providers.tf');
      lab.write('other.tf.json', {});
      renameSync(join(folder, file), join(lab.dir, file));
      await world.makePlan('--to', '5.22.0');
      expect((await cli('rehearse plan.json')).code).toBe(0);
    }));
});

describe('a provider that cannot import rulesets', () => {
  it('has to be upgraded within its major version before a plan is made', () =>
    inInstalledWorld(mirror, { ...applySettings, version: '3.28.0' }, async (world) => {
      const { lab, zoneIds, rulesetIds, run, cli } = world;
      lab.write('ruleset.tf', 'resource "cloudflare_ruleset" "managed_rules" {}\n');
      const id = `zone/${zoneIds[0]!}/${rulesetIds[0]!}`;
      const refused = await run('import', 'cloudflare_ruleset.managed_rules', id);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('Import is not yet supported for Rulesets'),
      ]);
      lab.write('ruleset.tf', '');

      const plan = `plan --zone ${zoneIds[0]!} --out plan.txt`;
      const { code, stderr } = await cli(plan);
      expect([code, stderr]).toEqual([1, expect.stringContaining('3.28.0 cannot import rulesets')]);
      expect(stderr).toContain('3.35.0');
      expect(stderr).toContain('terraform init -upgrade');
      expect(lab.read('plan.txt')).toBe('');

      world.require('3.35.0');
      expect((await run('init', '-upgrade')).code).toBe(0);
      expect((await cli(plan)).code).toBe(0);
    }));

  it.each(['2.27.0', '6.0.0'])('is named where it is %s, by its lock file', (version) =>
    inInstalledWorld(mirror, { ...applySettings, version }, async ({ zoneIds, cli }) => {
      const { code, stdout, stderr } = await cli(`plan --zone ${zoneIds[0]!}`);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(`provider ${version}`);
    }),
  );
});
