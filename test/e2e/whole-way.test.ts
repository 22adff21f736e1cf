import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { journalOf } from '../support/plans';
import { hostedMirror } from '../support/hosted-mirror';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { type WorldOptions } from '../support/world';

const untouched: WorldOptions = { migrated: false };
const variables = ['--', '-var-file=prod.tfvars'];

const mirror = hostedMirror(['3.35.0', '4.52.8', '5.22.0']);

/** A root that calls a module for its zone, with values that only a variable file has. */
const root = `variable "zone_id" {
  type = string
}

variable "disabled" {
  type = set(string)
}

module "waf" {
  source   = "./modules/waf"
  zone_id  = var.zone_id
  disabled = var.disabled
}
`;

const inner = `terraform {
  required_providers {
    cloudflare = { source = "cloudflare/cloudflare" }
  }
}

variable "zone_id" {
  type = string
}

variable "disabled" {
  type = set(string)
}

# these rules hit our own tests
resource "cloudflare_waf_rule" "off" {
  for_each = var.disabled
  zone_id  = var.zone_id
  rule_id  = each.value
  mode     = "disable"
}
`;

/** Writes the project and applies it with provider 3: real resources in a real state. */
async function applyOld({ lab, zoneIds, run }: InstalledWorld): Promise<void> {
  rmSync(join(lab.dir, 'terraform.tfstate'), { force: true });
  mkdirSync(join(lab.dir, 'modules/waf'), { recursive: true });
  lab.write('main.tf', root);
  lab.write('modules/waf/main.tf', inner);
  lab.write('prod.tfvars', `zone_id  = "${zoneIds[0]!}"\ndisabled = ["100000", "100001"]\n`);
  expect((await run('init')).code).toBe(0);
  const applied = await run('apply', '-auto-approve', '-var-file=prod.tfvars');
  expect([applied.stderr, applied.code]).toEqual(['', 0]);
}

/** The irreversible call, until Cloudflare has switched. */
async function finish({ cli, zoneIds }: InstalledWorld): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const done = await cli(`finish --zone ${zoneIds[0]!} --confirm zone-1.example.com --json`);
    if (done.code === 0) return;
    if (done.code !== 2) throw new Error(done.stderr);
  }
  throw new Error('the service does not switch');
}

interface Route {
  readonly name: string;
  readonly flags: readonly string[];
  /** The provider installed right after the migration, which breaks the folder. */
  readonly installed?: string;
  /** The provider required when the tool requests it. */
  readonly to?: string;
}

const routes: Route[] = [
  { name: '3 to 3 by commands', flags: [] },
  {
    name: 'trap 0.2: one plan imports and removes: 3 to 3 by blocks',
    flags: ['--method', 'blocks'],
  },
  { name: '3 to 4', flags: ['--to', '4'], to: '4.52.8' },
  { name: '3 to 5', flags: ['--to', '5'], to: '5.22.0' },
  { name: 'broken under 4, to 5', flags: ['--to', '5'], installed: '4.52.8', to: '5.22.0' },
  { name: 'broken under 5', flags: [], installed: '5.22.0' },
];

it.each(routes)(
  'the whole way of a module with variables, $name',
  ({ flags, installed, to }) =>
    inInstalledWorld(mirror, { ...untouched, version: '3.35.0' }, async (world) => {
      const { lab, cli, run, zoneIds, makePlan } = world;
      await applyOld(world);
      await finish(world);
      const generated = await cli(`generate --zone ${zoneIds[0]!} --out generated`);
      expect([generated.stderr, generated.code]).toEqual(['', 0]);
      if (installed !== undefined) {
        world.require(installed);
        expect((await run('init', '-upgrade')).code).toBe(0);
        expect((await run('plan', '-var-file=prod.tfvars')).code).toBe(1);
      }
      const before = JSON.parse(lab.read('terraform.tfstate'));
      lab.asked();
      const plan = await makePlan(...flags, ...variables);
      const rehearsed = JSON.parse((await cli('rehearse plan.json --json')).stdout);
      expect(rehearsed).toMatchObject({ verdict: 'clean', notRehearsed: [] });

      let applied = await cli('apply plan.json --yes --json');
      if (to !== undefined) {
        const { manual } = JSON.parse(applied.stdout);
        expect([applied.code, manual.kind, manual.provider]).toEqual([2, 'upgrade-provider', to]);
        // nothing was installed before the user has set the constraint
        expect(lab.read('.terraform.lock.hcl')).toContain(`"${installed ?? '3.35.0'}"`);
        world.require(to);
        applied = await cli('apply plan.json --yes --json');
      }
      expect([applied.code, applied.stderr.includes('"error"')]).toEqual([0, false]);
      const verified = await cli('verify plan.json --json');
      expect(JSON.parse(verified.stdout)).toEqual({ verdict: 'clean', differences: [] });
      expect((await run('state', 'list')).stdout.trim()).toBe('cloudflare_ruleset.managed_rules');
      expect(
        lab.asked().filter((line) => !line.startsWith('GET ') || line.includes('/firewall/waf')),
      ).toEqual([]);

      const back = await cli(`rollback ${journalOf(plan)} --yes`);
      expect(back.code).toBe(to === undefined ? 0 : 2);
      expect(JSON.parse(lab.read('terraform.tfstate')).resources).toEqual(before.resources);
      expect(lab.read('modules/waf/main.tf')).toBe(inner);
      expect(lab.read('managed_rules.tf')).toBe('');
    }),
  300_000,
);
