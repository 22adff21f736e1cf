import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { spawnCli, startCli } from '../support/spawn-cli';
import { untilEnd } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator } from './support/cli-with-emulator';
import { environmentOf } from '../support/cli-over';
import { fleetScenario, OURS, zoneId } from './support/fleet-scenario';

const COUNT = 60;
const KILLS = Number(process.env['FLEET_KILLS'] ?? 3);
const cli = cliWithEmulator(fleetScenario({ count: COUNT }));

it('a run that is killed again and again comes to the same end, and asks for no zone that was done', async () => {
  const cwd = temporaryFolder();
  const environment = environmentOf(cli.emulator());
  cli.emulator().setFaults([{ kind: 'slow', milliseconds: 60, path: '/zones/*/rulesets/*' }]);
  const args = ['generate', '--account', OURS, '--source', 'live', '--concurrency', '2'];
  const ledger = join(cwd, 'cf-waf-migrate-fleet/ledger.jsonl');
  const done = (): Set<string> => {
    const lines = readFileSync(ledger, 'utf8').split('\n').slice(0, -1);
    const entries = lines.map((line) => JSON.parse(line));
    return new Set(entries.flatMap(({ event, zone }) => (event === 'zone' ? [zone] : [])));
  };
  const asked = (): string[] =>
    cli
      .emulator()
      .requests()
      .flatMap(({ path }) => /^\/zones\/(\w+)\/rulesets/.exec(path)?.[1] ?? []);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = kill === 0 ? new Set<string>() : done();
    cli.emulator().clearRequests();
    const child = startCli(args, { cwd, environment });
    const ended = untilEnd(child);
    const wanted = 3 + ((kill * 7) % 11);
    while (asked().length < wanted) await sleep(5);
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    // what it had asked is still being answered
    await sleep(200);
    expect(asked().filter((zone) => before.has(zone))).toEqual([]);
  }
  const before = done();
  expect(before.size).toBeGreaterThan(0);
  cli.emulator().clearRequests();
  const last = await spawnCli([...args, '--json'], { cwd, environment });
  expect(last.code).toBe(0);
  const { summary, zones } = JSON.parse(last.stdout);
  expect(summary).toMatchObject({ zones: COUNT, done: COUNT, failed: 0, earlier: before.size });
  expect(zones.map(({ zone }: any) => zone)).toEqual(
    Array.from({ length: COUNT }, (_, number) => zoneId(number)),
  );
  expect(asked()).toHaveLength(COUNT - before.size);
}, 120_000);
