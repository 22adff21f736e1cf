import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finish, type FinishPorts, type FinishResult } from '../../src/zone/finish';
import { type Client } from '../../src/cloudflare/client';
import { readZone } from '../../src/cloudflare/zones';
import { clientUnderTest } from '../support/client-under-test';
import { CliLab, errorOf, jsonOf } from '../support/cli-lab';
import { ENTERPRISE, FINISH } from '../support/zones';

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

async function run(lab: CliLab, wrap: (client: Client) => Client = (one) => one) {
  const { baseUrl, credentials } = lab.emulator;
  const { client } = clientUnderTest(baseUrl, { credentials });
  let time = 0;
  const ports: FinishPorts = {
    client: wrap(client),
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
  try {
    const zone = await readZone(ports.client, ENTERPRISE);
    return await finish(ports, zone, { source: 'auto', accept: [] });
  } finally {
    await client.close();
  }
}

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
        expect(readdirSync(folder)).toHaveLength(1);
        const [file = ''] = readdirSync(folder);
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
  const put = { method: 'PUT', path: '*/entrypoint', times: 1 } as const;
  let lab: CliLab;
  beforeEach(async () => {
    lab = await CliLab.of('enterprise');
  });
  afterEach(() => lab.emulator.stop());

  test.each([
    ['without an answer', { ...put, kind: 'drop', when: 'after' } as const],
    ['with a server error', { ...put, kind: 'status', status: 502, when: 'after' } as const],
    [
      'with a page of HTML',
      { ...put, kind: 'status', html: true, status: 504, when: 'after' } as const,
    ],
    ['with half an answer', { ...put, kind: 'truncate' } as const],
    ['with "success: false"', { ...put, kind: 'status', status: 200, when: 'after' } as const],
  ])('%s that has arrived is not sent again', async (_what, fault) => {
    lab.emulator.setFaults([fault]);
    const done = await lab.cli(FINISH);
    expect(done.code).toBe(0);
    expect(jsonOf(done)).toMatchObject({ moved: true, migrationState: 'complete' });
    expect(lab.puts()).toHaveLength(1);
  });

  test.each([
    ['without an answer', { ...put, kind: 'drop' } as const, 'API_UNREACHABLE'],
    ['with a server error', { ...put, kind: 'status', status: 503 } as const, 'API_UNAVAILABLE'],
    ['for too many requests', { ...put, kind: 'status', status: 429 } as const, 'API_RATE_LIMITED'],
    ['with a refusal', { ...put, kind: 'status', status: 400, code: 1 } as const, 'API_REFUSED'],
  ])('%s that has not arrived fails, and can be made again', async (_what, fault, code) => {
    lab.emulator.setFaults([fault]);
    const failed = await lab.cli(FINISH);
    expect([failed.code, errorOf(failed).code]).toEqual([1, code]);
    expect((await lab.status()).migrationState).toBe('start');
    expect((await lab.cli(FINISH)).code).toBe(0);
    expect((await lab.status()).migrationState).toBe('complete');
  });

  test('that was refused for the rate says how long to wait, and leaves nothing open', async () => {
    lab.emulator.setFaults([{ ...put, kind: 'status', status: 429, retryAfter: 7 }]);
    const { hint } = errorOf(await lab.cli(FINISH));
    expect(hint).toBe('wait 7 seconds, then run the command again');
  });

  test.each([
    [
      'with a server error',
      { kind: 'status', html: true, status: 500 } as const,
      'API_UNAVAILABLE',
    ],
    ['with a refusal', { kind: 'status', status: 403, code: 10000 } as const, 'API_UNAUTHORIZED'],
  ])(
    'has been sent, says the error, where what follows is answered %s',
    async (_what, fault, code) => {
      lab.emulator.setFaults([{ ...fault, method: 'GET', path: '*/status', after: 1 }]);
      const failed = await lab.cli(FINISH);
      expect([failed.code, errorOf(failed).code]).toEqual([1, code]);
      expect(errorOf(failed).hint).toMatch(/^the irreversible call has arrived; run the same/);
      lab.emulator.setFaults([]);
      expect((await lab.cli(FINISH)).code).toBe(0);
      expect(lab.puts()).toHaveLength(1);
    },
  );

  test('that nobody can be asked about leaves the failure, and the next run finds out', async () => {
    const status = {
      method: 'GET',
      path: '*/status',
      kind: 'status',
      status: 403,
      code: 10000,
    } as const;
    lab.emulator.setFaults([
      { ...put, kind: 'drop', when: 'after' },
      { ...status, after: 1 },
    ]);
    const failed = await lab.cli(FINISH);
    expect([failed.code, errorOf(failed).code]).toEqual([1, 'API_UNREACHABLE']);
    expect(errorOf(failed).hint).toContain('reads the state of the zone');
    lab.emulator.setFaults([]);
    expect((await lab.cli(FINISH)).code).toBe(0);
    expect(lab.puts()).toHaveLength(1);
  });
});
