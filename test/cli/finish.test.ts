import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmulator, type Emulator } from '../../src/emulator/emulator';
import { nextCommands } from '../support/next-commands';
import { CliLab, cliWithEmulator, environmentOf, errorOf, jsonOf } from '../support/cli-lab';
import { type CliRun } from '../support/run-cli';
import { untilEnd } from '../support/run-process';
import { startCli } from '../support/spawn-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { ENTERPRISE, idOf, oneZone } from '../support/zones';
import { ALL_DONE, OURS, fleetScenario, zoneId, zoneName } from './support/fleet-scenario';

const COUNT = 8;

const hashOfIds = (...ids: string[]): string => {
  const lines = ids.map((id) => `${id}\n`).sort();
  const digest = createHash('sha256').update(lines.join('')).digest('hex');
  return `${ids.length}:${digest.slice(0, 12)}`;
};
const hashOf = (numbers: number[]): string => hashOfIds(...numbers.map(zoneId));
const all = hashOf([...Array(COUNT).keys()]);
const two = hashOf([0, 1]);
const FINISH = ['finish', '--account', OURS, '--pause', '0', '--wait', '30'];

/** The service refuses the next write to a zone. */
const refuseWrite = (emulator: Emulator, zone: number): void => {
  const path = `/zones/${zoneId(zone)}/*`;
  emulator.setFaults([{ kind: 'status', status: 403, code: 10000, method: 'PUT', path, times: 1 }]);
};

