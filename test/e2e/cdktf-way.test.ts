import { join } from 'node:path';
import { type Plan, type Step } from '../../src/plan/plan';
import { acceptAll, journalOf } from '../support/plans';
import { type HttpBackend, startHttpBackend } from '../support/backend/http-backend';
import { hostedMirror } from '../support/hosted-mirror';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { runCli } from '../support/run-cli';
import { UserCdktfProject, stackFolder } from '../support/user-cdktf-project';
import { runIn } from '../support/terraform';

const mirror = hostedMirror(['3.35.0']);

/** A user's project, and the programs that run in it. */
class Way {
  private constructor(
    readonly world: InstalledWorld,
    readonly project: UserCdktfProject,
    readonly backend: HttpBackend,
  ) {}

  /** Applies the project with provider 3, and migrates the zone of one of its stacks. */
  static async begin(
    world: InstalledWorld,
    [staging, prod]: readonly [HttpBackend, HttpBackend],
  ): Promise<Way> {
    const [moved, other] = world.zoneIds;
    const addressOf = ({ config }: HttpBackend): string =>
      (config as any).terraform.backend.http.address;
    const environments = {
      staging: { state: addressOf(staging), zones: [{ name: 'zone-2', id: other! }] },
      prod: { state: addressOf(prod), zones: [{ name: 'zone-1', id: moved! }] },
    };
    const dir = join(world.lab.dir, 'edge');
    const project = await UserCdktfProject.write(dir, environments, world.environment);
    const way = new Way(world, project, prod);
    await project.synthesise();
    for (const stack of ['edge-staging', 'edge-prod']) {
      expect((await way.terraform(stack, 'init')).code).toBe(0);
      const applied = await way.terraform(stack, 'apply', '-auto-approve');
      expect([applied.stderr, applied.code]).toEqual(['', 0]);
    }
    const args = ['finish', '--zone', moved!, '--confirm', 'zone-1.example.com', '--json'];
    for (let code: number | null = 2; code !== 0;) {
      const done = await way.cli(args);
      if (![0, 2].includes(done.code)) throw new Error(done.stderr);
      code = done.code;
    }
    return way;
  }

  cli(args: readonly string[]) {
    const { environment } = this.world;
    return runCli([...args], { cwd: this.project.dir, environment });
  }

  terraform(stack: string, ...args: string[]) {
    const cwd = join(this.project.dir, stackFolder(stack));
    return runIn(cwd, 'terraform', args, this.world.environment);
  }

  async plan(): Promise<Plan> {
    const where = ['--zone', this.world.zoneIds[0]!, '--dir', stackFolder('edge-prod')];
    const out = ['--out', 'plan.json'];
    const made = await this.cli(['plan', ...where, '--method', 'commands', ...out]);
    // the module of the two stacks is a decision
    expect(made.code).toBe(2);
    return JSON.parse(this.project.read('plan.json'));
  }

  /** Applies until a manual step; returns it, or nothing. */
  async applyUntilWaiting({ steps, findings }: Plan): Promise<Step | undefined> {
    const accepted = acceptAll({ findings });
    const applied = await this.cli(['apply', 'plan.json', '--yes', '--json', ...accepted]);
    if (applied.stdout === '') throw new Error(applied.stderr);
    const { steps: now } = JSON.parse(applied.stdout) as { steps: Record<string, string>[] };
    const waiting = now.find(({ status }) => status === 'waiting');
    expect(applied.code).toBe(waiting === undefined ? 0 : 2);
    return steps.find(({ id }) => id === waiting?.['id']);
  }

