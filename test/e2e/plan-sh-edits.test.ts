import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessRun } from '../support/run-process';
import { inWorld, type World, type WorldOptions } from '../support/world';

const settings: WorldOptions = {
  packages: {
    c504870194831cd12c3fc0284f294abb: { sensitivity: 'medium', action_mode: 'simulate' },
  },
  rules: { '100000': 'simulate', '100001': 'disable' },
};
const flags = {
  commands: ['--from', '3'],
  removing: [],
  blocks: ['--from', '3', '--method', 'blocks'],
};

/** Writes the script for a configuration that the plan can edit: no step is manual. */
async function writeScript({ lab, zoneIds }: World, order: keyof typeof flags): Promise<void> {
  const args = ['plan', '--zone', zoneIds[0]!, '--dir', '.', ...flags[order]];
  const made = await lab.cli([...args, '--format', 'sh']);
  lab.write('plan.sh', made.stdout);
  expect([made.stderr, made.code]).toEqual(['', 0]);
}

const runScript = ({ lab }: World, ...args: string[]): Promise<ProcessRun> =>
  lab.run('/bin/sh', ['plan.sh', ...args]);

/** A saved plan contains the state, as the backup does: git must ignore both. */
function expectNoStateLyingAbout({ lab }: World): void {
  expect(existsSync(join(lab.dir, 'cf-waf-migrate.tfplan'))).toBe(false);
  expect(lab.read('cf-waf-migrate-backup/.gitignore')).toBe('*\n');
}

async function expectMigrated({ lab, addresses }: World): Promise<void> {
  const listed = (await lab.terraform('state', 'list')).stdout.split('\n').filter(Boolean);
  expect(listed).toEqual(['cloudflare_ruleset.managed_rules']);
  expect(addresses.length).toBeGreaterThan(2);
  expect(lab.read('main.tf')).not.toContain('cloudflare_waf_');
  expect(lab.read('managed_rules.tf')).toContain('resource "cloudflare_ruleset"');
  expect((await lab.plan()).outcome).toBe('empty');
  const asked = lab.emulator.requests();
  expect(
    asked.filter(({ method, path }) => method !== 'GET' || path.includes('/firewall/')),
  ).toEqual([]);
}

it.each([
  ['commands', 'http'],
  ['removing', 'local'],
  ['blocks', 'http'],
] as const)(
  'the script of order %s on the %s backend migrates the folder to an empty plan, and can be run again',
  (order, backend) =>
    inWorld({ ...settings, backend }, async (world) => {
      const { mode } = statSync(join(world.lab.dir, 'main.tf'));
      await writeScript(world, order);
      const first = await runScript(world);
      expect([first.stderr, first.code]).toEqual(['', 0]);
      await expectMigrated(world);
      expectNoStateLyingAbout(world);
      expect(statSync(join(world.lab.dir, 'main.tf')).mode).toBe(mode);

      const again = await runScript(world);
      expect([again.stderr, again.code]).toEqual(['', 0]);
      expect(again.stdout).toContain('done already: main.tf');
      await expectMigrated(world);
    }),
);

it('does not edit a file that has changed since the plan', () =>
  inWorld(settings, async (world) => {
    const { lab } = world;
    await writeScript(world, 'removing');
    const changed = `${lab.read('main.tf')}# a line more\n`;
    lab.write('main.tf', changed);
    const { code, stderr } = await runScript(world);
    expect([code, stderr]).toEqual([
      1,
      'main.tf has changed since the plan was made: plan again\n',
    ]);
    expect(lab.read('main.tf')).toBe(changed);
  }));

it('applies no plan that does more than import and forget', () =>
  inWorld(settings, async (world) => {
    const { lab } = world;
    await writeScript(world, 'blocks');
    lab.write('more.tf', 'resource "terraform_data" "more" {}\n');
    const { code, stderr } = await runScript(world);
    expect([code, stderr]).toEqual([
      1,
      'the plan does more than import and remove from state: it was not applied\n',
    ]);
    const { stdout } = await lab.terraform('state', 'list');
    expect(stdout.split('\n').filter(Boolean).sort()).toEqual([...world.addresses].sort());
    expectNoStateLyingAbout(world);
  }));
