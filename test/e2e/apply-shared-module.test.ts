import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { apply, applySettings } from '../support/apply-world';
import { moduleRepository } from '../support/module-repository';
import { inWorld, ofZone, stateOf, type World } from '../support/world';

const ROOTS = ['roots/a', 'roots/b'];
const MODULE = 'modules/waf/main.tf';
const REQUIREMENT =
  'terraform {\n  required_providers {\n    cloudflare = { source = "cloudflare/cloudflare" }\n  }\n}\n';

/** Two roots that call one module, each with its own zone and state. */
async function shareModule(world: World): Promise<void> {
  const { lab, zoneIds } = world;
  const [first, second] = zoneIds as [string, string];
  const own = ofZone(world, first);
  for (const dir of ['modules/waf', ...ROOTS]) mkdirSync(join(lab.dir, dir), { recursive: true });
  const blocks = own.map(({ block }) => block.replace(`"${first}"`, 'var.zone'));
  lab.write('modules/waf/versions.tf', `${REQUIREMENT}variable "zone" {}\n`);
  lab.write(MODULE, blocks.join('\n'));
  for (const [at, root] of ROOTS.entries()) {
    const zone = [first, second][at]!;
    const call = `module "waf" {\n  source = "../../modules/waf"\n  zone   = "${zone}"\n}\n`;
    lab.write(`${root}/provider.tf`, lab.read('provider.tf'));
    lab.write(`${root}/main.tf`, call);
    const state = stateOf(own, at, 'module.waf').replaceAll(first, zone);
    lab.write(`${root}/terraform.tfstate`, state);
    expect((await lab.terraform(`-chdir=${root}`, 'init')).code).toBe(0);
  }
}

/** The actions of a plan in a root, one word each, without the legacy API. */
async function actionsIn({ lab }: World, root: string): Promise<string> {
  const plan = ['plan', '-json', '-refresh=false', '-lock=false', '-input=false'];
  const { code, stdout } = await lab.terraform(`-chdir=${root}`, ...plan);
  const lines = stdout.trimEnd().split('\n');
  const actions = lines
    .map((line) => JSON.parse(line) as { type: string; change?: { action: string } })
    .filter(({ type }) => type === 'planned_change' || type === 'resource_drift')
    .map(({ change }) => change!.action);
  return code === 1 ? 'refused' : [...new Set(actions)].sort().join(' and ') || 'empty';
}

/** Where `apply` is killed, and the actions of a plan in each root afterwards. */
type Moment = readonly [point: string | undefined, first: string, second: string];

const commands: readonly Moment[] = [
  ['import-after', 'empty', 'empty'],
  ['import-after', 'empty', 'empty'],
  ['remove-after', 'create', 'empty'],
  ['remove-after', 'create', 'create'],
  ['edit-renamed', 'empty', 'empty'],
  [undefined, 'empty', 'empty'],
];
const blocks: readonly Moment[] = [
  ['edit-backed-up', 'empty', 'empty'],
  // the files with `removed` blocks, and the rulesets, before the module
  ['edit-renamed', 'refused', 'empty'],
  ['edit-renamed', 'refused', 'empty'],
  ['edit-renamed', 'refused', 'refused'],
  ['edit-renamed', 'refused', 'refused'],
  ['edit-renamed', 'import and remove', 'import and remove'],
  ['apply-blocks-after', 'empty', 'import and remove'],
  [undefined, 'empty', 'empty'],
];

it.each([
  ['commands', commands],
  ['blocks', blocks],
])(
  'two roots of one module migrate by %s, and at no moment would a plan in either destroy',
  (method, moments) =>
    inWorld({ ...applySettings, zones: 2 }, async (world) => {
      const { lab, zoneIds } = world;
      await shareModule(world);
      const made = await lab.cli(
        `plan --zone ${zoneIds.join(' ')} --dir ${ROOTS.join(' ')} --from 3 --method ${method} --out plan.json`,
      );
      expect([made.stderr, made.code]).toEqual(['', 0]);
      lab.asked();
      const seen: Moment[] = [];
      for (const [point] of moments) {
        const environment = point === undefined ? {} : { CF_WAF_MIGRATE_KILL_AT: point };
        const apply = ['apply', 'plan.json', '--yes', '--json'];
        const { signal } = await lab.spawn(apply, { environment });
        const [first, second] = await Promise.all(ROOTS.map((root) => actionsIn(world, root)));
        seen.push([signal === 'SIGKILL' ? point : undefined, first!, second!]);
      }
      expect(seen.flat().join()).not.toMatch(/delete|replace/);
      expect(seen).toEqual(moments);
      expect(lab.read(MODULE).trim()).toBe('');
      expect(lab.asked().filter((line) => !line.startsWith('GET '))).toEqual([]);
    }),
);

