import { connect } from 'node:net';
import { createFaultPlan } from '../../src/emulator/faults/fault';
import { createMint } from '../../src/emulator/identifiers';
import { loadScenario } from '../../src/emulator/scenario';
import { createRequestLog, createService } from '../../src/emulator/service';
import { exampleCredentials } from '../../src/emulator/world';
import { ENTERPRISE, withEmulator } from './support/with-emulator';

describe('every answer', () => {
  it.each([
    ['a list', 'GET', '/zones', 200],
    ['an unknown path', 'GET', '/nothing/here', 404],
    ['a zone id that is none', 'GET', '/zones/shop.example.com/waf_migration/check', 404],
    ['an unknown zone', 'GET', `/zones/${'9'.repeat(32)}`, 403],
    ['a method that is not available', 'PATCH', `/zones/${ENTERPRISE}/waf_migration/check`, 405],
    ['an account', 'GET', `/accounts/${ENTERPRISE}/rulesets/${ENTERPRISE}`, 403],
    ['a rule of an account', 'PATCH', `/accounts/${ENTERPRISE}/rulesets/1/rules/2`, 403],
    ['a list of an account', 'GET', `/accounts/${ENTERPRISE}/rules/lists`, 403],
  ])('has the envelope and a Ray ID: %s', async (_what, method, path, status) => {
    await withEmulator({}, async (call) => {
      const answer = await call(method, path);
      expect(answer.status).toBe(status);
      expect(Object.keys(answer.body).slice(0, 4)).toEqual([
        'success',
        'errors',
        'messages',
        'result',
      ]);
      expect(answer.body.success).toBe(status === 200);
      expect(answer.body.errors.length > 0).toBe(status !== 200);
      expect(answer.headers.get('cf-ray')).toMatch(/^[0-9a-f]{16}-[A-Z]{3}$/);
    });
  });

  it('names the methods that are available where one is not', async () => {
    await withEmulator({}, async (call) => {
      const answer = await call('DELETE', '/zones');
      expect(answer.headers.get('allow')).toBe('GET');
      expect(answer.body.errors).toEqual([
        { code: 7001, message: 'Method DELETE not available for that URI.' },
      ]);
    });
  });

  it('says 7003 and 7000 where there is no route', async () => {
    await withEmulator({}, async (call) => {
      const { body } = await call('GET', '/zones/none/rulesets');
      expect(body.errors.map((error: { code: number }) => error.code)).toEqual([7003, 7000]);
      expect(body.errors[0].message).toContain('/zones/none/rulesets');
    });
  });

  it('has the envelope where the service itself fails', async () => {
    const { settings } = loadScenario('demo');
    const world = {
      zones: new Map(),
      events: new Map(),
      settings,
      credentials: exampleCredentials,
      mint: createMint('test'),
      now: () => '2024-01-01T00:00:00.000000Z',
    };
    const fails = () => {
      throw new TypeError('a secret detail');
    };
    const service = createService({
      world,
      routes: [{ path: '/fails', methods: { GET: fails } }],
      log: createRequestLog(exampleCredentials),
      faults: createFaultPlan([]),
    });
    const answer = await service(
      new Request('http://127.0.0.1/client/v4/fails', {
        headers: { authorization: `Bearer ${exampleCredentials.token}` },
      }),
    );
    expect(answer.status).toBe(500);
    expect(answer.headers.get('cf-ray')).not.toBeNull();
    expect(await answer.json()).toEqual({
      success: false,
      errors: [{ message: 'Internal server error' }],
      messages: [],
      result: null,
    });
  });

  it('reads a body of any type as JSON: what the service does with another one is not known', async () => {
    await withEmulator({}, async (call, { credentials }) => {
      const answer = await call.raw('POST', '/filters/validate-expr', {
        headers: { authorization: `Bearer ${credentials.token}`, 'content-type': 'text/plain' },
        body: '{"expression": "true"}',
      });
      expect(answer.status).toBe(200);
    });
  });

  it('refuses a body that is no JSON', async () => {
    await withEmulator({}, async (call, { credentials, requests }) => {
      const answer = await call.raw('POST', `/zones/${ENTERPRISE}/rulesets`, {
        headers: {
          authorization: `Bearer ${credentials.token}`,
          'content-type': 'application/json; charset=utf-8',
        },
        body: '{"name": ',
      });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual([
        { code: 6007, message: 'Malformed JSON in request body' },
      ]);
      expect(requests().at(-1)).toMatchObject({ status: 400, body: '{"name": ' });
    });
  });
});

