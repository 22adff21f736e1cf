import { hostname } from 'node:os';
import { renderFleet } from '../../src/cli/fleet/for-zones';
import { MigrationError } from '../../src/core/migration-error';
import { startEmulator } from '../../src/emulator/emulator';
import { type ZoneOutcome, zoneOutcome } from '../../src/fleet/run-fleet';
import { cliWithEmulator, environmentOf, errorOf } from '../support/cli-lab';
import { nextCommands } from '../support/next-commands';
import {
  ALL_DONE,
  OURS,
  OTHER_ACCOUNT,
  fleetScenario,
  zoneId,
  zoneName,
} from './support/fleet-scenario';

describe('fleet', () => {
  const COUNT = 30;
  const cli = cliWithEmulator(
    fleetScenario({
      count: COUNT,
      moved: (number) => number % 2 === 0,
      blocked: (number) => number === 29,
    }),
  );
  const all = Array.from({ length: COUNT }, (_, number) => number);

  function list(...lines: string[]): string {
    cli.write({ 'zones.txt': lines.map((line) => `${line}\n`).join('') });
    return 'zones.txt';
  }

  const refuse = (number: number, times?: number) =>
    ({
      kind: 'status',
      status: 403,
      code: 10000,
      path: `/zones/${zoneId(number)}/*`,
      ...(times === undefined ? {} : { times }),
    }) as const;

  describe('a command for many zones', () => {
    it('does all of an account, and sums up', async () => {
      const { code, document, stderr } = await cli.json(`check --account ${OURS}`);
      expect([code, stderr]).toEqual([2, '']);
      expect(document.summary).toEqual({
        ...ALL_DONE,
        ...{ zones: COUNT, done: COUNT - 1, attention: 1 },
      });
      expect(document.zones.map(({ zone, name }: any) => [zone, name])).toEqual(
        all.map((number) => [zoneId(number), zoneName(number)]),
      );
      expect(document.zones[1].result).toEqual({
        compatible: true,
        migrationState: 'start',
        findings: [],
      });
      expect(document.zones[0].result.findings).toMatchObject([{ code: 'ALREADY_MIGRATED' }]);
    });

    it('gives for each zone what it gives for that zone alone', async () => {
      const { document } = await cli.json(`status --account ${OURS}`);
      for (const number of [0, 1, 28]) {
        const alone = await cli.json(`status --zone ${zoneId(number)}`);
        expect(document.zones).toContainEqual(alone.document.zones[0]);
      }
    });

    it('writes a file for each zone', async () => {
      const zones = list(zoneName(1), zoneName(3));
      const { code } = await cli.run(`fetch-config --zones ${zones} --out configs`);
      expect([code, cli.list('configs')]).toEqual([0, [1, 3].map((at) => `${zoneId(at)}.json`)]);
      const saved = JSON.parse(cli.read(`configs/${zoneId(1)}.json`));
      expect(saved).toMatchObject({ success: true, result: { name: 'default' } });
    });

    it('goes on past a zone that fails, names it, and ends with 1', async () => {
      cli
        .emulator()
        .setFaults([refuse(3), { kind: 'status', html: true, path: `/zones/${zoneId(7)}/*` }]);
      const { code, stdout } = await cli.run(`check --account ${OURS} --quiet`);
      expect(code).toBe(1);
      expect(stdout).toMatch(
        new RegExp(
          `^failed +zone-3\\.example\\.com \\(${zoneId(3)}\\): .*\\(API_UNAUTHORIZED\\)\n +hint: `,
          'm',
        ),
      );
      expect(stdout).toMatch(/^failed +zone-7\.example\.com .*\(API_/m);
      expect(stdout).toContain('30 zones: 27 done, 1 needs attention, 2 failed\n');
    }, 300_000);

    it.each(['check', 'report --out r', 'fetch-config --out c', 'generate', 'finish --pause 0'])(
      'of %s starts no further zone if the API does not accept the credentials',
      async (command) => {
        const zones = list(...[1, 3, 5, 7].map(zoneName));
        const line = [...command.split(' '), '--zones', zones, '--concurrency', '1'];
        const { stderr } = await cli.run(line);
        const confirm = /--confirm \S+/.exec(stderr)?.[0].split(' ') ?? [];
        const fault = { ...refuse(3), status: 401 };
        const method = command.startsWith('finish') ? 'PUT' : 'GET';
        cli.emulator().setFaults([{ ...fault, method }]);
        const args = [...line, ...confirm, '--ledger', 'other', '--force'];
        const flags = command.startsWith('generate') ? args : args.slice(0, -1);
        const { code, stdout } = await cli.run(flags);
        expect([code, stdout.match(/^\w+ +(?=zone-)/gm)?.map((word) => word.trim())]).toEqual([
          1,
          ['done', 'waiting', 'waiting', 'failed'],
        ]);
        expect(stdout).toContain(': not started: the API does not accept the credentials\n');
        expect(nextCommands(stdout)).toContain(`cf-waf-migrate ${flags.join(' ')}`);
        cli.emulator().setFaults([]);
        expect((await cli.run(flags)).stdout).toContain('\n4 zones: 4 done');
      },
    );

    it('of finish asks for no confirmation if the API does not accept the credentials', async () => {
      const zones = list(...[1, 3, 5].map(zoneName));
      cli.emulator().setFaults([{ ...refuse(3), status: 401 }]);
      const { code, stderr } = await cli.run(`finish --zones ${zones} --confirm 2:0`);
      expect([code, stderr]).toEqual([1, expect.stringContaining('(API_UNAUTHORIZED)')]);
      expect(stderr).not.toContain('--confirm');
    });

    it('shows the cause of a failure', async () => {
      cli.write({ taken: '' });
      const zones = list(zoneName(1));
      const ran = await cli.run(['fetch-config', '--zones', zones, '--out', 'taken']);
      expect(ran.code).toBe(1);
      expect(ran.stdout).toMatch(/^failed .* \(FILE_UNWRITABLE\)\n {2}cause: E\w+: .*\n {2}hint: /);
    });

    it('ends with 2 when a zone needs attention and none failed', async () => {
      const zones = list(zoneName(1), zoneName(29));
      const { code, stdout } = await cli.run(['check', '--zones', zones]);
      expect(code).toBe(2);
      expect(stdout).toMatch(
        /^attention +zone-29\.example\.com .*: cannot migrate .*: URI_OVERRIDE$/m,
      );
      expect(stdout).toContain('2 zones: 1 done, 1 needs attention\n');
    });

    it('prints one line a zone on standard error where there is no terminal', async () => {
      const zones = list(zoneName(0), zoneName(1));
      const checked = await cli.run(`check --zones ${zones} --concurrency 1`);
      expect(checked.stderr).toBe(
        `[1/2] zone-0.example.com (${zoneId(0)}): done: is migrated (migration state: complete): ALREADY_MIGRATED\n` +
          `[2/2] zone-1.example.com (${zoneId(1)}): done: can migrate (migration state: start)\n`,
      );
      const { stderr } = await cli.run(`status --zones ${zones}`);
      expect(stderr).toMatch(/^\[\d\/2\] zone-0\.example\.com \(f0+\): read$/m);
    });

    it('draws a bar on a terminal, and takes it away', async () => {
      const { stderr } = await cli.run(
        ['status', '--zones', list(zoneName(0), zoneName(1)), '--no-color'],
        { terminal: true },
      );
      const frames = stderr.split('\r\u001b[J');
      expect(frames).toHaveLength(4);
      expect(frames[0]).toBe(`${'░'.repeat(30)} 0/2 zones`);
      expect(frames[1]).toMatch(/^█{15}░{15} 1\/2 zones$/);
      expect(frames[2]).toMatch(/^█{30} 2\/2 zones$/);
      expect(frames[3]).toBe('');
    });

    it('gives each request a line of its own, and draws the bar again below it', async () => {
      const zones = list(zoneName(0), zoneName(1));
      const args = ['status', '--zones', zones, '--concurrency', '1', '--verbose'];
      const { stderr } = await cli.run(args, { terminal: true });
      // what a terminal shows in the end: a line that is cleared is gone
      const shown = stderr.split('\n').map((line) => line.split('\r\u001b[J').at(-1));
      expect(shown.at(-1)).toBe('');
      expect(shown.length).toBeGreaterThan(4);
      for (const line of shown.slice(0, -1)) expect(line).toMatch(/^GET \/zones.* ms$/);
    });
  });

  describe('a list with faults', () => {
    it('is told entry by entry, and the others go on', async () => {
      const zones = list(zoneName(1), zoneId(1), 'not-ours.example.org', zoneName(5));
      const { code, document } = await cli.json(['check', '--zones', zones]);
      expect(code).toBe(1);
      expect(document.zones.map(({ name }: any) => name)).toEqual([zoneName(1), zoneName(5)]);
      expect(document.refused).toMatchObject([
        { line: 3, text: 'not-ours.example.org', error: { code: 'ZONE_NOT_REACHED' } },
      ]);
      expect(document.summary).toMatchObject({ zones: 3, done: 2, refused: 1 });
    });

    it.each([
      ['empty', '# none\n', 'ZONES_EMPTY'],
      ['no text', Buffer.from('\ufeffa.example', 'utf16le'), 'ZONES_FILE_INVALID'],
      ['too large', 'a.example\n'.repeat(1_000_001), 'ZONES_FILE_INVALID'],
    ])('that is %s is refused before anything is asked', async (_, content, code) => {
      cli.write({ 'zones.txt': content });
      const ran = await cli.run('check --zones zones.txt --json');
      expect([ran.code, errorOf(ran).code]).toEqual([1, code]);
      expect(cli.emulator().requests()).toEqual([]);
    });

    it('is refused where the account has no zone that is reached', async () => {
      const ran = await cli.run(`check --account ${OTHER_ACCOUNT} --json`);
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'ZONES_EMPTY']);
    });

    it('may come from standard input', async () => {
      const stdin = Buffer.from(`${zoneId(2)}\n`);
      const { document } = await cli.json('check --zones -', { stdin });
      expect(document.summary).toMatchObject({ zones: 1, done: 1 });
      // the next command could not read it again
      expect((await cli.run('status --zones -', { stdin })).stdout).not.toContain('Next:');
    });
  });

  describe('a second run', () => {
    /** Zones with an even number have moved. */
    const GENERATE = ['generate', '--source', 'live'];

    it('touches only what failed, and says what it took from the ledger', async () => {
      cli.emulator().setFaults([refuse(4, 1), refuse(8, 1)]);
      const zones = list(...all.filter((number) => number % 2 === 0).map(zoneName));
      const first = await cli.run([...GENERATE, '--zones', zones]);
      expect(first.stdout).toContain('15 zones: 13 done, 2 failed');
      cli.emulator().clearRequests();
      const second = await cli.run([...GENERATE, '--zones', zones]);
      const asked = cli.paths().map((path) => /^\/zones\/(\w+)/.exec(path)?.[1] ?? 'list');
      expect([...new Set(asked)].sort()).toEqual([zoneId(4), zoneId(8), 'list']);
      expect(second.code).toBe(0);
      expect(second.stderr).toContain('an earlier run has done 13 zones;');
      expect(second.stdout).toContain('15 zones: 15 done; 13 by an earlier run');
    });

    it.each(['check', 'fetch-config --out c', 'report --against live --out r'])(
      'of %s reads all zones again: what it read before may be out of date',
      async (command) => {
        cli.emulator().setFaults([refuse(0, 1)]);
        const args = [...command.split(' '), '--zones', list(zoneName(0), zoneName(2))];
        await cli.run(args);
        cli.emulator().clearRequests();
        expect((await cli.json(args)).document.summary.earlier).toBe(0);
        for (const at of [0, 2]) expect(cli.paths().join()).toContain(zoneId(at));
      },
    );

    it('asks everything anew after a run that did all, and with another ledger', async () => {
      const zones = list(zoneName(0), zoneName(2));
      await cli.run([...GENERATE, '--zones', zones]);
      const second = await cli.json([...GENERATE, '--zones', zones]);
      expect(second.document.summary.earlier).toBe(0);
      cli.emulator().setFaults([refuse(0, 1)]);
      await cli.run([...GENERATE, '--zones', zones]);
      const again = await cli.json([...GENERATE, '--zones', zones, '--ledger', 'other.jsonl']);
      expect(again.document.summary).toMatchObject({ done: 2, earlier: 0 });
    });

    it('with another list does the new zones', async () => {
      cli.emulator().setFaults([refuse(0, 1)]);
      await cli.run([...GENERATE, '--zones', list(zoneName(0), zoneName(2), zoneName(4))]);
      const { document } = await cli.json([
        ...[...GENERATE, '--zones', list(zoneName(2), zoneName(6))],
      ]);
      expect(document.summary).toMatchObject({ zones: 2, done: 2, earlier: 1 });
    });

    it('at the same time is refused, and leaves the ledger alone', async () => {
      const zones = list(zoneName(0));
      await cli.run(['check', '--zones', zones]);
      const ledger = 'cf-waf-migrate-fleet/ledger.jsonl';
      const before = cli.read(ledger);
      cli.write({ [`${ledger}.lock`]: JSON.stringify({ pid: process.ppid, host: hostname() }) });
      const ran = await cli.run(['check', '--zones', zones, '--json']);
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'FLEET_RUNNING']);
      expect(cli.read(ledger)).toBe(before);
    });

    it('does not pick up the same command with other options', async () => {
      cli.emulator().setFaults([refuse(0, 1)]);
      const zones = list(zoneName(0), zoneName(2));
      await cli.run([...GENERATE, '--zones', zones]);
      const { document } = await cli.json([...GENERATE, '--out', 'other', '--zones', zones]);
      expect(document.summary.earlier).toBe(0);
    });

    it('does not pick up what another service was asked', async () => {
      cli.emulator().setFaults([refuse(0)]);
      const zones = list(zoneName(0), zoneName(2));
      const generate = async (environment = {}): Promise<unknown> =>
        (await cli.json([...GENERATE, '--zones', zones], { environment })).document.summary.earlier;
      expect(await generate()).toBe(0);
      const other = await startEmulator({ scenario: fleetScenario({ count: 4 }) });
      try {
        expect(await generate(environmentOf(other))).toBe(0);
      } finally {
        await other.stop();
      }
      expect(await generate()).toBe(1);
    });
  });
});

