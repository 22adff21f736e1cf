import { exampleCredentials } from '../../src/emulator/world';
import { ENTERPRISE, idOf } from '../support/zones';
import {
  type Credentials,
  emulate,
  pathsOf,
  startService,
} from '../emulator/support/with-emulator';

const { status: zoneStatus, ...paths } = pathsOf(ENTERPRISE);
const { filters, rules, overrides, packages, pageRules, check, config, entry, move } = paths;
const { token, email, key } = exampleCredentials;
const id = idOf('f', 9);
const execute = {
  action: 'execute',
  expression: 'true',
  action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
};
const filter = { expression: 'ssl' };
const override = { urls: ['a.example'], rules: { '100001': 'block' } };

/** Every interface: a call that reads, or one that would write. */
const calls: [string, string, unknown?][] = [
  ['GET', '/zones'],
  ['GET', `/zones/${ENTERPRISE}`],
  ['GET', filters],
  ['POST', filters, [filter]],
  ['DELETE', `${filters}/${id}`],
  ['GET', rules],
  ['POST', rules, [{ filter, action: 'block' }]],
  ['DELETE', `${rules}/${id}`],
  ['GET', overrides],
  ['POST', overrides, override],
  ['GET', packages],
  ['GET', pageRules],
  ['GET', check],
  ['GET', config],
  ['GET', zoneStatus],
  ['GET', `/zones/${ENTERPRISE}/rulesets`],
  ['PUT', move('validation'), { name: 'x', rules: [execute] }],
  ['PUT', move('pending'), { name: 'x', rules: [execute] }],
];

const pair = { 'X-Auth-Email': email, 'X-Auth-Key': key };
const bearer = { Authorization: `Bearer ${token}` };
test.each<[string, Credentials]>([
  ['[S124] the key pair', pair],
  ['[S125] the bearer token', bearer],
  ['its scheme in any case', { Authorization: `bEARER ${token}` }],
  ['both', { ...pair, ...bearer }],
])('every call accepts %s', async (_what, headers) => {
  for (const [method, path, body] of calls) {
    const client = await startService('enterprise');
    const answer = await client(method, path, body, headers);
    expect([method, path, answer.status, answer.body.success]).toEqual([method, path, 200, true]);
  }
});

const wrongKey = { ...pair, 'X-Auth-Key': '0'.repeat(37) };

test.each<[string, Credentials, number, number]>([
  ['no credentials', {}, 400, 9106],
  ['a key without its address', { 'X-Auth-Key': key }, 400, 9106],
  ['an address without its key', { 'X-Auth-Email': email }, 400, 9106],
  ['a token without its scheme', { Authorization: token }, 400, 6003],
  ['a key sent as a token', { Authorization: `Bearer ${key}` }, 400, 6003],
  ['a token sent as a key', { ...pair, 'X-Auth-Key': token }, 400, 6003],
  ['a wrong token', { Authorization: `Bearer ${'x'.repeat(40)}` }, 403, 10000],
  ['a wrong key', wrongKey, 403, 10000],
  ['a wrong address', { ...pair, 'X-Auth-Email': 'else@example.com' }, 403, 10000],
  ['a token beside a wrong key', { ...wrongKey, Authorization: `Bearer ${token}` }, 403, 10000],
])('every call refuses %s, and changes nothing', async (_what, headers, status, code) => {
  const client = await startService('enterprise');
  const everything = () =>
    Promise.all(
      [filters, rules, overrides, zoneStatus, entry].map(
        async (path) => (await client.get(path)).text,
      ),
    );
  const before = await everything();
  for (const [method, path, body] of [...calls, ['GET', '/nowhere'] as const]) {
    const answer = await client(method, path, body, headers);
    expect([method, path, answer.status]).toEqual([method, path, status]);
    const errors = [expect.objectContaining({ code, message: expect.any(String) })];
    expect(answer.body).toMatchObject({ success: false, result: null, errors });
  }
  expect(await everything()).toEqual(before);
});

test('[S17, S18, S19, S20, S85, S130] every answer is an envelope in JSON', async () => {
  const client = await startService('enterprise');
  const wrong: [string, string, unknown?][] = [
    ['GET', '/nowhere'],
    ['GET', '/zones/x'],
    ['DELETE', zoneStatus],
    ['POST', filters, { expression: 'ssl' }],
    ['PUT', entry, { rules: 'all' }],
  ];
  for (const [method, path, body] of [...calls, ...wrong]) {
    const { body: answer, headers } = await client(method, path, body);
    expect(headers.get('content-type')).toContain('application/json');
    const { success, errors, messages, result } = answer;
    const list = expect.any(Array);
    expect([typeof success, errors, messages]).toEqual(['boolean', list, list]);
    expect(success ? errors : result).toEqual(success ? [] : null);
    if (success) expect(typeof result).toBe('object');
  }
});

test('[S1, S141] every path lies below the base address, which carries the version', async () => {
  const [client, { baseUrl }] = await emulate({ scenario: 'enterprise' });
  expect(baseUrl).toMatch(/\/client\/v4$/);
  expect((await client.get(`/zones/${ENTERPRISE}`)).body.result.id).toBe(ENTERPRISE);
  expect((await client.raw('GET', '/client/zones', { headers: bearer })).status).toBe(404);
});
