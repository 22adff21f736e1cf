import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { cliOver, environmentOf, jsonOf } from '../support/cli-over';
import { type CliRun } from '../support/run-cli';
import { startCli } from '../support/spawn-cli';
import { untilEnd } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';
import { fleetScenario, OURS, zoneId, zoneName } from './support/fleet-scenario';

const list = [0, 1].map((number) => `${zoneId(number)}\n`).join('');
const hash = createHash('sha256').update(list).digest('hex').slice(0, 12);
const MANY = ['finish', '--account', OURS, '--pause', '0', '--confirm', `2:${hash}`];
const ONE = ['finish', '--zone', zoneId(0), '--confirm', zoneName(0)];
const MAY = 'the call may have arrived; run the same command again';

describe('finish that is stopped while the call is under way', () => {
  let emulator: Emulator;
  let cwd: string;
  beforeEach(async () => {
    cwd = temporaryFolder();
    emulator = await startEmulator({ scenario: fleetScenario({ count: 2, moved: () => false }) });
    emulator.setFaults([{ kind: 'slow', milliseconds: 3_000, method: 'PUT' }]);
  });
  afterEach(() => emulator.stop());
  const cli = (line: string | string[]): Promise<CliRun> => cliOver(emulator)(line, { cwd });

  /** Sends a signal once so many zones have their backup: the call comes before anything else is heard. */
  async function stopped(args: string[], signal: NodeJS.Signals, zones: number) {
    const child = startCli(args, { cwd, environment: environmentOf(emulator) });
    const ended = untilEnd(child);
    const backups = join(cwd, 'cf-waf-migrate-backup');
    const saved = (): number =>
      existsSync(backups) ? readdirSync(backups).filter((name) => /json$/.test(name)).length : 0;
    while (saved() < zones) await sleep(5);
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    return { code, stdout, said: stderr.split('\n') };
  }

  it('says so of one zone, also with --quiet', async () => {
    const { code, stdout, said } = await stopped([...ONE, '--quiet'], 'SIGINT', 1);
    expect([code, stdout]).toEqual([130, '']);
    expect(said).toEqual([expect.stringContaining(`zone ${zoneName(0)}: ${MAY}`), '']);
  });

  it('says so of each of many zones, gives the lock back, and the ledger never says that one was not begun', async () => {
    const { code, said } = await stopped(MANY, 'SIGINT', 2);
    expect(code).toBe(130);
    for (const name of [zoneName(0), zoneName(1)]) {
      expect(said).toContainEqual(expect.stringContaining(`zone ${name}: ${MAY}`));
    }
    expect(said).toContainEqual(
      expect.stringMatching(
        /^stopped: the same command goes on .*fleet status --ledger .*ledger\.jsonl/,
      ),
    );
    expect(readdirSync(join(cwd, 'cf-waf-migrate-fleet'))).toEqual(['ledger.jsonl']);
    const shown = await cli('fleet status');
    expect(shown.code).toBe(2);
    expect(shown.stdout).toMatch(/^zone-0\.example\.com: finish unknown: begun at .*finds out$/m);
    expect(shown.stdout).not.toContain('not begun');
  });

  it('names the ledger so that a shell takes its path as one word', async () => {
    const { said } = await stopped([...MANY, '--ledger', 'our ledger.jsonl'], 'SIGINT', 2);
    const path = join(cwd, 'our ledger.jsonl');
    expect(said).toContainEqual(
      expect.stringContaining(`cf-waf-migrate fleet status --ledger '${path}' shows`),
    );
  });

  it('by SIGKILL leaves that in the ledger, and is gone on with', async () => {
    await stopped(MANY, 'SIGKILL', 2);
    const { zones } = jsonOf(await cli('fleet status --json'));
    const outcomes = zones.map(({ stages }: any) => stages.finish.outcome);
    expect(outcomes).toEqual(['unknown', 'unknown']);
    emulator.setFaults([]);
    expect((await cli(MANY)).code).toBe(0);
    const ledger = readFileSync(join(cwd, 'cf-waf-migrate-fleet/ledger.jsonl'), 'utf8');
    expect(ledger.trim().split('\n').at(-1)).toContain('"event":"end"');
    expect((await cli('fleet status')).code).toBe(0);
  });
});