it('a run over zones shows the whole hint of a zone that failed: the way back stands last in it', () => {
  const words = `${'first do this; '.repeat(30)}or go back:`;
  const hint = `${words}\ncf-waf-migrate rollback x`;
  const error = { code: 'TERRAFORM_FAILED', message: 'was killed', hint, causes: [] };
  const failed = { zone: 'a'.repeat(32), name: 'a.example', outcome: 'failed', line: '', error };
  const outcomes = [failed as unknown as ZoneOutcome];
  const { text } = renderFleet(outcomes, [], 'ledger.jsonl');
  expect(text).toContain(`  hint: ${words}\n    cf-waf-migrate rollback x\n`);
});

it('refuses the zones of one plan in one line', () => {
  const error = new MigrationError('PLAN_OF_OTHER_ZONES', 'a.plan.json is also for zone x');
  const refused = ['a.example', 'b.example'].map((text) => ({ text, error }));
  const { text } = renderFleet([], refused, 'ledger.jsonl');
  expect(text.match(/^refused /gm)).toHaveLength(1);
  expect(text).toContain('2 zones: 0 done, 2 refused\n');
});

it('shows the error that zones of one plan share once', () => {
  const error = {
    code: 'TERRAFORM_FAILED',
    message: 'x',
    hint: 'run it again',
    causes: ['exit 1'],
  };
  const failed = (name: string, line: string) =>
    ({ zone: name.repeat(32), name, outcome: 'failed', line, error }) as unknown as ZoneOutcome;
  const outcomes = [failed('a', 'x'), failed('b', 'x'), failed('c', 'y')];
  const { text } = renderFleet(outcomes, [], 'ledger.jsonl');
  expect(text.match(/^ {2}(cause|hint): .*$/gm)).toHaveLength(4);
  expect(text).toMatch(/^failed +b \(b+\): the same error \(TERRAFORM_FAILED\)$/m);
});

it('shows many zones that are skipped for one reason in one line', () => {
  const skipped = (count: number, line: string) =>
    Array.from({ length: count }, (_, at) =>
      zoneOutcome({ id: `${at}`.repeat(32), name: `${line}-${at}.example` }, 'skipped', line),
    );
  const outcomes = [...skipped(7, 'no folder'), ...skipped(2, 'not migrated')];
  const { text, json } = renderFleet(outcomes, [], 'ledger.jsonl');
  expect(text.match(/^skipped .*$/gm)).toEqual([
    `skipped    ${[0, 1, 2, 3, 4].map((at) => `no folder-${at}.example`).join(', ')} and 2 more: no folder`,
    `skipped    not migrated-0.example (${'0'.repeat(32)}): not migrated`,
    `skipped    not migrated-1.example (${'1'.repeat(32)}): not migrated`,
  ]);
  expect(json).toMatchObject({ summary: { skipped: 9 }, zones: outcomes });
});