describe('finish for many zones', () => {
  const cli = cliWithEmulator(fleetScenario({ count: COUNT, moved: () => false }));
  const sent = (): string[] =>
    cli
      .emulator()
      .requests()
      .filter(({ method }) => method === 'PUT')
      .map(({ path }) => /zones\/(\w+)/.exec(path)?.[1] ?? '');

  it('sends nothing until the whole list is confirmed by its count and hash', async () => {
    const without = await cli.run([...FINISH, '--json']);
    expect([without.code, errorOf(without).code]).toEqual([3, 'DECLINED']);
    expect(errorOf(without).hint).toContain(`--confirm ${all}`);
    const listed = await cli.run(FINISH);
    expect(listed.code).toBe(3);
    expect(listed.stderr).toContain(`${zoneName(3)} (${zoneId(3)}): to migrate (wave 1)\n`);
    // every rule is shown before it is sent
    expect(listed.stderr).toMatch(
      / \(wave 1\)\n {4}sends \d+ rules?: on {2}Cloudflare Managed Ruleset/,
    );
    const others = await cli.run([...FINISH, '--confirm', hashOf([0, 1])]);
    expect([others.code, others.stderr]).toEqual([3, expect.stringContaining(`--confirm ${all}`)]);
    expect(others.stderr).toContain(`${zoneName(3)} (${zoneId(3)}): to migrate (wave 1)\n`);
    const asked = await cli.run(FINISH, { answers: ['yes'] });
    expect(asked.code).toBe(3);
    expect(asked.stderr).toContain(`${zoneName(3)} (${zoneId(3)})`);
    expect(sent()).toEqual([]);
  });

  it('sends nothing for a line whose id and name are of two zones', async () => {
    const lines = [`${zoneId(0)},${zoneName(0)}`, `${zoneId(1)},${zoneName(5)}`];
    cli.write({ 'zones.csv': ['zone_id,name', ...lines].join('\n') });
    const args = ['finish', '--zones', 'zones.csv', '--pause', '0', '--confirm'];
    const both = await cli.run([...args, hashOf([0, 1]), '--json']);
    expect([both.code, errorOf(both).code, sent()]).toEqual([3, 'DECLINED', []]);
  });

  it('asks for no confirmation where the list has no zone, and reports its faults', async () => {
    cli.write({ 'zones.txt': 'mistyped.example.com\n' });
    const { code, stdout } = await cli.run('finish --zones zones.txt');
    expect(code).toBe(1);
    expect(stdout).toContain('refused    line 1: zone mistyped.example.com is not found');
  });

  it('runs in waves, canaries first; a failed zone stops them, and the next run resumes', async () => {
    const canaries = [zoneId(6), `${zoneName(2).toUpperCase()}.`];
    // the service refuses the call for one zone of the second wave
    refuseWrite(cli.emulator(), 1);
    const options = [...FINISH, '--wave', '3', '--concurrency', '1', '--canary', ...canaries];
    const first = await cli.json([...options, '--confirm', all]);
    expect(first.code).toBe(1);
    // a script reads nothing but an error there
    expect(first.stderr).toBe('');
    expect(first.document.summary).toMatchObject({
      zones: COUNT,
      done: 3,
      failed: 1,
      waiting: 4,
    });
    expect(sent()).toEqual([2, 6, 0, 1].map(zoneId));
    expect(first.document.zones[1]).toMatchObject({ outcome: 'failed' });
    expect(first.document.zones[7]).toMatchObject({ outcome: 'waiting', earlier: false });

    // the ledger alone says which zones were not begun
    const shown = await cli.json(['fleet', 'status']);
    const outcomes = shown.document.zones.map(({ stages }: any) => stages.finish.outcome);
    expect(outcomes.sort()).toEqual([
      ...['done', 'done', 'done', 'failed'],
      ...['waiting', 'waiting', 'waiting', 'waiting'],
    ]);
    expect((await cli.run(['fleet', 'status'])).stdout).toContain(
      '\nfinish: 3 done, 1 failed, 4 waiting',
    );

    // anyone who can write the ledger can write that a zone is done
    const ledger = cli.read('cf-waf-migrate-fleet/ledger.jsonl');
    cli.write({ 'cf-waf-migrate-fleet/ledger.jsonl': ledger.replace('"failed"', '"done"') });
    cli.emulator().clearRequests();
    const second = await cli.json([...options, '--confirm', all]);
    expect([second.code, second.document.summary]).toEqual([
      0,
      { ...ALL_DONE, zones: COUNT, done: COUNT, earlier: 0 },
    ]);
    // no zone sees a second irreversible call
    expect(sent()).toEqual([1, 3, 4, 5, 7].map(zoneId));
    expect(cli.list('cf-waf-migrate-backup')).toHaveLength(COUNT + 1);

    cli.emulator().clearRequests();
    const third = await cli.json([...options, '--confirm', all]);
    expect([third.code, sent()]).toEqual([0, []]);
    expect(third.document.summary).toMatchObject({ done: COUNT, earlier: 0 });

    // a zone that lost its rules since is not called done
    const { baseUrl, credentials } = cli.emulator();
    const path = `zones/${zoneId(6)}/rulesets/phases/http_request_firewall_managed/entrypoint`;
    const headers = { authorization: `Bearer ${credentials.token}` };
    const body = JSON.stringify({ rules: [] });
    expect((await fetch(`${baseUrl}/${path}`, { method: 'PUT', headers, body })).status).toBe(200);
    const fourth = await cli.json([...options, '--confirm', all]);
    expect([fourth.code, fourth.document.summary]).toMatchObject([
      2,
      { done: COUNT - 1, attention: 1 },
    ]);
  });
});

