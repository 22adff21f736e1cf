import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finish, type FinishPorts, type FinishResult } from '../../src/zone/finish';
import { type Client } from '../../src/cloudflare/client';
import { readZone } from '../../src/cloudflare/zones';
import { startValidation } from '../../src/zone/start-validation';
import { type Change, clientUnderTest, failureOf, told } from '../support/client-under-test';
import { CliLab, errorOf, jsonOf } from '../support/cli-lab';
import { ENTERPRISE, FINISH, MANAGED, OWASP, deploy, entryPoint, oneZone } from '../support/zones';

type When = 'before it is sent' | 'after it was answered';

/** A client whose process dies at the nth request: from then on nothing gets through. */
function dying(client: Client, last: number, when: When): Client {
  let count = 0;
  return {
    ...client,
    request: async (...request) => {
      count += 1;
      const killed = new Error('killed');
      if (count > last || (count === last && when === 'before it is sent')) throw killed;
      const answer = await client.request(...request);
      if (count >= last) throw killed;
      return answer;
    },
  };
}

type Use<Result> = (client: Client) => Promise<Result>;

async function withClientOf<Result>({ emulator }: CliLab, use: Use<Result>): Promise<Result> {
  const { baseUrl, credentials } = emulator;
  const { client } = clientUnderTest(baseUrl, { credentials });
  return use(client).finally(() => client.close());
}

/** Runs `finish` with its own clock. */
const run = (lab: CliLab, wrap: (client: Client) => Client = (one) => one) =>
  withClientOf(lab, async (plain) => {
    const client = wrap(plain);
    let time = 0;
    const ports: FinishPorts = {
      client,
      backups: join(lab.cwd, 'backup'),
      seconds: 100,
      say: () => undefined,
      now: () => time,
      sleep: (milliseconds) => {
        time += milliseconds;
        return Promise.resolve();
      },
      confirm: () => Promise.resolve(false),
    };
    return finish(ports, await readZone(client, ENTERPRISE), { source: 'auto', accept: [] });
  });

const slow = {
  name: 'slow',
  include: ['enterprise'],
  settings: { switchDelay: { statusReads: 2 } },
};

async function requestsOfAWholeRun(): Promise<number> {
  const lab = await CliLab.of(slow);
  await run(lab);
  await lab.emulator.stop();
  return lab.emulator.requests().length;
}

describe.each<When>(['before it is sent', 'after it was answered'])(
  'killed at a request, %s',
  (when) => {
    test('whichever it is, the next run ends it, and the irreversible call arrives once', async () => {
      const total = await requestsOfAWholeRun();
      expect(total).toBeGreaterThan(15);
      let diedBeforeTheCall = 0;
      for (let last = 1; last <= total; last += 1) {
        const lab = await CliLab.of(slow);
        await expect(run(lab, (client) => dying(client, last, when))).rejects.toThrow('killed');
        if (lab.puts().length === 0) diedBeforeTheCall += 1;
        const result: FinishResult = await run(lab);
        expect(result).toMatchObject({ moved: true, migrationState: 'complete' });
        expect(result.ruleset?.id).toMatch(/^[0-9a-f]{32}$/);
        expect(result.findings).toEqual([]);
        expect(lab.puts()).toHaveLength(1);
        expect(await lab.status()).toMatchObject({ oldWaf: 'off', newWaf: 'on' });
        const folder = join(lab.cwd, 'backup');
        const [file = '', ...others] = readdirSync(folder).filter((one) => one !== '.gitignore');
        expect(others).toEqual([]);
        const saved = JSON.parse(readFileSync(join(folder, file), 'utf8'));
        expect(saved.oldWaf.flatMap(({ rules }: any) => rules).length).toBeGreaterThan(10);
        await lab.emulator.stop();
      }
      expect(diedBeforeTheCall).toBeGreaterThan(5);
      expect(diedBeforeTheCall).toBeLessThan(total);
    });
  },
);

