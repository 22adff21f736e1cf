import { readdirSync } from 'node:fs';
import {
  body,
  cutShort,
  dropped,
  html,
  json,
  ok,
  type Play,
  refusal,
  startFaultServer,
} from '../support/fault-server';
import { type CliRun, runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { ENTERPRISE, errorOf } from './support/cli-with-emulator';

/** Runs a command against a server that plays, in a folder that has to stay empty. */
async function against(plays: Play[], args: string[]): Promise<CliRun> {
  const server = await startFaultServer(...plays);
  const cwd = temporaryFolder();
  try {
    const environment = {
      CLOUDFLARE_BASE_URL: server.baseUrl,
      CLOUDFLARE_API_TOKEN: 'some-token-1234567890',
    };
    return await runCli([...args, '--zone', ENTERPRISE], { cwd, environment });
  } finally {
    await server.close();
    expect(readdirSync(cwd)).toEqual([]);
  }
}

const commands = [['check'], ['status'], ['fetch-config', '--out', 'c.json'], ['generate']];
const zone = ok({ id: ENTERPRISE, name: 'shop.example.com', plan: { legacy_id: 'pro' } });

describe.each(commands)('%s', (...command) => {
  it.each<[what: string, play: Play, code: string]>([
    ['is no JSON', body('hello'), 'API_RESPONSE_INVALID'],
    ['is empty', body(''), 'API_RESPONSE_INVALID'],
    ['is HTML', html(200), 'API_RESPONSE_INVALID'],
    ['is no envelope', json({ hello: 1 }), 'API_RESPONSE_INVALID'],
    ['is a truncated envelope', body('{"success":true,"result":{"compa'), 'API_RESPONSE_INVALID'],
    ['is a refusal', refusal(400, [{ code: 1000, message: 'No.' }]), 'API_REFUSED'],
    ['is a missing page', refusal(404, [{ code: 7003, message: 'no route' }]), 'API_NOT_FOUND'],
    [
      'leads elsewhere',
      body('', { status: 302, headers: { location: 'http://a.b' } }),
      'API_RESPONSE_INVALID',
    ],
  ])('fails when the answer %s, and writes nothing', async (_, play, code) => {
    const ran = await against([play], [...command, '--json']);
    expect([ran.code, errorOf(ran).code]).toEqual([1, code]);
    expect(errorOf(ran).hint).not.toBe('');
    expect(ran.stderr).not.toContain('    at ');
  });
});

describe('an answer that is cut off', () => {
  it.each([
    ['before it begins', dropped],
    ['in the middle', cutShort('{"success":true,"result":{"compatible":')],
  ])(
    '%s: is asked for again, and then an error',
    async (_, play) => {
      const ran = await against([play], ['check', '--json']);
      expect(ran.code).toBe(1);
      expect(errorOf(ran).code).toMatch(/^API_(UNREACHABLE|RESPONSE_INVALID)$/);
    },
    60_000,
  );
});

describe('an answer of another shape', () => {
  it.each([
    ['check', [ok({ compatible: 'yes' })]],
    ['check', [ok(null)]],
    ['check', [ok([])]],
    ['generate', [ok({ id: 'f'.repeat(32), name: 'x', plan: {} })]],
    ['generate', [zone, ok({ old_waf_status: 'enabled' }), ok({ rules: 'none' })]],
    ['generate', [zone, ok({ old_waf_status: 'enabled' }), ok({ name: 'default', rules: [] })]],
  ])('%s: is an error, not half a result', async (command, plays) => {
    const ran = await against(plays, [command, '--json']);
    expect(ran.code).toBe(1);
    expect(errorOf(ran).code).toMatch(/^(API_RESPONSE_INVALID|RULESET_INVALID|RULESET_EMPTY)$/);
  });
});

it('says of a write whose answer cannot be read that the API may have done it', async () => {
  const args = [
    'firewall',
    'filters',
    'create',
    '--expression',
    'ip.src eq 192.0.2.1',
    '--yes',
    '--json',
  ];
  const ran = await against([ok(null)], args);
  expect([ran.code, errorOf(ran).code]).toEqual([1, 'API_RESPONSE_INVALID']);
  expect(errorOf(ran).hint).toMatch(/may have done it/);
});

it('says that it tries again, on standard error, with the time', async () => {
  const busy = refusal(429, [{ code: 971, message: 'slow down' }], { 'retry-after': '1' });
  const good = ok({ name: 'default', rules: [] });
  const { code, stdout, stderr } = await against([busy, good], ['fetch-config']);
  expect(stderr).toBe('the service answered 429: trying again in 1 s\n');
  expect(JSON.parse(stdout).result.name).toBe('default');
  expect(code).toBe(0);
});

it('shows no control character of an answer to a terminal', async () => {
  const evil = refusal(400, [{ code: 1, message: 'evil \u001b[2J\u009b\u202e\n\nGET /secret' }]);
  const { stderr } = await against([evil], ['check', '--verbose']);
  expect(stderr).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(stderr).not.toMatch(/^GET \/secret/m);
});