describe('finish for a zone that is blocked', () => {
  const cli = cliWithEmulator(
    fleetScenario({ count: 2, moved: () => false, blocked: (number) => number === 0 }),
  );

  it('counts what it will do before it asks', async () => {
    const { code, stderr } = await cli.run(FINISH, { answers: ['n'] });
    expect([code, stderr.endsWith('continue: Nothing was changed.\n')]).toEqual([3, true]);
    expect(stderr).toContain(`${zoneName(0)} (${zoneId(0)}): blocked by URI_OVERRIDE\n`);
    expect(stderr).toContain('1 zone to migrate, 1 blocked. This');
    expect(cli.requests().filter((one) => !one.startsWith('GET '))).toEqual([]);
  });

  it.each([
    ['is blocked', undefined, 'MIGRATION_BLOCKED'],
    ['cannot be read', 403, 'API_UNAUTHORIZED'],
  ])('sends the others where one %s', async (_, status, code) => {
    const path = `/zones/${zoneId(0)}/*`;
    if (status !== undefined) cli.emulator().setFaults([{ kind: 'status', path, status }]);
    const { document, code: exit } = await cli.json([...FINISH, '--confirm', hashOf([1])]);
    expect([exit, document.summary]).toMatchObject([1, { zones: 2, done: 1, refused: 1 }]);
    expect(document.refused).toMatchObject([{ text: zoneName(0), error: { code } }]);
  });

  it('refuses it with its blockers, also where the whole list is confirmed', async () => {
    const many = await cli.json([...FINISH, '--confirm', two]);
    expect(many.document.summary).toMatchObject({ done: 1, refused: 1 });
    expect(many.document.refused[0].error).toMatchObject({
      code: 'MIGRATION_BLOCKED',
      message: `${zoneName(0)} (${zoneId(0)}) is blocked by URI_OVERRIDE`,
    });
    // the ledger has it too
    const shown = await cli.json(['fleet', 'status']);
    expect(shown.document.refused).toMatchObject([{ error: { code: 'MIGRATION_BLOCKED' } }]);
  });

  it('names what blocks it where it is the canary, and sends nothing', async () => {
    const { code, stderr } = await cli.run([...FINISH, '--canary', zoneName(0), '--confirm', two]);
    const message = `--canary is left out: ${zoneName(0)} (${zoneId(0)}) is blocked by URI_OVERRIDE`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(cli.requests().filter((one) => !one.startsWith('GET '))).toEqual([]);
  });

  it('does not refuse it where its blocker is accepted', async () => {
    const filters = [{ id: idOf('f', 1), expression: 'ssl' }];
    const firewallRules = Array.from({ length: 201 }, (_, at) => ({
      ...{ id: idOf('a', at), filter: idOf('f', 1), action: 'block' },
    }));
    const lab = await CliLab.of(oneZone({ filters, firewallRules }));
    writeFileSync(join(lab.cwd, 'zones'), ENTERPRISE);
    const accept = ['--accept', 'TOO_MANY_FIREWALL_RULES', '--confirm', hashOfIds(ENTERPRISE)];
    const { code } = await lab.cli(['finish', '--zones', 'zones', ...accept]);
    await lab.emulator.stop();
    expect(code).toBe(0);
  });
});

describe('finish of a list', () => {
  const plan = () => 'enterprise';
  const cli = cliWithEmulator(fleetScenario({ count: 2, moved: () => false, plan }));
  const shown = / \(wave 1\)\n {4}sends \d+ rules?: on {2}Cloudflare Managed Ruleset/;

  /** Somebody adds a rule to the entry point in validation mode. */
  async function addRule(zone: number): Promise<void> {
    const { rules } = JSON.parse(cli.read('config.json')).result;
    const rule = { ref: 'theirs', action: 'skip', expression: 'ssl', enabled: true };
    const added = { ...rule, action_parameters: { ruleset: 'current' } };
    const { baseUrl, credentials } = cli.emulator();
    const path = `zones/${zoneId(zone)}/rulesets/phases/http_request_firewall_managed/entrypoint`;
    await fetch(`${baseUrl}/${path}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${credentials.token}` },
      body: JSON.stringify({ rules: [added, ...rules] }),
    });
    expect(cli.requests().at(-1)).toBe(`PUT /${path}`);
    cli.emulator().clearRequests();
  }

  it('sends no rules that were not shown before it was confirmed', async () => {
    await cli.run(`fetch-config --zone ${zoneId(1)} --out config.json`);
    await cli.run(`start-validation --zone ${zoneId(1)} --yes`);
    const answer = () => addRule(1).then(() => two);
    const { code, stdout, stderr } = await cli.run(FINISH, { answers: [answer] });
    expect(stderr).toMatch(shown);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(`zone ${zoneId(1)} changed since its rules were shown`),
    ]);
    const puts = cli.requests().filter((one) => one.startsWith('PUT '));
    expect(puts).toEqual([expect.stringContaining(zoneId(0))]);
  });

  it('shows the rules also where it is confirmed with a flag', async () => {
    const { code, stderr } = await cli.run([...FINISH, '--confirm', two]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(shown)]);
  });
});