describe('the irreversible call', () => {
  const put = { method: 'PUT', path: '*/entrypoint', times: 1 };
  const status = (code: number) => ({ kind: 'status', status: code });
  let lab: CliLab;
  beforeEach(async () => {
    lab = await CliLab.of('enterprise');
  });
  afterEach(() => lab.emulator.stop());
  const fail = (...faults: any[]): void => {
    lab.emulator.setFaults(faults);
  };

  test.each<[string, object]>([
    ['without an answer', { kind: 'drop', when: 'after' }],
    ['with a server error', { ...status(502), when: 'after' }],
    ['with a page of HTML', { ...status(504), html: true, when: 'after' }],
    ['with half an answer', { kind: 'truncate' }],
    ['with "success: false"', { ...status(200), when: 'after' }],
  ])('%s that has arrived is not sent again', async (_what, fault) => {
    fail({ ...put, ...fault });
    const done = await lab.cli(FINISH);
    expect(done.code).toBe(0);
    expect(jsonOf(done)).toMatchObject({ moved: true, migrationState: 'complete' });
    expect(lab.puts()).toHaveLength(1);
  });

  test.each<[string, object, string]>([
    ['without an answer', { kind: 'drop' }, 'API_UNREACHABLE'],
    ['with a server error', status(503), 'API_UNAVAILABLE'],
    ['for too many requests', { ...status(429), retryAfter: 301 }, 'API_RATE_LIMITED'],
    ['with a refusal', { ...status(400), code: 1 }, 'API_REFUSED'],
  ])('%s that has not arrived fails, and can be made again', async (_what, fault, code) => {
    fail({ ...put, ...fault });
    const failed = await lab.cli(FINISH);
    expect([failed.code, errorOf(failed).code]).toEqual([1, code]);
    expect((await lab.status()).migrationState).toBe('start');
    expect((await lab.cli(FINISH)).code).toBe(0);
    expect((await lab.status()).migrationState).toBe('complete');
  });

  test('that was refused for the rate says how long to wait, and leaves nothing open', async () => {
    fail({ ...put, ...status(429), retryAfter: 301 });
    const { hint } = errorOf(await lab.cli(FINISH));
    expect(hint).toBe('wait 301 seconds, then run the command again');
  });

  test('that was refused for the rate is sent again after the wait', async () => {
    fail({ ...put, ...status(429), retryAfter: 1 });
    const done = await lab.cli(FINISH);
    expect([done.code, jsonOf(done).moved]).toEqual([0, true]);
    expect(lab.puts()).toHaveLength(2);
  });

  test.each<[string, object, string]>([
    ['with a server error', { ...status(500), html: true }, 'API_UNAVAILABLE'],
    ['with a refusal', { ...status(403), code: 10000 }, 'API_UNAUTHORIZED'],
  ])(
    'has been sent, says the error, where what follows is answered %s',
    async (_what, fault, code) => {
      fail({ ...fault, method: 'GET', path: '*/status', after: 1 });
      const failed = await lab.cli(FINISH);
      expect([failed.code, errorOf(failed).code]).toEqual([1, code]);
      expect(errorOf(failed).hint).toMatch(/^the irreversible call has arrived; run the same/);
      fail();
      expect((await lab.cli(FINISH)).code).toBe(0);
      expect(lab.puts()).toHaveLength(1);
    },
  );

  test('whose result cannot be read stays a failure, and the next run detects the result', async () => {
    fail(
      { ...put, kind: 'drop', when: 'after' },
      { ...status(403), code: 10000, method: 'GET', path: '*/status', after: 1 },
    );
    const failed = await lab.cli(FINISH);
    expect([failed.code, errorOf(failed).code]).toEqual([1, 'API_UNREACHABLE']);
    expect(errorOf(failed).hint).toContain('reads the state of the zone');
    fail();
    expect((await lab.cli(FINISH)).code).toBe(0);
    expect(lab.puts()).toHaveLength(1);
  });
});

