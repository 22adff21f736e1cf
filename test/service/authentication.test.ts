import { ENTERPRISE, idOf } from '../support/zones';
import { type Headers, pathsOf, type PlainClient, startService } from './plain-client';

const { filters, rules, overrides, packages, pageRules, check, config, status, entry, move } =
  pathsOf(ENTERPRISE);
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
  ['GET', status],
  ['GET', `/zones/${ENTERPRISE}/rulesets`],
  ['PUT', move('validation'), { name: 'x', rules: [execute] }],
  ['PUT', move('pending'), { name: 'x', rules: [execute] }],
];

test.each<[string, (client: PlainClient) => Headers]>([
  ['[S124] the key pair', ({ pair }) => pair],
  ['[S125] the bearer token', ({ bearer }) => bearer],
  ['both', ({ pair, bearer }) => ({ ...pair, ...bearer })],
])('every call takes %s', async (_what, headersOf) => {
  for (const [method, path, body] of calls) {
    const client = await startService('enterprise');
    const answer = await client.send(method, path, body, headersOf(client));
    expect([method, path, answer.status, answer.body.success]).toEqual([method, path, 200, true]);
  }
});

test.each<[string, (client: PlainClient) => Headers]>([
  ['no credentials', () => ({})],
  ['a wrong token', () => ({ Authorization: `Bearer ${'x'.repeat(40)}` })],
  ['a wrong key', ({ pair }) => ({ ...pair, 'X-Auth-Key': '0'.repeat(37) })],
  ['a key without its address', ({ pair }) => ({ 'X-Auth-Key': pair['X-Auth-Key'] ?? '' })],
  [
    'a token without its scheme',
    ({ bearer }) => ({ Authorization: bearer['Authorization']?.slice(7) ?? '' }),
  ],
])('every call refuses %s, and changes nothing', async (_what, headersOf) => {
  const client = await startService('enterprise');
  const everything = () =>
    Promise.all([filters, rules, overrides, status, entry].map((path) => client.get(path)));
  const before = await everything();
  for (const [method, path, body] of calls) {
    const answer = await client.send(method, path, body, headersOf(client));
    expect([method, path, [400, 401, 403].includes(answer.status)]).toEqual([method, path, true]);
    expect(answer.body).toMatchObject({
      success: false,
      result: null,
      errors: [expect.objectContaining({ message: expect.any(String) })],
    });
  }
  expect(await everything()).toEqual(before);
});

test('[S17, S18, S19, S20, S85, S130] every answer is an envelope in JSON', async () => {
  const client = await startService('enterprise');
  const wrong: [string, string, unknown?][] = [
    ['GET', '/nowhere'],
    ['GET', '/zones/x'],
    ['DELETE', status],
    ['POST', filters, { expression: 'ssl' }],
    ['PUT', entry, { rules: 'all' }],
  ];
  for (const [method, path, body] of [...calls, ...wrong]) {
    const { body: answer, type } = await client.send(method, path, body, client.bearer);
    expect(type).toContain('application/json');
    const { success, errors, messages, result } = answer;
    expect([typeof success, errors, messages]).toEqual([
      'boolean',
      expect.any(Array),
      expect.any(Array),
    ]);
    expect(success ? errors : result).toEqual(success ? [] : null);
    if (success) expect(typeof result).toBe('object');
  }
});

test('[S1, S141] every path lies below the base address, which carries the version', async () => {
  const client = await startService('enterprise');
  const { base } = client;
  expect(base).toMatch(/\/client\/v4$/);
  expect((await client.get(`/zones/${ENTERPRISE}`)).body.result.id).toBe(ENTERPRISE);
  const above = await fetch(`${base.replace('/v4', '')}/zones`, { headers: client.bearer });
  expect(above.status).toBe(404);
});
