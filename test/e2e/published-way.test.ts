import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { typeErrors } from '../generate/support/type-check';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { pathsWith } from '../support/cdktf-project';
import { journalOf } from '../support/plans';
import { buildHostedMirror, type Mirror } from '../support/provider/mirror';
import { dependOn, layOutPackage } from '../support/published-package';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

let packageFolder: string;
let mirror: Mirror;
beforeAll(async () => {
  packageFolder = temporaryFolder();
  mirror = await buildHostedMirror(temporaryFolder(), ['3.35.0']);
  await layOutPackage(packageFolder);
}, 300_000);

/** Runs a command in a folder that has nothing of this repository. */
const runIn = ({ lab, environment }: InstalledWorld, command: string, ...args: string[]) =>
  runProcess(command, args, {
    cwd: lab.dir,
    env: { ...process.env, ...environment, npm_config_loglevel: 'silent' },
  });

/** Other Cloudflare resources beside the old ones, and values that only prod.tfvars has. */
const main = `variable "zone_id" {}

resource "cloudflare_filter" "office" {
  zone_id    = var.zone_id
  expression = "ip.src eq 192.0.2.1"
}

# noise from our own scanner
resource "cloudflare_waf_rule" "off" {
  for_each = toset(["100000", "100001"])
  zone_id  = var.zone_id
  rule_id  = each.value
  mode     = "disable"
}
`;

it('the installed package leads a folder with remote state and prod.tfvars all the way', () =>
  inInstalledWorld(
    mirror,
    { migrated: false, backend: 'http', version: '3.35.0' },
    async (world) => {
      const { lab, zoneIds, run, http } = world;
      dependOn(packageFolder, lab.dir);
      const tool = (...args: string[]) => runIn(world, 'node_modules/.bin/cf-waf-migrate', ...args);
      lab.write('main.tf', main);
      lab.write('prod.tfvars', `zone_id = "${zoneIds[0]!}"\n`);
      const applied = await run('apply', '-auto-approve', '-var-file=prod.tfvars');
      expect([applied.stderr, applied.code]).toEqual(['', 0]);

      const before = (await run('state', 'list')).stdout.trim().split('\n');

      const zone = ['--zone', zoneIds[0]!];
      const checked = await tool('check', ...zone);
      expect([checked.stderr, checked.code]).toEqual(['', 0]);
      const finished = await tool('finish', ...zone, '--confirm', 'zone-1.example.com');
      expect([finished.code, finished.stderr]).toEqual([
        0,
        expect.stringMatching(/^saved the legacy settings in .*\n$/m),
      ]);
      const variables = ['--', '-var-file=prod.tfvars'];
      const out = ['--out', 'plan.json'];
      const planned = await tool('plan', ...zone, '--dir', '.', ...out, ...variables);
      expect([planned.stderr, planned.code]).toEqual(['', 0]);
      http!.clearLog();
      const rehearsed = await tool('rehearse', 'plan.json');
      expect([rehearsed.code, rehearsed.stderr]).toEqual([0, expect.stringMatching(/: done\n$/)]);
      expect(http!.writes()).toBe(0);
      const carried = await tool('apply', 'plan.json', '--yes');
      expect([carried.code, carried.stderr]).toEqual([0, expect.not.stringContaining('error')]);
      expect(await tool('verify', 'plan.json')).toMatchObject({ code: 0, stderr: '' });

      const listed = (await run('state', 'list')).stdout.trim().split('\n');
      expect(listed).toEqual(['cloudflare_filter.office', 'cloudflare_ruleset.managed_rules']);
      expect(lab.read('main.tf')).toBe(main.slice(0, main.indexOf('\n# noise')));
      const last = await run('plan', '-detailed-exitcode', '-var-file=prod.tfvars');
      expect([last.stderr, last.code]).toEqual(['', 0]);

      const plan = JSON.parse(lab.read('plan.json')) as { digest: string };
      const back = await tool('rollback', journalOf(plan), '--yes');
      expect([back.code, back.stderr.includes('error')]).toEqual([0, false]);
      expect(lab.read('main.tf')).toBe(main);
      const old = (await run('state', 'list')).stdout.trim().split('\n');
      expect(old).toEqual(before);
    },
  ));

it('the installed package adds a stack to a CDKTF project of other versions', () =>
  inInstalledWorld(mirror, { version: '3.35.0' }, async (world) => {
    const { lab, zoneIds } = world;
    for (const name of readdirSync(lab.dir)) rmSync(join(lab.dir, name), { recursive: true });
    lab.write('cdktf.json', { language: 'typescript', app: 'npx ts-node main.ts' });
    const bindings = { '@cdktf/provider-cloudflare': '11.30.0', cdktf: '^0.20.0' };
    lab.write('package.json', { name: 'theirs', dependencies: bindings });
    dependOn(packageFolder, lab.dir);
    const typed = ['cf-waf-migrate', 'generate', '--zone', zoneIds[0]!, '--out', '.'];
    const added = await runIn(world, 'npx', '--no-install', ...typed);
    expect([added.stderr, added.code]).toEqual(['', 0]);
    expect(added.stdout).toContain(
      'for provider 4 (package.json has @cdktf/provider-cloudflare 11)',
    );
    const [file = ''] = readdirSync(lab.dir).filter((name) => name.endsWith('.ts'));
    const stack = readFileSync(join(lab.dir, file), 'utf8');
    expect(typeErrors([stack], pathsWith(4))).toEqual([]);
  }));