describe('finish --source config for a list', () => {
  const scenario: any = fleetScenario({ count: 2, moved: (number) => number === 1 });
  const [zone, moved] = scenario.zones;
  const [entryPoint] = moved.rulesets;
  const [rule] = entryPoint.rules;
  const action_parameters = { ...rule.action_parameters, overrides: { action: 'log' } };
  const rulesets = [{ ...entryPoint, rules: [{ ...rule, action_parameters }] }];
  const own = { ...zone, id: moved.id, name: moved.name, rulesets };
  const cli = cliWithEmulator({ ...scenario, zones: [zone, own] });

  it('replaces no rule of a zone that is not in validation mode', async () => {
    const listed = await cli.run([...FINISH, '--source', 'config']);
    expect(listed.stderr).toContain(
      `${zoneName(1)} (${zoneId(1)}): blocked by STANDING_RULE_DIFFERS`,
    );
    expect(listed.stderr).toMatch(/use\s+--zone\s+for\s+others/);
    const alone = ['finish', '--zone', zoneId(1), '--source', 'config', '--confirm', zoneName(1)];
    expect((await cli.run([...alone, '--wait', '30'])).code).toBe(0);
  });
});

describe('finish --source config for a list in validation mode', () => {
  const plan = () => 'enterprise';
  const cli = cliWithEmulator(fleetScenario({ count: 1, moved: () => false, plan }));

  it('names the zone whose rules a file of the user has set', async () => {
    await cli.run(`fetch-config --zone ${zoneId(0)} --out own.json`);
    const own = JSON.parse(cli.read('own.json'));
    const [rule] = own.result.rules;
    rule.action_parameters = { ...rule.action_parameters, overrides: { action: 'log' } };
    cli.write({ 'own.json': JSON.stringify(own) });
    const sent = await cli.run(`start-validation --zone ${zoneId(0)} --config own.json --yes`);
    expect([sent.code, sent.stderr]).toEqual([0, expect.any(String)]);
    const alone = await cli.run(FINISH);
    expect(alone.stderr).toContain(': blocked by STANDING_RULE_DIFFERS');
    const { code, stderr } = await cli.run([...FINISH, '--source', 'config']);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(
        `${zoneName(0)} (${zoneId(0)}): to migrate, in validation mode, replaces entry point rules that differ`,
      ),
    ]);
    await cli.run(`start-validation --zone ${zoneId(0)} --source config --log-only --yes`);
    const logged = await cli.run([...FINISH, '--source', 'config']);
    expect([logged.code, logged.stderr]).toEqual([3, expect.not.stringContaining('replaces')]);
  });
});