  /** Follows the text of a step literally, and synthesises. */
  async doByHand({ addresses = [], runs = [], code = '' }: Step): Promise<void> {
    const { project } = this;
    for (const { argv } of runs) {
      const ran = await this.cli(argv.slice(1));
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      expect(ran.stdout).toContain('\nNext:\n  cf-waf-migrate apply');
      const [, load] = /: (import .*;) \(with the path of the file\)$/m.exec(ran.stdout) ?? [];
      const [, make] = /^ {2}after the stack: (new .*\(stack, ".*"\);)/m.exec(ran.stdout) ?? [];
      project.edit('import { OldWaf }', `${load!.replace('…', './constructs')}\nimport { OldWaf }`);
      project.edit('app.synth();', `${make!}\napp.synth();`);
    }
    if (addresses.some((address) => address.startsWith('edge-prod/'))) {
      project.edit(
        'for (const zone of zones) {',
        "for (const zone of id === 'edge-prod' ? [] : zones) {",
      );
    }
    project.edit('app.synth();', `${code}app.synth();`);
    await project.synthesise();
  }
}

const oldOfProd = [
  'edge-prod/zone-1/owasp',
  'cloudflare_waf_rule.raw-zone-1',
  'edge-prod/zone-1/rule-100000',
  'module.legacy-zone-1.cloudflare_waf_rule.this',
];

it('a CDKTF project with generated bindings is migrated by commands and rolled back', () =>
  inInstalledWorld(mirror, { migrated: false, zones: 2, version: '3.35.0' }, async (world) => {
    const backends = [await startHttpBackend(), await startHttpBackend()] as const;
    try {
      const way = await Way.begin(world, backends);
      await toRollback(way);
    } finally {
      await Promise.all(backends.map((backend) => backend.stop()));
    }
  }));

async function toRollback(way: Way): Promise<void> {
  const { world, project, backend } = way;
  const before = {
    state: backend.state()!,
    main: project.read('main.ts'),
    stacks: ['edge-staging', 'edge-prod'].map((stack) => project.synthesised(stack)),
  };
  world.lab.asked();
  const plan = await way.plan();
  const rehearsed = await way.cli(['rehearse', 'plan.json', '--json']);
  expect([rehearsed.code, JSON.parse(rehearsed.stdout).verdict]).toEqual([2, 'dirty']);
  expect(backend.state()).toBe(before.state);

  const named: string[] = [];
  for (let step; (step = await way.applyUntilWaiting(plan)) !== undefined;) {
    named.push(...(step.addresses ?? []));
    await way.doByHand(step);
    if (step.runs === undefined) continue;
    // the next manual step comes after changes of the state, which apply makes
    const again = await way.cli(['rehearse', 'plan.json']);
    expect(again.stdout).toMatch(/\nNext:\n {2}cf-waf-migrate apply plan\.json .*\n$/);
  }
  const old = named.filter((name) => !/^(?:import|removed) |^cloudflare_ruleset/.test(name));
  expect(old).toEqual(oldOfProd);
  const listed = await way.terraform('edge-prod', 'state', 'list');
  expect(listed.stdout.trim()).toBe('cloudflare_ruleset.managed_rules');
  const verified = await way.cli(['verify', 'plan.json', '--json']);
  expect(JSON.parse(verified.stdout)).toMatchObject({ verdict: 'clean', differences: [] });
  expect(
    world.lab.asked().filter((line) => !line.startsWith('GET ') || line.includes('/firewall/')),
  ).toEqual([]);
  // the stack of the same class is unchanged
  expect(project.synthesised('edge-staging')).toBe(before.stacks[0]);
  expect((await way.terraform('edge-staging', 'plan', '-detailed-exitcode')).code).toBe(0);

  const journal = journalOf(plan);
  const back = await way.cli(['rollback', journal, '--yes']);
  expect([back.code, back.stdout]).toEqual([2, expect.stringContaining('Undo by hand')]);
  const { resources } = JSON.parse(before.state);
  expect(JSON.parse(backend.state()!).resources).toEqual(resources);
  project.put('main.ts', before.main);
  await project.synthesise();
  expect(project.synthesised('edge-prod')).toBe(before.stacks[1]);
}
