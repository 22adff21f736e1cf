import { nextCommands } from '../support/next-commands';
import { readdirSync } from 'node:fs';
import { cliWithEmulator, environmentOf, errorOf } from '../support/cli-lab';
import { ENTERPRISE, MIGRATED, UNKNOWN } from '../support/zones';
import { html, json, ok, refusal, startFaultServer, type Play } from '../support/fault-server';
import { runCli, type CliRun } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';

describe('service', () => {
  const cli = cliWithEmulator();
  const check = ['check', '--zone', ENTERPRISE];
  /** The environment of the emulator without its token. */
  const withoutToken = (): Record<string, string> => ({
    CLOUDFLARE_BASE_URL: cli.emulator().baseUrl,
  });
  const keyPair = (): Record<string, string> => {
    const { email, key } = cli.emulator().credentials;
    return { CLOUDFLARE_EMAIL: email, CLOUDFLARE_API_KEY: key };
  };

  describe('credentials', () => {
    it('may be a token, or an e-mail address with its key', async () => {
      expect((await cli.run(check)).code).toBe(0);
      const environment = { ...withoutToken(), ...keyPair() };
      expect((await runCli(check, { environment })).code).toBe(0);
    });

    it('may be in a file, with or without a line end, in the folder of the command', async () => {
      const { token } = cli.emulator().credentials;
      for (const text of [token, `${token}\n`, `\ufeff${token}\r\n`]) {
        cli.write({ token: text });
        const args = [...check, '--token-file', 'token'];
        const ran = await cli.offline(args, { environment: withoutToken() });
        expect([ran.code, ran.stderr]).toEqual([0, '']);
        expect(nextCommands(ran.stdout)).toEqual([
          expect.stringMatching(/^cf-waf-migrate report .* --token-file token$/),
        ]);
      }
    });

    it('in a file win over the environment', async () => {
      cli.write({ token: 'not-the-token-of-this-service-000000' });
      const ran = await cli.run([...check, '--token-file', 'token', '--json']);
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'API_UNAUTHORIZED']);
    });

    it('of both schemes: says which is used where, but not with --quiet or --json', async () => {
      const environment = keyPair();
      const { code, stderr } = await cli.run(check, { environment });
      expect(code).toBe(0);
      expect(stderr).toBe(
        'both an API token and an API key are set: the key is used only for the legacy API\n',
      );
      expect((await cli.run([...check, '--quiet'], { environment })).stderr).toBe('');
      expect((await cli.run([...check, '--json'], { environment })).stderr).toBe('');
    });

    it.each([
      ['none', {}, 'CREDENTIALS_MISSING'],
      ['empty ones', { CLOUDFLARE_API_TOKEN: '' }, 'CREDENTIALS_MISSING'],
      ['half a pair', { CLOUDFLARE_EMAIL: 'a@example.com' }, 'CREDENTIALS_MISSING'],
      ['a token with a line end', { CLOUDFLARE_API_TOKEN: 'abc\ndef' }, 'API_UNAUTHORIZED'],
      ['a wrong token', { CLOUDFLARE_API_TOKEN: 'wrong-token-0123456789' }, 'API_UNAUTHORIZED'],
      [
        'a wrong key',
        { CLOUDFLARE_EMAIL: 'a@example.com', CLOUDFLARE_API_KEY: 'c'.repeat(37) },
        'API_UNAUTHORIZED',
      ],
    ])('%s: exit 1, code and hint, and not one secret', async (_, environment, expected) => {
      for (const flags of [[], ['--json'], ['--verbose']]) {
        const ran = await runCli([...check, ...flags], {
          environment: { ...withoutToken(), ...environment },
        });
        expect([ran.code, ran.stdout]).toEqual([1, '']);
        expect(ran.stderr).toContain(expected);
        expect(ran.stderr).toContain('hint');
        for (const secret of Object.values(environment)) {
          if (secret !== '' && !secret.includes('@')) expect(ran.stderr).not.toContain(secret);
        }
      }
    });

    it.each([
      ['there is no such file', undefined, 'FILE_UNREADABLE'],
      ['it is empty', ' \n', 'CREDENTIALS_MISSING'],
      ['it holds two lines', 'one\ntwo\n', 'API_UNAUTHORIZED'],
    ])('in a file: fails when %s', async (_, text, expected) => {
      if (text !== undefined) cli.write({ token: text });
      const ran = await cli.run([...check, '--token-file', 'token', '--json']);
      expect([ran.code, errorOf(ran).code]).toEqual([1, expected]);
    });
  });

  describe('a zone', () => {
    const commands = ['check', 'status', 'fetch-config', 'generate'];

    it.each(commands)('that is unknown: %s fails with what the service says', async (name) => {
      const ran = await cli.run([name, '--zone', UNKNOWN, '--json']);
      expect(ran.code).toBe(1);
      const error = errorOf(ran);
      expect(error.code).toMatch(/^API_(UNAUTHORIZED|NOT_FOUND)$/);
      expect(error.message).toContain(UNKNOWN);
      expect(error.causes).toEqual([]);
    });

    it.each(commands)('whose id is none: %s asks nothing of the service', async (name) => {
      const ran = await cli.run([name, '--zone', 'A'.repeat(31), '--json']);
      expect([ran.code, errorOf(ran).code]).toEqual([64, 'ID_INVALID']);
      expect(cli.emulator().requests()).toEqual([]);
    });
  });

  it('the address of the service by flag wins over the environment, and an empty variable is none', async () => {
    const { baseUrl, credentials } = cli.emulator();
    const environment = { CLOUDFLARE_API_TOKEN: credentials.token };
    const args = [...check, '--base-url', baseUrl];
    const elsewhere = { ...environment, CLOUDFLARE_BASE_URL: 'http://127.0.0.1:1/' };
    expect((await runCli(args, { environment: elsewhere })).code).toBe(0);
    const empty = await runCli([...check, '--base-url', ''], { environment });
    expect(empty.code).toBe(64);
  });

  describe('--verbose', () => {
    it('shows each request with method, path, status, Ray ID and milliseconds, and no secret', async () => {
      const environment = keyPair();
      const ran = await cli.run(`status --zone ${MIGRATED} --verbose`, { environment });
      expect(ran.code).toBe(0);
      const requests = ran.stderr.split('\n').filter((line) => line.startsWith('GET '));
      expect(requests.length).toBeGreaterThanOrEqual(3);
      for (const line of requests) {
        expect(line).toMatch(/^GET \/zones\/[0-9a-f]{32}\S* 200 ray [0-9a-f]{16}-[A-Z]{3} \d+ ms$/);
      }
      const { token, key } = cli.emulator().credentials;
      for (const secret of [token, key]) expect(ran.stderr).not.toContain(secret);
    });

    it('with --json leaves standard output to the document', async () => {
      const ran = await cli.json(`status --zone ${MIGRATED} --verbose`);
      expect(ran.document.zones[0].newWaf).toBe('on');
      expect(ran.stderr).toContain('GET /zones/');
    });

    it('is not the default: a command that works says nothing on standard error', async () => {
      expect((await cli.run(`status --zone ${MIGRATED}`)).stderr).toBe('');
      expect(environmentOf(cli.emulator())['CLOUDFLARE_API_TOKEN']).not.toBe('');
    });
  });
});

