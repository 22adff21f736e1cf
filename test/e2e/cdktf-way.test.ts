import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Plan, type Step } from '../../src/plan/plan-schema';
import { type HttpBackend, startHttpBackend } from '../support/backend/http-backend';
import {
  cdktfCli,
  linkPackagesOfThree,
  plainEnvironment,
  runInProject,
} from '../support/cdktf-project';
import { hostedMirror } from '../support/hosted-mirror';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { acceptAll, journalOf } from '../support/plans';
import { runCli } from '../support/run-cli';
import { runProcess } from '../support/run-process';
import { runIn } from '../support/terraform';

const mirror = hostedMirror(['3.35.0']);
const STACKS = ['edge-staging', 'edge-prod'];

const mainText = `import { App, Aspects, HttpBackend, TerraformHclModule, TerraformResource, TerraformStack } from 'cdktf';
import { type Construct, type IConstruct } from 'constructs';
import { CloudflareProvider } from './.gen/providers/cloudflare/provider';
import environments from './environments.json';
import { OldWaf } from './lib/old-waf';

class EdgeStack extends TerraformStack {
  constructor(scope: Construct, id: string, { state, zones }: (typeof environments)['prod']) {
    super(scope, id);
    new CloudflareProvider(this, 'cloudflare');
    new HttpBackend(this, { address: state, lockAddress: state, unlockAddress: state });
    for (const zone of zones) {
      new OldWaf(this, zone.name, { zoneId: zone.id, rules: { '100000': 'disable' } });
      new TerraformHclModule(this, \`legacy-\${zone.name}\`, {
        source: './modules/legacy',
        variables: { zone_id: zone.id, rules: ['100001'] },
      });
      this.addOverride(\`resource.cloudflare_waf_rule.raw-\${zone.name}\`, {
        zone_id: zone.id,
        rule_id: '100002',
        mode: 'disable',
      });
    }
    Aspects.of(this).add({
      visit: (node: IConstruct) => {
        if (TerraformResource.isTerraformResource(node)) node.lifecycle = { preventDestroy: true };
      },
    });
  }
}

const app = new App();
new EdgeStack(app, 'edge-staging', environments.staging);
const stack = new EdgeStack(app, 'edge-prod', environments.prod);
app.synth();
`;

const oldWafText = `import { WafPackage } from '../.gen/providers/cloudflare/waf-package';
import { WafRule } from '../.gen/providers/cloudflare/waf-rule';
import { Construct } from 'constructs';

export class OldWaf extends Construct {
  constructor(scope: Construct, id: string, { zoneId, rules }: { zoneId: string; rules: Record<string, string> }) {
    super(scope, id);
    new WafPackage(this, 'owasp', {
      zoneId,
      packageId: 'c504870194831cd12c3fc0284f294abb',
      sensitivity: 'low',
      actionMode: 'simulate',
    });
    for (const [ruleId, mode] of Object.entries(rules)) {
      new WafRule(this, \`rule-\${ruleId}\`, { zoneId, ruleId, mode });
    }
  }
}
`;

const moduleText = `terraform {
  required_providers {
    cloudflare = { source = "cloudflare/cloudflare" }
  }
}

variable "zone_id" {
  type = string
}

variable "rules" {
  type = set(string)
}

resource "cloudflare_waf_rule" "this" {
  for_each = var.rules
  zone_id  = var.zone_id
  rule_id  = each.value
  mode     = "simulate"
}
`;

/** The folder of a stack, relative to its project. */
const stackFolder = (stack: string): string => `cdktf.out/stacks/${stack}`;

/**
 * A CDKTF project as a user wrote it years ago: two stacks of one class, legacy settings by constructs in a loop, in a
 * module and past the bindings, a remote backend, an aspect.
 */
class Way {
  private readonly dir: string;

  private constructor(
    readonly world: InstalledWorld,
    readonly backend: HttpBackend,
  ) {
    this.dir = join(world.lab.dir, 'edge');
  }

