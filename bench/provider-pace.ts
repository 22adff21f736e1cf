import { type Pace } from '../test/support/provider/installed';
import { applyPlan, clocked, makePlan, type Order, orders, type Place, run } from './apply-place';
import { median, type Row, runOnce, sized } from './measure';

/** Milliseconds of Terraform 1.11.4 with the real providers and a ruleset of seven rules ... */
const measured = {
  '3.35.0': { schema: 180, import: 270, plan: 300 },
  '4.52.8': { schema: 190, import: 370, plan: 1000 },
};
/** ... on a machine where Node takes this long to start. */
const measuredStart = 50;

type Commands = Record<keyof (typeof measured)['3.35.0'], number>;
/** How often Terraform 1.11 starts the provider in each command. */
const starts: Commands = { schema: 1, import: 2, plan: 3 };
const rounds = sized(5, 1);

/** Start time of Node relative to that machine: the minimum, because other load would favour us. */
export function slowness(): number {
  const start = (): number => runOnce({ argv: [process.execPath, '-e', '0'] }).milliseconds;
  // a tiny run does not wait for the provider
  return sized(
    () => Math.min(...Array.from({ length: 15 }, start)) / measuredStart,
    () => 0,
  )();
}

/** The time that the real provider would take on this machine. */
function due(order: Order, slower: number): Commands {
  const { schema, import: imports, plan } = measured[orders[order].version];
  return { schema: schema * slower, import: imports * slower, plan: plan * slower };
}

/** The time that the test provider takes. */
async function taken(place: Place, order: Order): Promise<Commands> {
  const plan = await makePlan(place, order);
  const words = plan.steps.flatMap(({ runs = [] }) => runs.map(({ argv }) => argv.slice(1)));
  const imports = words.find(([name]) => name === 'import');
  const address = imports?.at(-2);
  if (imports === undefined || address === undefined) throw new Error('the plan imports nothing');
  await applyPlan(place);
  const times: Record<keyof Commands, number[]> = { schema: [], import: [], plan: [] };
  const terraform = (...args: string[]): Promise<number> =>
    clocked(() => run(place, ['terraform', ...args]));
  for (let round = 0; round < rounds; round += 1) {
    await terraform('state', 'rm', address);
    times.schema.push(await terraform('providers', 'schema', '-json'));
    times.import.push(await terraform(...imports));
    times.plan.push(await terraform('plan', '-input=false'));
  }
  return { schema: median(times.schema), import: median(times.import), plan: median(times.plan) };
}

/** The delays of the test provider, mostly at its start, which all commands share. */
export async function setPace(place: Place, order: Order, slower: number): Promise<Pace> {
  const [wanted, needed] = [due(order, slower), await taken(place, order)];
  const names = Object.keys(starts) as (keyof Commands)[];
  const each = names.map((name) => (wanted[name] - needed[name]) / starts[name]);
  const start = Math.max(0, Math.min(...each));
  const rest = (name: keyof Commands): number =>
    Math.max(0, wanted[name] - needed[name] - starts[name] * start);
  return { start, import: rest('import'), plan: rest('plan') };
}

/** A test provider that is slower than the real one would favour the tool. */
export async function judgePace(place: Place, order: Order, slower: number): Promise<Row> {
  const [wanted, needed] = [due(order, slower), await taken(place, order)];
  const listed = ({ import: imports, plan }: Commands): string =>
    `${imports.toFixed(0)} + ${plan.toFixed(0)}`;
  return {
    name: `test provider ${orders[order].version}, import and plan, against the real one`,
    ratio: (needed.import + needed.plan) / (wanted.import + wanted.plan),
    limit: 1.05,
    measured: `${listed(needed)} / ${listed(wanted)} ms`,
  };
}
