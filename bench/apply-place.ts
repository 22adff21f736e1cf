import catalogue from '../src/emulator/scenarios/old-waf.json';
import { type Plan } from '../src/plan/plan-schema';
import { sized, tool } from './measure';
import { runIn } from '../test/support/terraform';
import { type World, type WorldOptions } from '../test/support/world';

/** The orders of the steps of a plan, each with its flags of `plan` and its provider version. */
export const orders = {
  commands: { flags: ['--from', '3'], version: '3.35.0' },
  'removing first': { flags: [], version: '4.52.8' },
  blocks: { flags: ['--from', '3', '--method', 'blocks'], version: '3.35.0' },
} as const;
export type Order = keyof typeof orders;
export const orderNames = sized<Order[]>(Object.keys(orders) as Order[], ['commands']);

/** A world with the environment that selects the provider for Terraform. */
export interface Place extends World {
  readonly environment: Record<string, string>;
}

/** A zone with `count` rules that differ from their defaults. */
export function settings(count: number): WorldOptions {
  const ids = catalogue.packages.flatMap(({ groups }) =>
    groups.flatMap(({ rules }) => rules.map(({ id }) => id).filter((id) => id !== '990012')),
  );
  const chosen = ids.slice(0, count).map((id) => [id, 'disable']);
  if (chosen.length < count) throw new Error('the catalogue of the world has too few rules');
  return { rules: Object.fromEntries(chosen) as Record<string, string>, backend: 'http' };
}

/** Runs a program and throws if it fails. */
export async function run(
  { lab, environment }: Place,
  [program, ...args]: readonly [string, ...string[]],
): Promise<void> {
  const { code, stderr } = await runIn(lab.dir, program, args, environment);
  if (code !== 0)
    throw new Error(`${program} ${args.slice(0, 3).join(' ')} ended with ${code}: ${stderr}`);
}

export async function makePlan(world: Place, order: Order): Promise<Plan> {
  const [zone = ''] = world.zoneIds;
  const args = ['plan', '--zone', zone, '--dir', '.', ...orders[order].flags, '--format', 'json'];
  await run(world, [...tool, ...args, '--out', 'plan.json']);
  return JSON.parse(world.lab.read('plan.json')) as Plan;
}

/** `apply` of the plan that {@link makePlan} saved. */
export const applyPlan = (place: Place, ...flags: string[]): Promise<void> =>
  run(place, [...tool, 'apply', 'plan.json', '--yes', ...flags]);

/** The duration of a call in milliseconds. */
export async function clocked(use: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await use();
  return Number(process.hrtime.bigint() - start) / 1e6;
}