describe('an odd answer', () => {
  let lab: CliLab;
  beforeEach(async () => {
    lab = await CliLab.of('enterprise');
  });
  afterEach(() => lab.emulator.stop());
  const changed = (method: string, end: string, change: Change) =>
    run(lab, (client) => told(client, method, end, change));
  const validated = (end: string, change: Change) =>
    withClientOf(lab, (client) =>
      startValidation(told(client, 'GET', end, change), ENTERPRISE, {
        ...{ source: 'auto', onlyLog: false, confirm: () => Promise.resolve() },
      }),
    );

  test('[S69] in an unknown word as state nothing is sent', async () => {
    const change: Change = (result) => ({ ...result, migration_state: 'paused' });
    const error = await failureOf(changed('GET', '/status', change));
    expect(error.code).toBe('MIGRATION_BLOCKED');
    expect(lab.puts()).toEqual([]);
    expect(await lab.status()).toMatchObject({ migrationState: 'start' });
  });

  test.each([
    ['no state at all', { migration_state: undefined }],
    ['nothing', { migration_state: undefined, old_waf_status: undefined, new_waf_status: 'maybe' }],
  ])('[S69] in %s the state of check counts', async (_what, fields) => {
    const change: Change = (result) => ({ ...result, ...fields });
    expect(await changed('GET', '/status', change)).toMatchObject({ moved: true });
    expect(lab.puts()).toHaveLength(1);
  });

  test('with an invalid ruleset after the call, the error says that the call has arrived', async () => {
    const end = '/phases/http_request_firewall_managed/entrypoint';
    const error = await failureOf(
      changed('GET', end, (result) => ({ ...result, name: undefined })),
    );
    expect([error.code, lab.puts().length]).toEqual(['RULESET_INVALID', 1]);
    expect(error.hint).toMatch(/^the irreversible call has arrived; run the same/);
  });

  test('nothing is sent if check has an unknown word too', async () => {
    const silent: Change = (result) => ({ ...result, migration_state: undefined });
    const odd: Change = (result) => ({ ...result, migration_state: 'paused' });
    const wrap = (client: Client) =>
      told(told(client, 'GET', '/status', silent), 'GET', '/check', odd);
    expect((await failureOf(run(lab, wrap))).code).toBe('MIGRATION_BLOCKED');
    expect(lab.puts()).toEqual([]);
  });

  test('[S69] in an unknown state validation mode does not start, and no zone counts as migrated', async () => {
    const paused: Change = (result) => ({ ...result, migration_state: 'paused' });
    const error = await failureOf(validated('/check', paused));
    expect([error.code, error.findings]).toEqual(['MIGRATION_BLOCKED', []]);
    expect(error.message).toMatch(
      /the migration state of zone .* is unknown, so nothing was sent$/,
    );
    expect(lab.puts()).toEqual([]);
  });

  test('a zone that the API does not show is confirmed by its id', async () => {
    const hidden = { status: 404, code: 7003 };
    lab.emulator.setFaults([{ kind: 'status', path: `/zones/${ENTERPRISE}`, ...hidden }]);
    const validate = await lab.cli(`start-validation --zone ${ENTERPRISE} --yes`);
    const done = await lab.cli(
      `finish --zone ${ENTERPRISE} --confirm ${ENTERPRISE} --source config`,
    );
    expect([validate.code, done.code]).toEqual([0, 0]);
  });

  test.each(['2', 2])('validation mode can be left if its state is %j', async (word) => {
    await lab.cli(`start-validation --zone ${ENTERPRISE} --yes`);
    await changed('GET', '/status', (result) =>
      result.migration_state === 'validation' ? { ...result, migration_state: word } : result,
    );
    expect(await lab.status()).toMatchObject({ migrationState: 'complete' });
  });

  test('with both WAFs on and no state, nothing is sent', async () => {
    await lab.cli(`start-validation --zone ${ENTERPRISE} --yes`);
    const silent: Change = (result) => ({ ...result, migration_state: undefined });
    expect((await failureOf(changed('GET', '/status', silent))).code).toBe('MIGRATION_BLOCKED');
    expect(lab.puts()).toHaveLength(1);
  });

  describe('where check has no word for validation mode', () => {
    const change: Change = (result) => ({ ...result, migration_state: 'start' });

    beforeEach(async () => {
      await lab.emulator.stop();
      const rulesets = [entryPoint(deploy(MANAGED))];
      lab = await CliLab.of(oneZone({ migration: { state: 'validation' }, rulesets }));
    });

    test.each([
      ['finish', () => changed('GET', '/check', change)],
      ['start-validation, run again,', () => validated('/check', change)],
    ])('%s does not switch on what was switched off in it', async (_what, command) => {
      const error = await failureOf(command());
      expect(error.findings.map(({ code }) => code)).toContain('STANDING_RULE_DIFFERS');
      expect(lab.puts()).toEqual([]);
    });
  });

  test('where the status stays at the start, validation mode is said to have been asked for', async () => {
    const error = await failureOf(validated('/status', () => ({ migration_state: 'start' })));
    expect([error.code, lab.puts().length]).toEqual(['API_RESPONSE_INVALID', 1]);
    expect(error.hint).toMatch(/^do not send the configuration again/);
  });

  test('a state in another spelling is known', async () => {
    const change: Change = (result) => ({ ...result, migration_state: 'START' });
    await changed('GET', '/status', change).catch(() => undefined);
    expect(lab.puts()).toHaveLength(1);
  });

  test.each([[null], [{}], [[]], ['done'], [undefined]])(
    '[S104] the answer to the last call may be %j: where the zone is, status tells',
    async (result) => {
      const done = await changed('PUT', '/entrypoint', () => result);
      expect(done).toMatchObject({ moved: true, migrationState: 'complete' });
      expect(done.ruleset?.id).toMatch(/^[0-9a-f]{32}$/);
      expect(lab.puts()).toHaveLength(1);
    },
  );

  test.each([
    ['null', null],
    ['no rules', { name: 'default' }],
    ['an empty list', { name: 'default', rules: [] }],
    ['rules of another shape', { name: 'default', rules: [{ action: 1 }] }],
    ['a ruleset of another phase', { name: 'x', phase: 'http_ratelimit', rules: [{}] }],
  ])('a configuration that is %s is never sent', async (_what, config) => {
    const error = await failureOf(changed('GET', '/config', () => config));
    expect(['RULESET_INVALID', 'RULESET_EMPTY']).toContain(error.code);
    expect(lab.puts()).toEqual([]);
  });

  test('an old package that is on and has no successor in the configuration is a blocker', async () => {
    const change: Change = (result) => ({
      ...result,
      rules: result.rules.filter((rule: any) => rule.action_parameters.id !== OWASP),
    });
    const error = await failureOf(changed('GET', '/config', change));
    const blockers = error.findings.filter(({ severity }) => severity === 'blocker');
    expect(blockers).toMatchObject([{ code: 'MANAGED_RULESET_OFF', subject: OWASP }]);
    expect(lab.puts()).toEqual([]);
  });
});
