import { relative, resolve, join } from 'node:path';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { App, LocalBackend, TerraformResource, TerraformStack } from 'cdktf';
import { type Construct } from 'constructs';
import { type Plan } from '../../src/plan/plan';
import { journalOf } from '../support/plans';
import { inWorld, type World, type WorldOptions } from '../support/world';
import { type LegacyResource } from '../support/legacy-resources';

/** What the program of a CDKTF project declares. */
interface Program {
  readonly old: readonly LegacyResource[];
  /** Attributes of `cloudflare_ruleset.managed_rules`, as they stand in Terraform JSON. */
  readonly ruleset?: Readonly<Record<string, unknown>>;
  /** TypeScript as a plan prints it, in which `stack` is the stack. */
  readonly code?: string;
}

/** The folder of the stack, relative to the project. */
const stackDir = 'cdktf.out/stacks/waf';

/** A resource as the bindings of any provider would synthesise it. */
class Plain extends TerraformResource {
  constructor(
    scope: Construct,
    type: string,
    name: string,
    private readonly attributes: Readonly<Record<string, unknown>>,
  ) {
    super(scope, `${type}-${name}`, { terraformResourceType: type });
    this.overrideLogicalId(name);
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.attributes };
  }
}

/** Runs the program: writes `cdk.tf.json` anew, with the state `waf.tfstate` of the project. */
function synthesise(project: string, { old, ruleset, code }: Program): void {
  const app = new App({ outdir: join(project, 'cdktf.out'), skipValidation: true });
  const stack = new TerraformStack(app, 'waf');
  stack.addOverride('terraform.required_providers.cloudflare.source', 'cloudflare/cloudflare');
  new LocalBackend(stack, { path: join(project, 'waf.tfstate') });
  for (const { type, name, attributes } of old) {
    const computed = ['id', ...(type === 'cloudflare_waf_rule' ? ['group_id', 'package_id'] : [])];
    const given = Object.entries(attributes).filter(([key]) => !computed.includes(key));
    new Plain(stack, type, name, Object.fromEntries(given));
  }
  if (ruleset !== undefined) new Plain(stack, 'cloudflare_ruleset', 'managed_rules', ruleset);
  // what the plan prints is what a user pastes
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  if (code !== undefined) new Function('stack', code)(stack);
  const folder = join(project, stackDir);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  app.synth();
}

const settings: WorldOptions = {
  packages: { c504870194831cd12c3fc0284f294abb: { sensitivity: 'low', action_mode: 'simulate' } },
  rules: { '100000': 'disable', '100001': 'simulate' },
};

const cli = ({ lab }: World, ...args: string[]) => lab.cli(args);

/** The ruleset as `generate` declares it, for the bindings of any provider. */
async function generated(world: World, major: number): Promise<Record<string, unknown>> {
  const source = ['--source', 'live', '--provider', String(major), '--format', 'tfjson'];
  const args = ['generate', '--zone', world.zoneIds[0]!, ...source, '--out', 'new', '--json'];
  const ran = await cli(world, ...args);
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  const { files } = JSON.parse(ran.stdout) as { files: string[] };
  const file = files.find((path) => !path.includes('providers'))!;
  const path = relative(world.lab.dir, resolve(world.lab.dir, file));
  const { lifecycle, ...attributes } = JSON.parse(world.lab.read(path)).resource.cloudflare_ruleset
    .managed_rules;
  expect(lifecycle).toBeDefined();
  return attributes;
}

async function makePlan(world: World, ...flags: string[]): Promise<Plan> {
  const where = ['--zone', world.zoneIds[0]!, '--dir', stackDir];
  const out = ['--out', 'plan.json', '--force'];
  const made = await cli(world, 'plan', ...where, ...flags, ...out);
  expect([made.stderr, made.code]).toEqual(['', 0]);
  return JSON.parse(world.lab.read('plan.json'));
}

/** Applies until a person has to act; the title of that step, or none. */
async function applyUntilWaiting(world: World, plan: Plan): Promise<string | undefined> {
  const applied = await cli(world, 'apply', 'plan.json', '--yes', '--json');
  if (applied.stdout === '') throw new Error(applied.stderr);
  const { steps } = JSON.parse(applied.stdout) as { steps: { id: string; status: string }[] };
  const waiting = steps.find(({ status }) => status === 'waiting');
  expect(applied.code).toBe(waiting === undefined ? 0 : 2);
  return plan.steps.find(({ id }) => id === waiting?.id)?.title;
}

type Method = 'blocks' | 'commands' | 'auto';