describe('finish for a list finds what blocks a zone before it asks', () => {
  const plan = (number: number): string => (number === 0 ? 'enterprise' : 'pro');
  const cli = cliWithEmulator(fleetScenario({ count: 3, moved: () => false, plan }));
  const puts = () => cli.requests().filter((one) => one.startsWith('PUT '));

  it('for rules that only log, and names the flag that sends the migration configuration', async () => {
    await cli.run(`start-validation --zone ${zoneId(0)} --log-only --yes`);
    cli.emulator().clearRequests();
    const asked = await cli.run(FINISH);
    expect([asked.code, puts()]).toEqual([3, []]);
    expect(asked.stderr).toContain(
      `${zoneName(0)} (${zoneId(0)}): blocked by STANDING_RULE_DIFFERS`,
    );
    expect(asked.stderr).toMatch(
      /that file\s+with --config\.\s+Otherwise\s+pass --source\s+config/,
    );
    const { code, stdout } = await cli.run([...FINISH, '--confirm', hashOf([1, 2])]);
    expect([code, puts().length]).toEqual([1, 2]);
    expect(stdout).toContain('3 zones: 2 done, 1 refused\n');
    expect(stdout.match(/^ *blocker: .* \(STANDING_RULE_DIFFERS\)/gm)).toHaveLength(1);
    const rest = await cli.run([...FINISH, '--source', 'config', '--confirm', hashOf([0, 1, 2])]);
    expect([rest.code, puts().length]).toEqual([0, 3]);
  });

  it('for settings that cannot be saved, with their remedy also as JSON and in the ledger', async () => {
    const path = '*/firewall/waf/packages';
    cli.emulator().setFaults([{ kind: 'status', status: 403, code: 10000, path }]);
    const { code, stdout } = await cli.run(FINISH);
    expect([code, puts()]).toEqual([1, []]);
    expect(stdout.match(/\(OLD_SETTINGS_UNREAD\)\n +\w+ and 2 more\n/g)).toHaveLength(1);
    expect(stdout).toContain('→ set CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY');
    const findings = [expect.objectContaining({ code: 'OLD_SETTINGS_UNREAD' })];
    const { document } = await cli.json(FINISH);
    expect(document.refused[0].error).toMatchObject({ code: 'MIGRATION_BLOCKED', findings });
    const shown = await cli.json('fleet status');
    expect(shown.document.refused[0].error).toMatchObject({ findings });
  });

  it('and shows once what is found only when the settings of all zones are read', async () => {
    const path = '*/firewall/waf/packages/*';
    cli.emulator().setFaults([{ kind: 'status', status: 403, code: 10000, path }]);
    const { code, stdout } = await cli.run([...FINISH, '--confirm', hashOf([0, 1, 2])]);
    expect([code, puts()]).toEqual([1, []]);
    expect(stdout.match(/^failed /gm)).toHaveLength(3);
    expect(stdout.match(/\(OLD_SETTINGS_UNREAD\)\n +\S+ and 2 more\n/g)).toHaveLength(1);
    expect(stdout).toContain('→ set CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY');
  });

  it('names the permission where the call itself is refused, which has not arrived', async () => {
    refuseWrite(cli.emulator(), 1);
    const { stdout } = await cli.run([...FINISH, '--confirm', hashOf([0, 1, 2])]);
    expect(stdout).toMatch(
      /^failed .*\(API_UNAUTHORIZED\)\n {2}hint: check the credentials, and their permission Zone WAF Edit /m,
    );
    expect(stdout).not.toContain('the call may have arrived');
  });
});

describe('finish for zones that have migrated', () => {
  const cli = cliWithEmulator(fleetScenario({ count: 4, moved: (number) => number < 3 }));

  it('waits between no waves for them, and says that they were migrated before', async () => {
    const args = ['--wave', '1', '--confirm', hashOf([0, 1, 2, 3])];
    const { code, stdout, stderr } = await cli.run([...FINISH, ...args]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('the wave is done')]);
    expect(stdout.match(/: was migrated before: ruleset /g)).toHaveLength(3);
    expect(stdout.match(/: migrated: ruleset /g)).toHaveLength(1);
  });

  it.each([
    ['where no project is leads to generate with one', {}, ' --project waf'],
    ['in a CDKTF project leads to generate there', { 'cdktf.json': '{}' }, ''],
  ])('%s', async (_, files, flags) => {
    cli.write(files);
    const { stdout } = await cli.run(`finish --zone ${zoneId(0)} --confirm ${zoneName(0)}`);
    expect(nextCommands(stdout)).toEqual([`cf-waf-migrate generate --zone ${zoneId(0)}${flags}`]);
  });
});

