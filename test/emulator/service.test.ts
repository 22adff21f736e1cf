import { connect } from 'node:net';
import { exampleCredentials } from '../../src/emulator/world';
import { ENTERPRISE, emulate } from './support/with-emulator';

const { token } = exampleCredentials;
const bearer = { authorization: `Bearer ${token}` };

describe('every answer', () => {
  it.each<[string, string, string, number, number[]]>([
    ['a list', 'GET', '/zones', 200, []],
    ['an unknown path', 'GET', '/nothing/here', 404, [7003, 7000]],
    ['a wrong zone id', 'GET', '/zones/shop.example.com/waf_migration/check', 404, [7003, 7000]],
    ['an unknown zone', 'GET', `/zones/${'9'.repeat(32)}`, 403, [9109]],
    ['another method', 'PATCH', `/zones/${ENTERPRISE}/waf_migration/check`, 405, [7001]],
    ['a rule of an account', 'PATCH', `/accounts/${ENTERPRISE}/rulesets/1/rules/2`, 403, [10000]],
  ])('has the envelope and a Ray ID: %s', async (_what, method, path, status, codes) => {
    const [call] = await emulate({});
    const answer = await call(method, path);
    expect(answer.status).toBe(status);
    const keys = Object.keys(answer.body).slice(0, 4);
    expect(keys).toEqual(['success', 'errors', 'messages', 'result']);
    expect(answer.body.success).toBe(status === 200);
    expect(answer.body.errors.map(({ code }: any) => code)).toEqual(codes);
    expect(answer.headers.get('cf-ray')).toMatch(/^[0-9a-f]{16}-[A-Z]{3}$/);
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET' : null);
  });

  it('reads a body of any type, and refuses one that is no JSON', async () => {
    const [call, { requests }] = await emulate({});
    const post = (body: string) =>
      call.raw('POST', `/client/v4/zones/${ENTERPRISE}/filters`, {
        headers: { ...bearer, 'content-type': 'text/plain' },
        body,
      });
    expect((await post('[{"expression": "true"}]')).status).toBe(200);
    const { status, body } = await post('{"name": ');
    const errors = [{ code: 6007, message: 'Malformed JSON in request body' }];
    expect([status, body.errors]).toEqual([400, errors]);
    expect(requests().at(-1)).toMatchObject({ status: 400, body: '{"name": ' });
  });
});

describe('an odd request', () => {
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
    ['an unknown method', 'PURGE /client/v4/zones'],
  ])('gets the envelope: %s', async (_what, line) => {
    const [, { baseUrl }] = await emulate({});
    const head = `Host: 127.0.0.1\r\nConnection: close\r\nContent-Length: 2\r\nAuthorization: Bearer ${token}`;
    const answer = await raw(
      Number(new URL(baseUrl).port),
      `${line} HTTP/1.1\r\n${head}\r\n\r\n{}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (200|404|405) /);
    const json = answer.slice(answer.indexOf('{')).replace(/\}[^}]*$/, '}');
    expect(JSON.parse(json)).toHaveProperty('success');
  });

  it.each([
    ['attacker.example', 421],
    ['127.0.0.1.attacker.example', 421],
    ['10.0.0.1:80', 421],
    ['localhost:80', 200],
    ['[::1]', 200],
  ])('is answered only for a loopback host: %s with %d', async (host, status) => {
    const [, { baseUrl }] = await emulate({});
    const head = `Host: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${token}`;
    const { port } = new URL(baseUrl);
    const answer = await raw(Number(port), `GET /client/v4/zones HTTP/1.1\r\n${head}\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(/^cf-ray: /im.test(answer)).toBe(status === 200);
  });
});

it('zones are listed by page, name and account, and read by id', async () => {
  const [call, { zones }] = await emulate({});
  const { result, result_info } = (await call('GET', '/zones?per_page=5')).body;
  const counts = { page: 1, per_page: 5, count: 4, total_count: 4, total_pages: 1 };
  expect(result_info).toEqual(counts);
  expect(result.map(({ id, name, plan }: any) => ({ id, name, plan: plan.legacy_id }))).toEqual(
    zones,
  );
  const named = (await call('GET', '/zones?name=shop.example.com')).body.result;
  expect(named).toEqual([(await call('GET', `/zones/${ENTERPRISE}`)).body.result]);
  expect((await call('GET', `/zones?account.id=${ENTERPRISE}`)).body.result).toEqual([]);
  for (const query of ['per_page=4', 'per_page=51', 'page=0', 'page=-1', 'page=x', 'page=']) {
    expect((await call('GET', `/zones?${query}`)).status).toBe(400);
  }
});

it('the request log has method, path, query, status, Ray ID and the body of a write', async () => {
  const [call, emulator] = await emulate({});
  const path = `/zones/${ENTERPRISE}/waf_migration/check`;
  const { headers } = await call('GET', `${path}?phase_two=1`);
  await call('PUT', `/zones/${ENTERPRISE}/rulesets/${'1'.repeat(32)}`, { description: 'x' });
  const ray = headers.get('cf-ray');
  expect(emulator.requests()).toEqual([
    { method: 'GET', path, query: 'phase_two=1', status: 200, ray },
    expect.objectContaining({ method: 'PUT', status: 404, body: { description: 'x' } }),
  ]);
  emulator.clearRequests();
  expect(emulator.requests()).toEqual([]);
});
