import { listHash } from '../../src/cli/consent';
import { cliWithEmulator, errorOf } from '../support/cli-lab';
import { nextCommands } from '../support/next-commands';
import { OURS, fleetScenario, zoneId, zoneName } from './support/fleet-scenario';

describe('fleet ledger', () => {
  const COUNT = 40;
  const cli = cliWithEmulator(
    fleetScenario({ count: COUNT, moved: (n) => n % 3 === 0, blocked: (n) => n === 7 }),
  );

  it('a ledger that is cut in the middle of its last line is resumed, and only that zone is read again', async () => {
    const names = Array.from({ length: 5 }, (_, at) => zoneName(3 * at));
    cli.write({ moved: names.join('\n') });
    const generate = 'generate --zones moved --source live --concurrency 1';
    await cli.run(generate);
    const ledger = 'cf-waf-migrate-fleet/ledger.jsonl';
    const lines = cli.read(ledger).split('\n');
    // killed while it wrote the entry of the last zone: no end, and half a line
    const written = lines.slice(0, 11).join('\n');
    cli.write({ [ledger]: written.slice(0, -20) });
    cli.emulator().clearRequests();
    const { code, document } = await cli.json(generate);
    expect([code, document.summary]).toMatchObject([0, { done: 5, earlier: 4 }]);
    const asked = cli
      .emulator()
      .requests()
      .flatMap(({ path: of }) => /^\/zones\/(\w+)/.exec(of)?.[1] ?? []);
    expect(new Set(asked)).toEqual(new Set([zoneId(12)]));
  });

  it('a ledger in a folder that the system does not make is an error, and asks no zone', async () => {
    const args = ['check', '--account', OURS, '--ledger', '/proc/cf-waf-migrate/ledger', '--json'];
    const ran = await cli.run(args);
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_UNWRITABLE']);
    const asked = cli.emulator().requests();
    expect(asked.filter(({ path }) => path.includes(zoneId(0)))).toEqual([]);
  });

  describe('fleet status', () => {
    it.each([
      ['null', null],
      ['a list', [[]]],
      [
        'fields of other types',
        { plan: {}, digest: 1, codes: [], ready: 'no', files: 3, source: {} },
      ],
      [
        'other parts',
        { manual: { id: {} }, summary: null, findings: [7, { code: [] }], changes: 1 },
      ],
    ])('reads a result that is %s, and keeps it in its JSON', async (_, result) => {
      const run = {
        request: '{}',
        at: '2026-01-01T00:00:00.000Z',
        zone: zoneId(1),
        name: zoneName(1),
      };
      const lines = ['generate', 'plan', 'apply'].map((stage) =>
        JSON.stringify({
          event: 'zone',
          stage,
          ...run,
          outcome: 'attention',
          line: 'open',
          result,
        }),
      );
      cli.write({ other: lines.join('\n'), zones: zoneName(1) });
      const status = (...flags: string[]) =>
        cli.run(['fleet', 'status', '--ledger', 'other', ...flags]);
      expect((await status()).stdout).toContain('apply attention: open');
      expect((await status('--format', 'html')).stdout).toContain('open');
      const [{ stages }] = JSON.parse((await status('--json')).stdout).zones;
      expect(stages.plan.result).toEqual(result);
      const known = await cli.json(['status', '--zones', 'zones', '--ledger', 'other']);
      expect(known.document.zones).toHaveLength(1);
    });

    it('shows no apply of a plan that was rolled back, but what failed or was dirty afterwards', async () => {
      const ledger = 'cf-waf-migrate-fleet/ledger.jsonl';
      const run = { request: '{}', at: '2026-01-01T00:00:00.000Z' };
      const zone = { zone: zoneId(0), name: zoneName(0) };
      const digest = 'd'.repeat(64);
      const result = { plan: 'plans/edge.plan.json', digest };
      const lines = ['plan', 'apply'].flatMap((stage) => [
        { event: 'begin', stage, ...run, zones: [zone] },
        { event: 'start', stage, ...run, ...zone },
        { event: 'zone', stage, ...run, ...zone, outcome: 'done', line: '', result },
      ]);
      cli.write({ [ledger]: lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
      const outcomes = async () => {
        const { zones } = JSON.parse((await cli.run(['fleet', 'status', '--json'])).stdout);
        return [zones[0].stages.plan.outcome, zones[0].stages.apply.outcome];
      };
      expect(await outcomes()).toEqual(['done', 'done']);
      cli.write({
        [`plans/cf-waf-migrate-backup/${digest.slice(0, 12)}.rolled-back.jsonl`]: '',
      });
      expect(await outcomes()).toEqual(['done', 'waiting']);
      const later = { ...run, ...zone, event: 'zone', at: '2999-01-01T00:00:00.000Z' };
      const error = { code: 'STATE_CHANGED', message: '', hint: '', causes: [] };
      const ends = [
        { ...later, stage: 'verify', outcome: 'attention', line: 'dirty', result },
        { ...later, stage: 'apply', outcome: 'failed', line: 'its serial is 5', error },
      ];
      const added = ends.map((line) => `${JSON.stringify(line)}\n`).join('');
      cli.write({ [ledger]: cli.read(ledger) + added });
      const { code, stdout } = await cli.run('fleet status');
      expect([code, stdout]).toEqual([
        2,
        expect.stringMatching(
          /: apply failed: its serial is 5 \(STATE_CHANGED\)\n.*: verify .*: dirty$/m,
        ),
      ]);
    });

    it('forgets a refused line that a later run of another command does not find in the list', async () => {
      const refused = async () =>
        (await cli.json('fleet status --ledger typo')).document.refused.length;
      cli.write({ typo: '', 'typo.txt': `${zoneName(1)}\nzone-1.exmaple.com\n` });
      await cli.run('check --zones typo.txt --ledger typo');
      expect(await refused()).toBe(1);
      const { stdout } = await cli.run('fleet status --ledger typo');
      expect(nextCommands(stdout)).toEqual([
        'cf-waf-migrate status --zones typo.txt --ledger typo',
      ]);
      cli.write({ 'typo.txt': `${zoneName(1)}\n` });
      await cli.run('generate --zones typo.txt --ledger typo --format hcl --out typo-waf');
      expect(await refused()).toBe(0);
    });

    it('leads to the status of a list with a quote in its name, and of a zone without a list', async () => {
      cli.write({ "it's.txt": `${zoneName(1)}\n` });
      await cli.run(['check', '--zones', "it's.txt", '--ledger', 'quoted']);
      const listed = await cli.run('fleet status --ledger quoted');
      expect(nextCommands(listed.stdout)).toEqual([
        "cf-waf-migrate status --zones 'it'\\''s.txt' --ledger quoted",
      ]);
      await cli.run(`check --zone ${zoneName(1)} ${zoneName(2)} --ledger named`);
      const named = await cli.run('fleet status --ledger named');
      expect(nextCommands(named.stdout)).toEqual([`cf-waf-migrate status --zone ${zoneName(1)}`]);
    });

    it('names the zones of a killed run below one line on the page', async () => {
      const run = { event: 'start', stage: 'finish', request: '{}' };
      const lines = [0, 1].map((n) => ({
        ...run,
        at: `2026-01-01T00:00:00.00${n}Z`,
        zone: zoneId(n),
      }));
      const text = lines
        .map((line, n) => JSON.stringify({ ...line, name: zoneName(n) }))
        .join('\n');
      cli.write({ l: `${text}\n` });
      const page = await cli.run('fleet status --ledger l --format html');
      expect(page.stdout).toContain(`<li>${zoneName(0)}</li><li>${zoneName(1)}</li>`);
    });

    it('names the command of the list of each zone, if runs for two lists have the same request', async () => {
      const run = { stage: 'finish', request: '{}', at: '2026-01-01T00:00:00.000Z' };
      const lines = [0, 1].flatMap((n) => {
        const zone = { zone: zoneId(n), name: zoneName(n) };
        const command = `finish --zones ${n}.txt`;
        return [
          { event: 'begin', ...run, command, zones: [zone] },
          { event: 'start', ...run, ...zone },
        ];
      });
      cli.write({ l: lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
      const { document } = await cli.json('fleet status --ledger l');
      expect(document.zones.map(({ stages }: any) => stages.finish.command)).toEqual([
        'finish --zones 0.txt',
        'finish --zones 1.txt',
      ]);
      const { stdout } = await cli.run('fleet status --ledger l');
      const again = [0, 1].map((n) => `  cf-waf-migrate finish --zones ${n}.txt\n`).join('');
      expect(stdout).toContain(`\nIf no run is active, run again:\n${again}`);
    });

    it('names no command that read its list from standard input', async () => {
      const run = { stage: 'check', request: '{}', at: '2026-01-01T00:00:00.000Z' };
      const zone = { zone: zoneId(0), name: zoneName(0) };
      const command = 'check --zones - --ledger l';
      const begin = { event: 'begin', ...run, command, zones: [zone] };
      const start = { event: 'start', ...run, ...zone };
      cli.write({ l: `${JSON.stringify(begin)}\n${JSON.stringify(start)}\n` });
      const { code, stdout } = await cli.run('fleet status --ledger l');
      expect([code, stdout]).toEqual([2, expect.not.stringContaining('run again')]);
      expect(nextCommands(stdout)).toEqual([`cf-waf-migrate status --zone ${zoneName(0)}`]);
      const page = await cli.run('fleet status --ledger l --format html');
      expect(page.stdout).not.toContain(command);
    });

    it('names the zone of a plan that has no WAF, and not the others', async () => {
      const run = { stage: 'verify', request: '{}', at: '2026-01-01T00:00:00.000Z' };
      const result = { findings: [{ code: 'ZONE_UNPROTECTED', subject: zoneId(0) }] };
      const ended = { event: 'zone', ...run, outcome: 'done', line: 'clean', result };
      const lines = [0, 1].map((n) => ({ ...ended, zone: zoneId(n), name: zoneName(n) }));
      cli.write({ l: lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
      const { code, stdout } = await cli.run('fleet status --ledger l');
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^verify: 2 done$/m)]);
      expect(stdout).toContain(`\nwithout a WAF: ${zoneName(0)} (ZONE_UNPROTECTED)\n`);
      const page = await cli.run('fleet status --ledger l --format html');
      const rows = page.stdout.split('<tr').filter((row) => row.includes('without a WAF</span>'));
      expect(rows).toEqual([expect.stringContaining(`>${zoneName(0)}<`)]);
    });

    it('shows a line a zone and a column a command, and calls no API', async () => {
      await cli.run(`check --account ${OURS}`);
      cli.emulator().setFaults([{ kind: 'status', status: 403, path: `/zones/${zoneId(2)}/*` }]);
      await cli.run(`report --account ${OURS} --out reports`);
      cli.emulator().clearRequests();
      const { code, stdout } = await cli.run(['fleet', 'status']);
      expect(cli.emulator().requests()).toEqual([]);
      expect(code).toBe(2);
      const lines = stdout.split('\n');
      expect(lines[0]).toMatch(/^zone +id +check +report$/);
      expect(
        lines.slice(1, COUNT + 1).every((line) => /^zone-\d+\.example\.com +f0/.test(line)),
      ).toBe(true);
      expect(stdout).toMatch(
        new RegExp(`^zone-7\\.example\\.com +${zoneId(7)} +attention +\\w+$`, 'm'),
      );
      expect(stdout).toMatch(
        new RegExp(`^zone-2\\.example\\.com +${zoneId(2)} +done +failed$`, 'm'),
      );
      expect(stdout).toMatch(
        /^zone-7\.example\.com: check attention: cannot migrate .*URI_OVERRIDE$/m,
      );
      expect(stdout).toMatch(/^zone-2\.example\.com: report failed: .*\(API_UNAUTHORIZED\)$/m);
      expect(stdout).toMatch(
        new RegExp(
          `\\ncheck: ${COUNT - 1} done, 1 attention\\nreport: \\d+ done, 1 attention, 1 failed\\n\\nNext:\\n  cf-waf-migrate report --account ${OURS} --out reports\\n$`,
        ),
      );
    });

    it('ends with 0 when every zone is done, and gives the results as JSON', async () => {
      cli.write({ zones: `${zoneName(0)}\n` });
      await cli.run('check --zones zones --ledger l');
      const { code, document } = await cli.json('fleet status --ledger l');
      expect(code).toBe(0);
      await cli.run('fleet status --ledger l --json --out status.json');
      expect(JSON.parse(cli.read('status.json'))).toEqual(document);
      expect(document.zones).toMatchObject([
        {
          zone: zoneId(0),
          name: zoneName(0),
          stages: { check: { outcome: 'done', result: { migrationState: 'complete' } } },
        },
      ]);
    });

    it('ends with 2 while a zone of the list is not begun, also of a run that was killed', async () => {
      cli.write({ zones: `${zoneName(0)}\n${zoneName(1)}\n` });
      await cli.run('check --zones zones --ledger l --concurrency 1');
      const lines = cli.read('l').split('\n');
      cli.write({ killed: `${lines.slice(0, 3).join('\n')}\n` });
      const { code, document } = await cli.json('fleet status --ledger killed');
      const outcomes = document.zones.map(({ stages }: any) => stages.check.outcome);
      expect([code, outcomes]).toEqual([2, ['done', 'waiting']]);
    });

    it('ends with 2 while an entry of the list was no zone, until the list is fixed', async () => {
      cli.write({ zones: `${zoneName(0)}\nshopp.example.com\n` });
      await cli.run('check --zones zones --ledger l');
      const shown = await cli.run('fleet status --ledger l');
      expect(shown.code).toBe(2);
      expect(shown.stdout).toMatch(
        /^check refused: line 2: zone shopp\..* credentials \(ZONE_NOT_REACHED\)$/m,
      );
      const page = ['fleet', 'status', '--ledger', 'l', '--format', 'html'];
      expect((await cli.run(page)).stdout).toContain('<code>ZONE_NOT_REACHED</code>');
      const other = `${zoneName(3)}\n`;
      cli.write({ other });
      await cli.run('check --zones other --ledger l');
      const refused = async () => {
        const { code, document } = await cli.json('fleet status --ledger l');
        return [code, document.refused.map(({ text }: any) => text)];
      };
      expect(await refused()).toEqual([2, ['shopp.example.com']]);
      cli.write({ zones: `${zoneName(0)}\n${zoneName(3)}\n` });
      await cli.run('check --zones zones --ledger l');
      expect(await refused()).toEqual([0, []]);
    });

    it('names a refused entry though its zone is on another line of the same list', async () => {
      cli.write({ zones: `id,name\n${zoneId(0)},${zoneName(0)}\n${zoneId(0)},${zoneName(1)}\n` });
      expect((await cli.run('check --zones zones --ledger l')).code).toBe(1);
      const { code, document } = await cli.json('fleet status --ledger l');
      expect([code, document.refused]).toEqual([
        2,
        [expect.objectContaining({ line: 3, text: zoneId(0) })],
      ]);
    });

    it('no longer names an entry of one list that a later list has', async () => {
      cli.write({ one: `${zoneName(0)}\nshopp.example.com\n`, two: `${zoneName(3)}\n` });
      await cli.run('check --zones one --ledger l');
      const text = cli.read('l').replaceAll('shopp.example.com', zoneName(3));
      cli.write({ l: text });
      await cli.run('check --zones two --ledger l');
      const { code, document } = await cli.json('fleet status --ledger l');
      expect([code, document.refused]).toEqual([0, []]);
    });

    it('shows no control characters of a stage or a code', async () => {
      const error = { code: 'a\u001b[2J', message: 'b\u001b[2J', hint: 'c' };
      const head = {
        event: 'begin',
        stage: 'd\u001b[2J',
        request: '{}',
        zones: [],
      };
      const begin = { ...head, at: '2026-01-01T00:00:00Z', refused: [{ text: 'e', error }] };
      cli.write({ l: `${JSON.stringify(begin)}\n` });
      const { stdout } = await cli.run('fleet status --ledger l');
      expect(stdout).toContain(String.raw`d\u{1b}[2J refused: b\u{1b}[2J (a\u{1b}[2J)`);
    });

    it('refuses a ledger that is not there', async () => {
      const ran = await cli.run('fleet status --ledger nowhere --json');
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'LEDGER_INVALID']);
      expect(errorOf(ran).hint).toMatch(/^pass the ledger of an earlier run with --ledger;/);
    });
  });
});

describe('fleet status after the whole way', () => {
  const zone = (number: number, more: object) => ({
    ...{ id: zoneId(number), name: zoneName(number), plan: 'pro' },
    ...more,
  });
  const cli = cliWithEmulator({
    name: 'way',
    zones: [
      zone(1, { oldWaf: { settings: { rules: { WP0033: 'simulate' } } } }),
      zone(2, { oldWaf: { enabled: false } }),
    ],
  });

  /** The results of a command for one zone; `finish` is confirmed. */
  async function run(line: string, number: number) {
    cli.write({ zones: `${zoneName(number)}\n` });
    const flags = line === 'finish' ? `--confirm ${listHash([{ id: zoneId(number) }])}` : '';
    return cli.run(`${line} --zones zones --ledger l ${flags}`.trim());
  }

  async function standing() {
    const { code, document } = await cli.json('fleet status --ledger l');
    const page = await cli.run('fleet status --ledger l --format html');
    const [, migrated] = /class="answer.*?New WAF: (\d+ of \d+ zones?)\./s.exec(page.stdout) ?? [];
    const stages: [string, any][] = Object.entries(document.zones[0].stages);
    const open = stages.filter(([, { outcome }]) => outcome !== 'done');
    const state = document.zones[0].state;
    return [
      code,
      page.code,
      migrated,
      state,
      ...open.map(([stage, { outcome }]) => [stage, outcome]),
    ];
  }

  it('ends with 0, whatever the report said before the migration', async () => {
    await run('check', 1);
    const report = await run('report --out r', 1);
    expect(report.code).toBe(2);
    expect(report.stdout).toMatch(/^attention .* 1 lost, .*: SETTINGS_LOST: wrote r\/f/m);
    expect(report.stdout).toContain('\ndecision: Settings are lost (SETTINGS_LOST)\n');
    await run('finish', 1);
    await run('generate --out stacks', 1);
    expect(await standing()).toEqual([0, 0, '1 of 1 zone', 'migrated']);
    const { stdout } = await cli.run('fleet status --ledger l');
    expect(stdout).toMatch(
      /^zone-1\.example\.com: report done: .* 1 lost, .*: wrote r\/f.*\.txt$/m,
    );
    const page = await cli.run('fleet status --ledger l --format html');
    expect(page.stdout).toContain('done, 1 lost');
    // with the settings that `finish` saved
    const again = await run('report --out later', 1);
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^done .* 1 lost, /m)]);
    expect(await standing()).toEqual([0, 0, '1 of 1 zone', 'migrated']);
  });

  it('ends with 2 while the stack is from before the migration', async () => {
    await run('generate --out stacks', 1);
    await run('finish', 1);
    const open = [2, 2, '1 of 1 zone', 'attention', ['generate', 'attention']];
    expect(await standing()).toEqual(open);
    await run('generate --out stacks --force', 1);
    expect(await standing()).toEqual([0, 0, '1 of 1 zone', 'migrated']);
  });

  it('counts a migrated zone as migrated, whatever later steps end with', async () => {
    await run('finish', 1);
    const digest = 'd'.repeat(64);
    const step = {
      ...{ event: 'zone', stage: 'apply', request: '{}', at: '2026-01-01T00:00:00.000Z' },
      ...{ zone: zoneId(1), name: zoneName(1), line: '' },
      ...{ outcome: 'attention', result: { plan: 'edge.plan.json', digest } },
    };
    const add = (entry: object) => {
      cli.write({ l: `${cli.read('l')}${JSON.stringify(entry)}\n` });
    };
    add(step);
    expect(await standing()).toEqual([2, 2, '1 of 1 zone', 'attention', ['apply', 'attention']]);
    cli.write({ [`cf-waf-migrate-backup/${digest.slice(0, 12)}.rolled-back.jsonl`]: '' });
    expect(await standing()).toEqual([0, 0, '1 of 1 zone', 'migrated']);
    add({ ...step, at: '2999-01-01T00:00:00.000Z', outcome: 'failed' });
    expect(await standing()).toEqual([2, 2, '1 of 1 zone', 'failed', ['apply', 'failed']]);
  });

  it('counts a zone as migrated when its plan is applied', async () => {
    await run('finish', 1);
    const add = (stage: string, result: object) => {
      const run = { event: 'zone', stage, request: '{}', at: `2999-01-01T00:00:00.000Z` };
      const step = {
        ...run,
        zone: zoneId(1),
        name: zoneName(1),
        outcome: 'done',
        line: '',
        result,
      };
      cli.write({ l: `${cli.read('l')}${JSON.stringify(step)}\n` });
    };
    add('plan', { plan: 'edge.plan.json', digest: 'd', ready: true });
    expect(await standing()).toEqual([2, 2, '1 of 1 zone', 'started']);
    const words = 'New WAF: 1 of 1 zone. Terraform: 0 of 1 applied.';
    expect((await cli.run('fleet status --ledger l')).stdout).toContain(`\n${words}\n`);
    const page = await cli.run('fleet status --ledger l --format html');
    expect(page.stdout).toContain(words);
    add('apply', { plan: 'edge.plan.json', digest: 'd' });
    expect(await standing()).toEqual([0, 0, '1 of 1 zone', 'migrated']);
    // there is nothing to apply
    add('plan', { plan: 'edge.plan.json', digest: 'e', ready: false });
    expect(await standing()).toEqual([0, 0, '1 of 1 zone', 'migrated']);
  });

  it('does not count a report as done that a blocked zone never had', async () => {
    const report = {
      event: 'zone',
      stage: 'report',
      request: '{}',
      at: '2026-01-01T00:00:00.000Z',
    };
    const blocked = { ...report, outcome: 'attention', line: 'cannot migrate: URI_OVERRIDE' };
    const result = {
      findings: [{ code: 'URI_OVERRIDE', severity: 'blocker', subject: zoneId(1) }],
    };
    const zone = { zone: zoneId(1), name: zoneName(1) };
    cli.write({ l: `${JSON.stringify({ ...blocked, ...zone, result })}\n` });
    await run('finish', 1);
    const { stdout } = await cli.run('fleet status --ledger l');
    expect(stdout).toMatch(/^zone +id +finish$/m);
  });

  it('names no command for a zone that its list no longer has', async () => {
    cli.emulator().setFaults([{ kind: 'status', status: 403, path: `/zones/${zoneId(1)}/*` }]);
    cli.write({ zones: `${zoneName(1)}\n${zoneName(2)}\n` });
    await cli.run('check --zones zones --ledger l');
    await run('check', 2);
    cli.emulator().setFaults([]);
    const page = await cli.run('fleet status --ledger l --format html');
    expect(page.stdout).not.toContain('check --zones zones');
  });

  it('keeps the result of a report that is not overwritten', async () => {
    const report = 'report --zones zones --ledger kept --out reports';
    cli.write({ zones: `${zoneName(2)}\n` });
    await cli.run(report);
    const before = await cli.run('fleet status --ledger kept');
    cli.write({ [`reports/${zoneId(2)}.txt`]: 'edited' });
    const again = await cli.run(report);
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('(FILE_EXISTS)')]);
    expect((await cli.run('fleet status --ledger kept')).stdout).toBe(before.stdout);
  });

  it('names a zone that migrated without a WAF, as its legacy WAF was off', async () => {
    const { code } = await run('finish', 2);
    expect([code, await standing()]).toEqual([0, [0, 0, '1 of 1 zone', 'migrated']]);
    expect((await run('generate --out stacks', 2)).code).toBe(2);
    expect(await standing()).toEqual([0, 0, '1 of 1 zone', 'migrated']);
    const { stdout } = await cli.run('fleet status --ledger l');
    expect(stdout).toMatch(/^without a WAF: zone-2\.\S+ \(ZONE_UNPROTECTED\)$/m);
    const page = await cli.run('fleet status --ledger l --format html');
    expect(page.stdout).toContain('1 zone without a WAF');
  });
});