  /** Writes the project, applies it with provider 3, and migrates the zone of one of its stacks. */
  static async begin(
    world: InstalledWorld,
    [staging, prod]: readonly [HttpBackend, HttpBackend],
  ): Promise<Way> {
    const way = new Way(world, prod);
    const [moved, other] = world.zoneIds;
    const addressOf = ({ config }: HttpBackend): string =>
      (config as any).terraform.backend.http.address;
    const files = {
      'package.json': { dependencies: { cdktf: '^0.21.0', constructs: '^10.4.0' } },
      'cdktf.json': {
        ...{ language: 'typescript', app: 'npx tsx main.ts', projectId: 'edge' },
        sendCrashReports: 'false',
        terraformProviders: ['cloudflare/cloudflare@~> 3.35'],
        terraformModules: [{ name: 'legacy', source: './modules/legacy' }],
      },
      'environments.json': {
        staging: { state: addressOf(staging), zones: [{ name: 'zone-2', id: other }] },
        prod: { state: addressOf(prod), zones: [{ name: 'zone-1', id: moved }] },
      },
      'main.ts': mainText,
      'lib/old-waf.ts': oldWafText,
      'modules/legacy/main.tf': moduleText,
    };
    for (const [path, content] of Object.entries(files)) way.put(path, content);
    linkPackagesOfThree(way.dir);
    // the bindings of the package are those of the guide, which is typed by a test
    rmSync(join(way.dir, 'node_modules/@cdktf'), { recursive: true });
    const env = plainEnvironment(world.environment);
    expect((await runProcess(cdktfCli, ['get'], { cwd: way.dir, env })).code).toBe(0);
    await way.synthesise();
    for (const stack of STACKS) {
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

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  put(path: string, content: string | object): void {
    const place = join(this.dir, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }

  /** Replaces the one place of `main.ts` that has a text. */
  edit(from: string, to: string): void {
    const parts = this.read('main.ts').split(from);
    expect([from, parts.length]).toEqual([from, 2]);
    this.put('main.ts', parts.join(to));
  }

  /** Runs the program as `cdktf synth` does (cdktf-cli 0.21). */
  async synthesise(): Promise<void> {
    const ran = await runInProject(this.dir, 'tsx', ['main.ts'], {
      CDKTF_OUTDIR: 'cdktf.out',
      CDKTF_CONTEXT_JSON: JSON.stringify({ cdktfRelativeModules: ['./modules/legacy'] }),
    });
    if (ran.code !== 0) throw new Error(ran.stderr);
  }

  /** What CDKTF has made of each stack. */
  synthesised(): string[] {
    return STACKS.map((stack) => this.read(join(stackFolder(stack), 'cdk.tf.json')));
  }

  cli(args: readonly string[]) {
    const { environment } = this.world;
    return runCli([...args], { cwd: this.dir, environment });
  }

  terraform(stack: string, ...args: string[]) {
    return runIn(join(this.dir, stackFolder(stack)), 'terraform', args, this.world.environment);
  }

  async plan(): Promise<Plan> {
    const where = ['--zone', this.world.zoneIds[0]!, '--dir', stackFolder('edge-prod')];
    const out = ['--out', 'plan.json'];
    const made = await this.cli(['plan', ...where, '--method', 'commands', ...out]);
    // the module of the two stacks is a decision
    expect(made.code).toBe(2);
    return JSON.parse(this.read('plan.json'));
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
    for (const { argv } of runs) {
      const ran = await this.cli(argv.slice(1));
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      expect(ran.stdout).toContain('\nNext, when all of this is done:\n  cf-waf-migrate apply');
      const [, load] = /: (import .*;) \(with the path of the file\)$/m.exec(ran.stdout) ?? [];
      const [, make] = /^ {2}after the stack: (new .*\(stack, ".*"\);)/m.exec(ran.stdout) ?? [];
      this.edit('import { OldWaf }', `${load!.replace('…', './constructs')}\nimport { OldWaf }`);
      this.edit('app.synth();', `${make!}\napp.synth();`);
    }
    if (addresses.some((address) => address.startsWith('edge-prod/'))) {
      this.edit(
        'for (const zone of zones) {',
        "for (const zone of id === 'edge-prod' ? [] : zones) {",
      );
    }
    this.edit('app.synth();', `${code}app.synth();`);
    await this.synthesise();
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
  const { world, backend } = way;
  const before = {
    state: backend.state()!,
    main: way.read('main.ts'),
    stacks: way.synthesised(),
  };
  world.lab.asked();
  const plan = await way.plan();
  const rehearsed = await way.cli(['rehearse', 'plan.json', '--json']);
  expect([rehearsed.code, JSON.parse(rehearsed.stdout).verdict]).toEqual([2, 'dirty']);
  expect(backend.state()).toBe(before.state);

  const named: string[] = [];
  for (let step; (step = await way.applyUntilWaiting(plan)) !== undefined;) {
    named.push(...(step.addresses ?? []));
    const waiting = await way.cli(['rehearse', 'plan.json']);
    expect(waiting.stdout).toMatch(
      new RegExp(`hen step ${step.id} is done:\\n {2}cf-waf-migrate rehearse plan\\.json`),
    );
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
  expect(way.synthesised()[0]).toBe(before.stacks[0]);
  expect((await way.terraform('edge-staging', 'plan', '-detailed-exitcode')).code).toBe(0);

  const journal = journalOf(plan);
  const back = await way.cli(['rollback', journal, '--yes']);
  expect([back.code, back.stdout]).toEqual([2, expect.stringContaining('Undo by hand')]);
  const { resources } = JSON.parse(before.state);
  expect(JSON.parse(backend.state()!).resources).toEqual(resources);
  way.put('main.ts', before.main);
  await way.synthesise();
  expect(way.synthesised()).toEqual(before.stacks);
}