describe('a request that is odd', () => {
  const raw = (port: number, text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let seen = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => (seen += chunk.toString()));
      socket.on('end', () => {
        resolve(seen);
      });
      socket.on('error', reject);
    });

  it.each([
    ['a path with a broken escape', 'GET /client/v4/zones/%zz%ff/rulesets'],
    ['a path above the root', 'GET /client/v4/../../etc/passwd'],
    ['a method that is none of the service', 'PURGE /client/v4/zones'],
    ['a method that no client may send', 'TRACE /client/v4/zones'],
    ['a body where there is none', 'GET /client/v4/zones'],
  ])('is answered with the envelope: %s', async (_what, line) => {
    await withEmulator({}, async (_call, { baseUrl, credentials }) => {
      const { port } = new URL(baseUrl);
      const head = `Host: 127.0.0.1\r\nConnection: close\r\nContent-Length: 2\r\nAuthorization: Bearer ${credentials.token}`;
      const answer = await raw(Number(port), `${line} HTTP/1.1\r\n${head}\r\n\r\n{}`);
      expect(answer).toMatch(/^HTTP\/1\.1 (200|404|405) /);
      expect(JSON.parse(answer.slice(answer.indexOf('{')).replace(/\}[^}]*$/, '}'))).toHaveProperty(
        'success',
      );
    });
  });

  it.each([
    ['attacker.example', 421],
    ['127.0.0.1.attacker.example', 421],
    ['10.0.0.1:80', 421],
    ['localhost:80', 200],
    ['[::1]', 200],
  ])('is answered only for a loopback host: %s with %d', async (host, status) => {
    await withEmulator({}, async (_call, { baseUrl, credentials }) => {
      const head = `Host: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${credentials.token}`;
      const { port } = new URL(baseUrl);
      const answer = await raw(Number(port), `GET /client/v4/zones HTTP/1.1\r\n${head}\r\n\r\n`);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    });
  });
});

describe('the request log', () => {
  it('holds method, path, query, status, Ray ID and the body of a write', async () => {
    await withEmulator({}, async (call, emulator) => {
      const { headers } = await call('GET', `/zones/${ENTERPRISE}/waf_migration/check?phase_two=1`);
      await call('PUT', `/zones/${ENTERPRISE}/rulesets/${'1'.repeat(32)}`, { description: 'x' });
      expect(emulator.requests()).toEqual([
        {
          method: 'GET',
          path: `/zones/${ENTERPRISE}/waf_migration/check`,
          query: 'phase_two=1',
          status: 200,
          ray: headers.get('cf-ray'),
        },
        expect.objectContaining({ method: 'PUT', status: 404, body: { description: 'x' } }),
      ]);
      emulator.clearRequests();
      expect(emulator.requests()).toEqual([]);
    });
  });

  it('holds no secret, wherever it was put', async () => {
    await withEmulator({}, async (call, { credentials, requests }) => {
      const { token, key } = credentials;
      await call('PUT', `/zones/${token}?token=${token}`, { description: `${token} ${key}` });
      expect(requests()).toHaveLength(1);
      expect(JSON.stringify(requests())).not.toContain(token);
      expect(JSON.stringify(requests())).not.toContain(key);
    });
  });
});
