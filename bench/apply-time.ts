import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyEdits } from '../src/apply/steps/edit';
import { type Plan } from '../src/plan/plan-schema';
import { inInstalledWorld } from '../test/support/installed-world';
import { buildHostedMirror, type Mirror } from '../test/support/provider/mirror';
import { type Pace } from '../test/support/provider/installed';
import {
  applyPlan,
  clocked,
  makePlan,
  type Order,
  orderNames,
  orders,
  type Place,
  run,
  settings,
} from './apply-place';
import { compare, type Row, sized } from './measure';
import { judgePace, setPace, slowness } from './provider-pace';

/** Response time of the API in milliseconds: near and far. */
const delays = sized([50, 300], [1]);
const rounds = sized(9, 1);

/** Each command takes as long as with the real provider, even if the test provider is faster. */
export async function benchApplyTime(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-mirror-'));
  try {
    const versions = [...new Set(orderNames.map((order) => orders[order].version))];
    const paces = new Map<string, Pace>();
    const mirror = await buildHostedMirror(folder, versions, paces);
    const slower = slowness();
    const rows: Row[] = [];
    for (const order of sized<readonly Order[]>(['commands', 'removing first'], ['commands'])) {
      const { version } = orders[order];
      paces.set(version, await installed(mirror, order, (place) => setPace(place, order, slower)));
      rows.push(await installed(mirror, order, (place) => judgePace(place, order, slower)));
    }
    for (const delay of delays) {
      for (const order of orderNames) rows.push(await timed(mirror, order, delay));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** As on a user's machine: each Terraform starts the provider that `init` installed. */
async function installed<Result>(
  mirror: Mirror,
  order: Order,
  use: (place: Place) => Promise<Result>,
): Promise<Result> {
  const results: Result[] = [];
  const { version } = orders[order];
  await inInstalledWorld(mirror, { ...settings(20), version }, async (world) => {
    results.push(await use(world));
  });
  return results[0]!;
}

/**
 * Checks that the ruleset is live, and runs the commands of the plan one by one, as a careful user without typing
 * time. Terraform also imports a ruleset that is not live.
 */
async function byHand(place: Place, plan: Plan): Promise<void> {
  const { CLOUDFLARE_BASE_URL: url, CLOUDFLARE_API_TOKEN: token } = place.environment;
  for (const { zoneId } of plan.zones) {
    const path = `/zones/${zoneId}/rulesets/phases/http_request_firewall_managed/entrypoint`;
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`the ruleset of zone ${zoneId} is not live`);
    await answer.arrayBuffer();
  }
  for (const { runs = [], edits = [] } of plan.steps) {
    for (const { argv } of runs) await run(place, ['terraform', ...argv.slice(1)]);
    await applyEdits(edits, place.lab.dir);
  }
}

async function timed(mirror: Mirror, order: Order, delay: number): Promise<Row> {
  const once = (use: typeof byHand): Promise<number> =>
    installed(mirror, order, async (place) => {
      const plan = await makePlan(place, order);
      place.lab.emulator.setFaults([{ kind: 'slow', milliseconds: delay }]);
      return clocked(() => use(place, plan));
    });
  const byTool = (place: Place): Promise<void> => applyPlan(place);
  const pairs = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) pairs.ours.push(await once(byTool));
    pairs.theirs.push(await once(byHand));
    if (round % 2 === 1) pairs.ours.push(await once(byTool));
  }
  const name = `apply, ${order}, against its commands and its request by hand: the API answers after ${delay} ms`;
  return compare(name, pairs, (one) => one, 1.2, 'ms');
}