describe('bad answers', () => {
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

  const zone = ok({ id: ENTERPRISE, name: 'shop.example.com', plan: { legacy_id: 'pro' } });

  it.each<[what: string, play: Play, code: string]>([
    ['is HTML', html(200), 'API_RESPONSE_INVALID'],
    ['is no envelope', json({ hello: 1 }), 'API_RESPONSE_INVALID'],
    ['is a refusal', refusal(400, [{ code: 1000, message: 'No.' }]), 'API_REFUSED'],
    ['is a missing page', refusal(404, [{ code: 7003, message: 'no route' }]), 'API_NOT_FOUND'],
  ])('fails when the answer %s, and writes nothing', async (_, play, code) => {
    const ran = await against([play], ['generate', '--json']);
    expect([ran.code, errorOf(ran).code]).toEqual([1, code]);
    expect(errorOf(ran).hint).not.toBe('');
    expect(ran.stderr).not.toContain('    at ');
  });

  it.each([
    ['check', [ok({ compatible: 'yes' })]],
    ['check', [ok(null)]],
    ['check', [ok([])]],
    ['generate', [ok({ id: 'f'.repeat(32), name: 'x', plan: {} })]],
    ['generate', [zone, ok({ old_waf_status: 'enabled' }), ok({ rules: 'none' })]],
    ['generate', [zone, ok({ old_waf_status: 'enabled' }), ok({ name: 'default', rules: [] })]],
  ])('an answer of another shape %s: is an error, not half a result', async (command, plays) => {
    const ran = await against(plays, [command, '--json']);
    expect(ran.code).toBe(1);
    expect(errorOf(ran).code).toMatch(/^(API_RESPONSE_INVALID|RULESET_INVALID|RULESET_EMPTY)$/);
  });

  it('says of a write whose answer cannot be read to check whether the API made the change', async () => {
    const args = [
      ...'firewall filters create --expression'.split(' '),
      'ip.src eq 192.0.2.1',
      '--yes',
      '--json',
    ];
    const ran = await against([ok(null)], args);
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'API_RESPONSE_INVALID']);
    expect(errorOf(ran).hint).toMatch(/check whether the API made the change/);
  });

  it('says that it tries again, on standard error, with the time', async () => {
    const busy = refusal(429, [{ code: 971, message: 'slow down' }], { 'retry-after': '1' });
    const good = ok({ name: 'default', rules: [] });
    const { code, stdout, stderr } = await against([busy, good], ['fetch-config']);
    expect(stderr).toBe('the Cloudflare API answered 429: trying again in 1 s\n');
    expect(JSON.parse(stdout).result.name).toBe('default');
    expect(code).toBe(0);
  });

  it('shows no control character of an answer to a terminal', async () => {
    const evil = refusal(400, [{ code: 1, message: 'evil \u001b[2J\u009b\u202e\n\nGET /secret' }]);
    const { stderr } = await against([evil], ['check', '--verbose']);
    expect(stderr).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(stderr).not.toMatch(/^GET \/secret/m);
  });
});