describe('finish for a list whose zones another process changed', () => {
  const cli = cliWithEmulator(fleetScenario({ count: 1, moved: () => false }));

  it('says below the zones what differs and what to do', async () => {
    const confirmed = [...FINISH, '--confirm', hashOf([0])];
    expect((await cli.run(confirmed)).code).toBe(0);
    const { baseUrl, credentials } = cli.emulator();
    const path = `/zones/${zoneId(0)}/rulesets/phases/http_request_firewall_managed/entrypoint`;
    const headers = { authorization: `Bearer ${credentials.token}` };
    await fetch(baseUrl + path, { method: 'PUT', headers, body: '{"rules":[]}' });
    const { code, stdout } = await cli.run(confirmed);
    expect([code, stdout]).toEqual([2, expect.stringContaining('differs from what was sent')]);
    expect(stdout).toMatch(/^decision: .* \(ENTRY_POINT_DIFFERS\)$/m);
    expect(stdout).toMatch(/\n +→ generate the stack from the live entry point/);
  });
});

describe('finish for a zone that migrated to no WAF', () => {
  const scenario: any = fleetScenario({ count: 2, moved: () => true });
  const [zone, other] = scenario.zones;
  const [entryPoint] = other.rulesets;

  it.each([
    ['without an entry point', [], 'failed .*has no entry point ruleset'],
    ['with an empty one', [{ ...entryPoint, rules: [] }], 'attention .*ZONE_UNPROTECTED'],
  ])('%s does not lead to itself, and fleet status counts it', async (_, rulesets, line) => {
    const lab = await CliLab.of({ ...scenario, zones: [zone, { ...other, rulesets }] });
    const { stdout } = await lab.cli(FINISH);
    const shown = await lab.cli(['fleet', 'status']);
    await lab.emulator.stop();
    expect(stdout).toMatch(new RegExp(`^${line}`, 'm'));
    expect(shown.stdout).toContain(`\nwithout a WAF: ${zoneName(1)} (ZONE_UNPROTECTED)\n`);
    expect(nextCommands(stdout)).toEqual([
      `cf-waf-migrate generate --account ${OURS} --project waf`,
    ]);
  });
});

describe('finish for two waves', () => {
  const cli = cliWithEmulator(fleetScenario({ count: 2, moved: () => false }));

  it('says between them that it can be stopped there', async () => {
    const { code, stderr } = await cli.run([...FINISH, '--wave', '1', '--confirm', two]);
    expect(code).toBe(0);
    expect(stderr.match(/Ctrl-C stops here; run the same command again/g)).toHaveLength(1);
  });

  it('says how to run the other zones after a zone that fails again', async () => {
    refuseWrite(cli.emulator(), 0);
    const { code, stdout } = await cli.run([...FINISH, '--wave', '1', '--confirm', two]);
    const how = 'If the same zone fails again, remove it from the list of --zones';
    expect([code, stdout]).toEqual([1, expect.stringContaining(`\n${how}`)]);
  });
});

describe('finish for many zones refuses', () => {
  const cli = cliWithEmulator(fleetScenario({ count: 2, moved: () => false }));

  it.each([
    ['a wave of nothing', ['--wave', '0'], 64],
    ['a pause that is none', ['--pause', 'long'], 64],
    ['a canary that is no zone of the list', ['--canary', 'other.example.com'], 64],
    ['a configuration, which is that of one zone', ['--config', 'config.json'], 64],
    ['a stack, which is that of one zone', ['--stack', 'main.tf'], 64],
  ])('%s', async (_, options, code) => {
    const ran = await cli.run([...FINISH, '--confirm', two, ...options, '--json']);
    expect([ran.code, errorOf(ran).code]).toEqual([code, 'USAGE']);
    // also before the confirmation
    const asked = await cli.run([...FINISH, ...options, '--json']);
    expect([asked.code, errorOf(asked).code]).toEqual([code, 'USAGE']);
  });
});