/** From the plan to the way back, with a person at the program in between. */
async function planToRollback(world: World, method: Method, major: number): Promise<void> {
  const { lab, resources } = world;
  const before = lab.read('waf.tfstate');
  const plan = await makePlan(world, '--from', String(major), '--method', method);
  expect(plan.steps.flatMap(({ edits = [] }) => edits)).toEqual([]);
  const ruleset = await generated(world, major);
  const code = plan.steps.find((step) => step.code !== undefined)?.code;
  expect(code !== undefined).toBe(method === 'blocks');
  lab.asked();
  // what a person's program does is not rehearsed, and said; nothing is written anywhere
  const files = { state: lab.read('waf.tfstate'), stack: lab.read(`${stackDir}/cdk.tf.json`) };
  const rehearsed = await cli(world, 'rehearse', 'plan.json', '--json');
  const { verdict, notRehearsed } = JSON.parse(rehearsed.stdout) as {
    verdict: string;
    notRehearsed: string[];
  };
  const first = plan.steps.find(({ kind }) => kind === 'manual')!.id;
  expect([rehearsed.code, verdict, notRehearsed[0]]).toEqual([2, 'dirty', first]);
  expect(notRehearsed).toHaveLength(plan.steps.length - Number(first) + 1);
  expect(files).toEqual({
    state: lab.read('waf.tfstate'),
    stack: lab.read(`${stackDir}/cdk.tf.json`),
  });

  const programs = {
    'Remove the legacy blocks from the configuration': () => {
      if (old.length > 0) old = [];
    },
    Declare: () => {
      declared = ruleset;
    },
    'Replace the legacy constructs with the ruleset and these overrides': () => {
      old = [];
      declared = ruleset;
      added = code;
    },
  };
  let old = [...resources];
  let declared: Record<string, unknown> | undefined;
  let added: string | undefined;
  const done: string[] = [];
  for (;;) {
    const title = await applyUntilWaiting(world, plan);
    if (title === undefined) break;
    const [name, change] = Object.entries(programs).find(([key]) => title.startsWith(key))!;
    expect(done).not.toContain(name);
    done.push(name);
    change();
    synthesise(lab.dir, {
      old,
      ...(declared && { ruleset: declared }),
      ...(added && { code: added }),
    });
  }
  expect(done).toHaveLength(method === 'blocks' ? 1 : 2);
  const listed = await lab.terraform(`-chdir=${stackDir}`, 'state', 'list');
  expect(listed.stdout.trim()).toBe('cloudflare_ruleset.managed_rules');
  const verified = await cli(world, 'verify', 'plan.json', '--json');
  expect(JSON.parse(verified.stdout)).toEqual({ verdict: 'clean', differences: [] });
  expect(
    lab.asked().filter((line) => !line.startsWith('GET ') || line.includes('/firewall/')),
  ).toEqual([]);

  const journal = journalOf(plan);
  if (method === 'blocks') {
    const second = await makePlan(world, '--from', '3');
    expect(second.steps.map(({ kind }) => kind)).toEqual(['manual', 'check']);
    expect(await applyUntilWaiting(world, second)).toMatch(/^Remove the import and removed/);
    synthesise(lab.dir, { old: [], ruleset });
    expect(await applyUntilWaiting(world, second)).toBeUndefined();
  }
  expect((await cli(world, 'rollback', journal, '--yes')).code).toBe(2);
  const back = JSON.parse(lab.read('waf.tfstate'));
  expect(back.resources).toEqual(JSON.parse(before).resources);
}

it('rehearse and apply without a plan use the stacks of a CDKTF project', () =>
  inWorld(settings, async (world) => {
    const { lab, resources, state } = world;
    lab.write('waf.tfstate', state);
    synthesise(lab.dir, { old: resources });
    lab.write('cdktf.json', '{}');
    for (const file of ['main.tf', 'provider.tf', 'terraform.tfstate']) rmSync(join(lab.dir, file));
    const open = await cli(world, 'plan', '--json');
    expect(JSON.parse(open.stderr).error.hint).toMatch(
      /^run `terraform init` in that folder, then run the same command again$/,
    );
    expect((await lab.terraform(`-chdir=${stackDir}`, 'init')).code).toBe(0);
    // a stack that nobody uses yet
    mkdirSync(join(lab.dir, 'cdktf.out/stacks/dns'));
    lab.write('cdktf.out/stacks/dns/cdk.tf.json', '{"terraform":{"backend":{"local":{}}}}');
    const uninitialised = await cli(world, 'plan', '--json');
    expect(JSON.parse(uninitialised.stderr).error.hint).toMatch(
      /; or name the stacks to migrate with --dir$/,
    );
    rmSync(join(lab.dir, 'cdktf.out/stacks/dns'), { recursive: true });

    const rehearsed = await cli(world, 'rehearse');
    expect(rehearsed.stderr).toMatch(/^Migration plan: \d steps \(\d manual\) for 1 zone\./);
    expect(rehearsed.stdout).toMatch(
      /^Not proven: .*\n[^]*\nNext, when step \d is done:\n {2}cf-waf-migrate rehearse\n$/,
    );
    const applied = await cli(world, 'apply', '--yes');
    expect(applied.stderr).toMatch(/^Migration plan of cf-waf-migrate for /);
    expect(applied.stdout).toMatch(
      /^Step \d is manual\.[^]*\nNext, when step \d is done:\n {2}cf-waf-migrate apply\n$/,
    );
  }));

describe.each([
  ['blocks', 3],
  ['commands', 3],
  ['auto', 5],
] as const)('a CDKTF project, method %s, provider %s', (method, major) => {
  it('stops for the program of a person, goes on when it is synthesised, and rolls back', () =>
    inWorld({ ...settings, major }, async (world) => {
      const { lab, resources, state } = world;
      lab.write('waf.tfstate', state);
      synthesise(lab.dir, { old: resources });
      expect((await lab.terraform(`-chdir=${stackDir}`, 'init')).code).toBe(0);
      await planToRollback(world, method, major);
    }));
});