it.each([
  ['a folder', 'modules', '../../modules'],
  ['a file', 'waf.tf', '../../modules/waf/main.tf'],
])('a rehearsal edits what two roots reach through links to %s for both', (_, link, to) =>
  inWorld({ ...applySettings, zones: 2 }, async (world) => {
    const { lab, zoneIds } = world;
    await shareModule(world);
    for (const [at, root] of ROOTS.entries()) {
      const zone = zoneIds[at]!;
      symlinkSync(to, join(lab.dir, root, link));
      if (link === 'modules') {
        lab.write(`${root}/main.tf`, lab.read(`${root}/main.tf`).replace('"../..', '".'));
      } else {
        lab.write(`${root}/main.tf`, `variable "zone" {\n  default = "${zone}"\n}\n`);
        const state = lab.read(`${root}/terraform.tfstate`);
        lab.write(`${root}/terraform.tfstate`, state.replaceAll('"module":"module.waf",', ''));
      }
      expect((await lab.terraform(`-chdir=${root}`, 'init')).code).toBe(0);
    }
    const plan = `plan --zone ${zoneIds.join(' ')} --dir ${ROOTS.join(' ')} --from 3 --out plan.json`;
    expect([0, 2]).toContain((await lab.cli(plan)).code);
    const { code, stdout, stderr } = await lab.cli('rehearse plan.json');
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining('Clean'),
      expect.anything(),
    ]);
  }),
);

it('two roots that had one plan get a plan of checks each when they are planned again', () =>
  inWorld({ ...applySettings, zones: 2 }, async (world) => {
    const { lab, zoneIds } = world;
    await shareModule(world);
    const rows = ROOTS.map((root, at) => `${zoneIds[at]!},${root}\n`);
    lab.write('zones.csv', `zone_id,dir\n${rows.join('')}`);
    const plan = 'plan --zones zones.csv --from 3 --out plans';
    expect((await lab.cli(plan)).code).toBe(0);
    expect((await lab.cli('apply plans --zones zones.csv --yes')).code).toBe(0);
    const again = await lab.cli(plan);
    expect([again.code, again.stdout.match(/: 1 step$/gm)?.length]).toEqual([0, 2]);
    expect((await lab.cli('verify plans --zones zones.csv')).code).toBe(0);
  }));

it('the manual step of a module from git is done when its call leaves the legacy resources out', () =>
  inWorld(applySettings, async (world) => {
    const { lab, zoneIds } = world;
    const own = ofZone(world, zoneIds[0]!);
    const blocks = own.map(({ block }) =>
      block.replace('{', '{\n  count = var.has_legacy_waf ? 1 : 0'),
    );
    const module = `${REQUIREMENT}variable "has_legacy_waf" {\n  default = true\n}\n${blocks.join('\n')}`;
    const call = `module "waf" {\n  source = "${moduleRepository(module)}"\n}\n`;
    lab.write('main.tf', call);
    const state = stateOf(own, 0, 'module.waf');
    lab.write(
      'terraform.tfstate',
      state.replaceAll('"schema_version"', '"index_key":0,"schema_version"'),
    );
    expect((await lab.terraform('init')).code).toBe(0);
    expect((await lab.cli(`plan --zone ${zoneIds[0]!} --from 3 --out plan.json`)).code).toBe(2);
    expect((await apply(world)).code).toBe(2);
    expect((await apply(world)).code).toBe(2);
    expect((await lab.cli('status')).stdout).toContain('waiting at step');
    lab.write('main.tf', call.replace('}', '  has_legacy_waf = false\n}'));
    expect((await lab.cli('status')).stdout).not.toContain('waiting at step');
    expect(await apply(world)).toMatchObject({ code: 0 });
    expect((await lab.plan()).outcome).toBe('empty');
    expect((await lab.cli('verify plan.json')).code).toBe(0);
  }));