describe('finish that is stopped while the call is under way', () => {
  const MANY = ['finish', '--account', OURS, '--pause', '0', '--confirm', two];
  const ONE = ['finish', '--zone', zoneId(0), '--confirm', zoneName(0)];
  const MAY = 'the call may have arrived; run the same command again';

  let emulator: Emulator;
  let cwd: string;
  beforeEach(async () => {
    cwd = temporaryFolder();
    emulator = await startEmulator({ scenario: fleetScenario({ count: 2, moved: () => false }) });
    emulator.setFaults([{ kind: 'slow', milliseconds: 3_000, method: 'PUT' }]);
  });
  afterEach(() => emulator.stop());
  const cli = (line: string | string[]): Promise<CliRun> => new CliLab(emulator, cwd).cli(line);

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
    expect(said).toContain(
      'stopped; `fleet status` shows what is done; to resume, run the same command again:',
    );
    expect(readdirSync(join(cwd, 'cf-waf-migrate-fleet'))).toEqual(['.gitignore', 'ledger.jsonl']);
    const shown = await cli('fleet status');
    expect(shown.code).toBe(2);
    expect(shown.stdout).toMatch(
      /^zone-0\.example\.com: finish unknown: interrupted, .* again to find out$/m,
    );
    expect(shown.stdout).not.toContain('waiting');
  });

  it.each(['', '--json', '--quiet'])(
    'prints the command that resumes, ready to copy: %s',
    async (output) => {
      const ledger = ['--ledger', 'our ledger.jsonl', '--yes'];
      const { said } = await stopped(
        [...MANY, ...ledger, ...(output === '' ? [] : [output])],
        'SIGINT',
        2,
      );
      const line = [...MANY, '--ledger', "'our ledger.jsonl'", '--yes'].join(' ');
      expect(said.join('\n').replaceAll('\\n', '\n')).toContain(`\n  cf-waf-migrate ${line}`);
    },
  );

  it.each([
    ['finish', 'stopped; nothing was sent; to resume, run the same command again:'],
    ['status', 'stopped; to resume, run the same command again:'],
  ])('says so of %s too while it only reads', async (command, line) => {
    emulator.setFaults([{ kind: 'slow', milliseconds: 3_000, path: `/zones/${zoneId(1)}/*` }]);
    const args = [command, '--account', OURS];
    const child = startCli(args, { cwd, environment: environmentOf(emulator) });
    const ended = untilEnd(child);
    const isRead = (): boolean => emulator.requests().some(({ path }) => path.includes(zoneId(1)));
    while (!isRead()) await sleep(5);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([
      130,
      expect.stringContaining(`${line}\n  cf-waf-migrate ${args.join(' ')}`),
    ]);
  });

  it('by SIGKILL leaves that in the ledger, and can be resumed', async () => {
    await stopped(MANY, 'SIGKILL', 2);
    const { zones } = jsonOf(await cli('fleet status --json'));
    const outcomes = zones.map(({ stages }: any) => stages.finish.outcome);
    expect(outcomes).toEqual(['unknown', 'unknown']);
    emulator.setFaults([]);
    expect((await cli(MANY)).code).toBe(0);
    const ledger = readFileSync(join(cwd, 'cf-waf-migrate-fleet/ledger.jsonl'), 'utf8');
    expect(ledger.trim().split('\n').at(-1)).toContain('"event":"end"');
    expect((await cli('fleet status')).code).toBe(0);
    const [one, two] = [await cli('fleet status --json'), await cli('fleet status --format json')];
    expect(two.stdout).toBe(one.stdout);
  });
});
