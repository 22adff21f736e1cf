import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import catalogue from '../src/emulator/scenarios/old-waf.json';
import { applyEdits } from '../src/actions/apply-edits';
import { type Plan } from '../src/plan/plan';
import { inInstalledWorld } from '../test/support/installed-world';
import { buildMirror, type Mirror } from '../test/support/provider/mirror';
import { inWorld, type World, type WorldOptions } from '../test/support/world';
import { compare, type Row } from './measure';

const cli = join(__dirname, '../dist/cli/main.js');
/** Two `state pull`, before and after the removal, and at most two plans, each judged, around what changes the state. */
const mostStarts = 6;

const orders = {
  commands: { flags: ['--from', '3'], version: '3.35.0' },
  'removing first': { flags: [], version: '4.52.8' },
  blocks: { flags: ['--from', '3', '--method', 'blocks'], version: '3.35.0' },
};
type Order = keyof typeof orders;

/** A zone with so many rules that are not as they come. */
function settings(count: number): WorldOptions {
  const ids = catalogue.packages.flatMap(({ groups }) =>
    groups.flatMap(({ rules }) => rules.map(({ id }) => id).filter((id) => id !== '990012')),
  );
  const chosen = ids.slice(0, count).map((id) => [id, 'disable']);
  if (chosen.length < count) throw new Error('the catalogue of the world has too few rules');
  return { rules: Object.fromEntries(chosen) as Record<string, string>, backend: 'http' };
}

/** A world, and what leads Terraform to its provider. */
interface Place extends World {
  readonly environment: Record<string, string>;
}

const attached = <Result>(count: number, use: (place: Place) => Promise<Result>): Promise<Result> =>
  inWorld(settings(count), (world) => use({ ...world, environment: world.lab.environment }));

/** As a user has it: each Terraform starts the provider that `init` has installed. */
async function installed(order: Order, use: (place: Place) => Promise<number>): Promise<number> {
  let result = NaN;
  const { version } = orders[order];
  await inInstalledWorld(mirror(), { ...settings(20), version }, async (world) => {
    result = await use(world);
  });
  return result;
}

let built: { folder: string; mirror: Mirror } | undefined;
function mirror(): Mirror {
  if (built === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-mirror-'));
    const versions = Object.values(orders).map(({ version }) => version);
    built = { folder, mirror: buildMirror(folder, versions) };
  }
  return built.mirror;
}

/** Runs a program to its end, and fails where it does. */
function run({ lab, environment }: Place, file: string, args: readonly string[]): Promise<void> {
  const own = Object.entries(process.env).filter(([name]) => !/^(TF_|CLOUDFLARE_)/.test(name));
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: lab.dir,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...Object.fromEntries(own),
        CHECKPOINT_DISABLE: '1',
        TF_IN_AUTOMATION: '1',
        ...environment,
      },
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${file} ${args.slice(0, 3).join(' ')} ended with ${code}: ${said}`));
    });
  });
}

async function makePlan(world: Place, order: Order): Promise<Plan> {
  const [zone = ''] = world.zoneIds;
  const args = ['plan', '--zone', zone, '--dir', '.', ...orders[order].flags, '--format', 'json'];
  await run(world, process.execPath, [cli, ...args, '--out', 'plan.json']);
  return JSON.parse(world.lab.read('plan.json')) as Plan;
}

/** How often Terraform is started by `apply`, and what is asked of the old interfaces. */
function count(resources: number, order: Order): Promise<{ starts: number; old: number }> {
  return attached(resources, async (world) => {
    const { lab } = world;
    await makePlan(world, order);
    mkdirSync(join(lab.dir, 'bin'));
    const log = join(lab.dir, 'bin/starts');
    const binary = join(lab.dir, 'bin/terraform');
    const script = `#!/bin/sh\necho "$1 $2" >> '${log}'\nexec terraform "$@"\n`;
    writeFileSync(binary, script, { mode: 0o755 });
    lab.asked();
    await run(world, process.execPath, [cli, 'apply', 'plan.json', '--yes', '--terraform', binary]);
    const starts = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0;
    const old = lab.asked().filter((line) => /\/firewall\/|\/waf_migration/.test(line)).length;
    return { starts, old };
  });
}

async function clocked(use: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await use();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/**
 * Where it is measured: with a provider that is attached and a service that answers at once, so that
 * nothing hides what the tool takes; or as a user has it, the provider installed and the service far.
 */
const settingsOf = {
  attached: {
    within: (_: Order, use: (place: Place) => Promise<number>) => attached(20, use),
    delay: 0,
    rounds: 5,
  },
  // longer runs, and so more that comes between: more of them
  'as in use': { within: installed, delay: 300, rounds: 9 },
};
type Setting = keyof typeof settingsOf;

const byTool = (place: Place): Promise<number> =>
  clocked(() => run(place, process.execPath, [cli, 'apply', 'plan.json', '--yes']));

/**
 * Every command of the plan, one by one, as a person types it who needs no time to type: nothing else,
 * and no edit takes longer than a loaded parser needs for it.
 */
const byHand = (place: Place, plan: Plan): Promise<number> =>
  clocked(async () => {
    for (const { runs = [], edits = [] } of plan.steps) {
      for (const { argv } of runs) await run(place, 'terraform', argv.slice(1));
      await applyEdits(edits, place.lab.dir);
    }
  });

/** `apply` over a locking HTTP backend, with the real Terraform and a provider that stands in. */
export async function benchApply(): Promise<Row[]> {
  const names: Order[] = ['commands', 'removing first', 'blocks'];
  const counts: { few: number; many: number; old: number }[] = [];
  for (const order of names) {
    const few = await count(3, order);
    const many = await count(33, order);
    counts.push({ few: few.starts, many: many.starts, old: few.old + many.old });
  }
  const most = Math.max(...counts.map(({ few }) => few));
  const growth = Math.max(...counts.map(({ few, many }) => many / few));
  const old = counts.reduce((sum, one) => sum + one.old, 0);
  const listed = counts.map(({ few, many }) => `${few} and ${many}`).join(', ');
  const rows: Row[] = [
    {
      name: `Terraform starts of apply, of ${mostStarts}`,
      ratio: most / mostStarts,
      limit: 1,
      measured: `${listed} (${names.join(', ')}; 3 and 33 resources)`,
    },
    { name: 'Terraform starts, 33 resources against 3', ratio: growth, limit: 1, measured: listed },
    { name: 'requests of apply to the old interfaces', ratio: old, limit: 0, measured: `${old}` },
  ];
  try {
    for (const order of names) rows.push(await timed(order, 'attached'));
    // beside the first, not in its place
    for (const order of names) rows.push(await timed(order, 'as in use'));
  } finally {
    if (built !== undefined) rmSync(built.folder, { recursive: true });
  }
  return rows;
}

async function timed(order: Order, setting: Setting): Promise<Row> {
  const { within, delay, rounds } = settingsOf[setting];
  const once = (measure: typeof byHand): Promise<number> =>
    within(order, async (place) => {
      const plan = await makePlan(place, order);
      if (delay > 0) place.lab.emulator.setFaults([{ kind: 'slow', milliseconds: delay }]);
      return measure(place, plan);
    });
  const pairs = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) pairs.ours.push(await once(byTool));
    pairs.theirs.push(await once(byHand));
    if (round % 2 === 1) pairs.ours.push(await once(byTool));
  }
  const where =
    delay === 0 ? '' : `: provider installed, each answer of the service after ${delay} ms`;
  return compare(
    `apply, ${order}, against its commands typed by hand${where}`,
    pairs,
    (one) => one,
    1.2,
    'ms',
  );
}
