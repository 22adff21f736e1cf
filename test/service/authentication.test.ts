import { ENTERPRISE, idOf } from '../support/zones';
import { type Answer, type Headers, pathsOf, type PlainClient, withService } from './plain-client';

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

/**
 * Every interface: a call that reads, or one that would write. Each row is whole: where a test has
 * more parameters than its row, jest waits for a callback.
 */
const calls: [string, string, unknown][] = (
  [
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
  ] as [string, string, unknown?][]
).map(([method, path, body]) => [method, path, body]);

/** The ways to say who one is, and whether each is taken. */
const schemes: [string, (client: PlainClient) => Headers, boolean][] = [
  ['[S124] the key pair', ({ pair }) => pair, true],
  ['[S125] the bearer token', ({ bearer }) => bearer, true],
  ['both', ({ pair, bearer }) => ({ ...pair, ...bearer }), true],
  ['none', () => ({}), false],
  ['a wrong token', () => ({ Authorization: `Bearer ${'x'.repeat(40)}` }), false],
  ['a wrong key', ({ pair }) => ({ ...pair, 'X-Auth-Key': '0'.repeat(37) }), false],
  ['a key without its address', ({ pair }) => ({ 'X-Auth-Key': pair['X-Auth-Key'] ?? '' }), false],
  [
    'a token without its scheme',
    ({ bearer }) => ({ Authorization: bearer['Authorization']?.slice(7) ?? '' }),
    false,
  ],
];

const everything = async (client: PlainClient): Promise<Answer[]> =>
  Promise.all([filters, rules, overrides, status, entry].map((path) => client.get(path)));

describe.each(schemes)('%s', (_what, headersOf, taken) => {
  test.each(calls)(
    taken ? 'is taken for %s %s' : 'is refused for %s %s, and nothing changes',
    async (method, path, body) => {
      await withService('enterprise', async (client) => {
        const before = await everything(client);
        const answer = await client.send(method, path, body, headersOf(client));
        expect(answer.body.success).toBe(taken);
        if (taken) {
          expect(answer.status).toBe(200);
          return;
        }
        expect([400, 401, 403]).toContain(answer.status);
        expect(answer.body).toMatchObject({
          result: null,
          errors: [expect.objectContaining({ message: expect.any(String) })],
        });
        expect(await everything(client)).toEqual(before);
      });
    },
  );
});

test('[S17, S18, S19, S20, S85, S130] every answer is an envelope in JSON', async () => {
  await withService('enterprise', async (client) => {
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
});

test('[S1, S141] every path lies below the base address, which carries the version', async () => {
  await withService('enterprise', async (client) => {
    const { base } = client;
    expect(base).toMatch(/\/client\/v4$/);
    expect((await client.get(`/zones/${ENTERPRISE}`)).body.result.id).toBe(ENTERPRISE);
    const above = await fetch(`${base.replace('/v4', '')}/zones`, { headers: client.bearer });
    expect(above.status).toBe(404);
  });
});
