import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import catalogue from '../src/emulator/scenarios/old-waf.json';
import { applyEdits } from '../src/actions/apply-edits';
import { type Plan } from '../src/plan/plan';
import { inWorld, type World, type WorldOptions } from '../test/support/world';
import { compare, type Row } from './measure';

const cli = join(__dirname, '../dist/cli/main.js');
const rounds = 5;
/** One `state pull`, and at most two plans, each judged, around what changes the state. */
const mostStarts = 6;

const orders = {
  commands: ['--from', '3'],
  'removing first': [],
  blocks: ['--from', '3', '--method', 'blocks'],
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

/** Runs a program to its end, and fails where it does. */
function run(
  { lab }: World,
  file: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<void> {
  const own = Object.entries(process.env).filter(([name]) => !/^(TF_|CLOUDFLARE_)/.test(name));
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: lab.dir,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...Object.fromEntries(own),
        CHECKPOINT_DISABLE: '1',
        TF_IN_AUTOMATION: '1',
        ...lab.environment,
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

async function makePlan(world: World, order: Order): Promise<Plan> {
  const [zone = ''] = world.zoneIds;
  const args = ['plan', '--zone', zone, '--dir', '.', ...orders[order], '--format', 'json'];
  await run(world, process.execPath, [cli, ...args, '--out', 'plan.json']);
  return JSON.parse(world.lab.read('plan.json')) as Plan;
}

/** How often Terraform is started by `apply`, and what is asked of the old interfaces. */
function count(resources: number, order: Order): Promise<{ starts: number; old: number }> {
  return inWorld(settings(resources), async (world) => {
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

/** How long the service takes for an answer: of this machine, or as over a network. */
type Delay = 0 | 300;

/** From now on the service takes its time. */
function slowDown({ lab }: World, milliseconds: Delay): void {
  if (milliseconds > 0) lab.emulator.setFaults([{ kind: 'slow', milliseconds }]);
}

const byTool = (order: Order, delay: Delay): Promise<number> =>
  inWorld(settings(20), async (world) => {
    await makePlan(world, order);
    slowDown(world, delay);
    return clocked(() => run(world, process.execPath, [cli, 'apply', 'plan.json', '--yes']));
  });

/**
 * Every command of the plan, one by one, as a person types it who needs no time to type: nothing else,
 * and no edit takes longer than a loaded parser needs for it.
 */
const byHand = (order: Order, delay: Delay): Promise<number> =>
  inWorld(settings(20), async (world) => {
    const plan = await makePlan(world, order);
    slowDown(world, delay);
    return clocked(async () => {
      for (const { runs = [], edits = [] } of plan.steps) {
        for (const { argv } of runs) await run(world, 'terraform', argv.slice(1));
        await applyEdits(edits, world.lab.dir);
      }
    });
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
  for (const order of names) rows.push(await timed(order, 0));
  // beside the first, not in its place: what the same work is when the service is not on this machine
  for (const order of names) rows.push(await timed(order, 300));
  return rows;
}

async function timed(order: Order, delay: Delay): Promise<Row> {
  const pairs = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) pairs.ours.push(await byTool(order, delay));
    pairs.theirs.push(await byHand(order, delay));
    if (round % 2 === 1) pairs.ours.push(await byTool(order, delay));
  }
  const slow = delay === 0 ? '' : `, each answer of the service after ${delay} ms`;
  const name = `apply, ${order}, against its commands typed by hand${slow}`;
  return compare(name, pairs, (one) => one, 1.2, 'ms');
}
