import { idOf, ENTERPRISE, oneZone } from '../support/zones';
import { pathsOf, type TestClient, startService } from '../emulator/support/with-emulator';

const { filters, rules } = pathsOf(ENTERPRISE);
const SRC = 'ip.src eq 192.0.2.1';
const listOf = async (client: TestClient, path: string): Promise<any[]> =>
  (await client.get(`${path}?per_page=100`)).body.result;

test('[S3, S8, S21, S22, S23] a filter is created without a rule, and then edited', async () => {
  const client = await startService(oneZone());
  const expression = `(http.request.uri.path contains "/admin" and ${SRC}) or http.host matches "^a"`;
  const [filter] = await client.write('POST', filters, [{ expression }]);
  expect(filter).toMatchObject({ expression, paused: false });
  expect(filter.id).toMatch(/^[0-9a-f]{32}$/);
  const edited = { ...filter, expression: SRC };
  expect(await client.write('PUT', `${filters}/${filter.id}`, edited)).toEqual(edited);
  expect(await listOf(client, filters)).toEqual([edited]);
  expect(await listOf(client, rules)).toEqual([]);
});

test('[S2, S4, S5, S9, S10, S25, S26, S27, S28, S92] rules refer to a filter by its id, and share it', async () => {
  const client = await startService(oneZone());
  const [filter] = await client.write('POST', filters, [{ expression: SRC }]);
  const made = await client.write('POST', rules, [{ filter: { id: filter.id }, action: 'block' }]);
  expect(made).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      paused: false,
      action: 'block',
      priority: null,
      filter,
    },
  ]);
  const [again] = await client.write('POST', rules, [
    { filter: { id: filter.id }, action: 'log', priority: 2 },
  ]);
  expect(again).toMatchObject({ priority: 2, filter: { id: filter.id } });
  const edited = { ...again, action: 'block', priority: null };
  expect(await client.write('PUT', `${rules}/${again.id}`, edited)).toEqual(edited);
  await client.write('PUT', `${filters}/${filter.id}`, { ...filter, paused: true });
  for (const rule of await listOf(client, rules)) expect(rule.filter.paused).toBe(true);
});

test('[S11] deleting goes in the reverse order: the rule, then the filter', async () => {
  const client = await startService(oneZone());
  const [filter] = await client.write('POST', filters, [{ expression: SRC }]);
  const [rule] = await client.write('POST', rules, [
    { filter: { id: filter.id }, action: 'block' },
  ]);
  await client.write('DELETE', `${rules}/${rule.id}`);
  expect(await listOf(client, filters)).toEqual([filter]);
  await client.write('DELETE', `${filters}/${filter.id}`);
  expect(await listOf(client, filters)).toEqual([]);
});

test('[S12, S13, S29, S86, S87, S88] one POST creates the filter and the rule', async () => {
  const client = await startService(oneZone());
  const body = [SRC, 'ssl'].map((expression) => ({ filter: { expression }, action: 'block' }));
  const made = await client.write('POST', rules, body);
  const id = expect.stringMatching(/^[0-9a-f]{32}$/) as unknown;
  expect(made).toEqual(
    [SRC, 'ssl'].map((expression) => ({
      id,
      paused: false,
      action: 'block',
      priority: null,
      filter: { id, expression, paused: false },
    })),
  );
  expect(await listOf(client, filters)).toEqual(made.map(({ filter }: any) => filter));
});

test('[S16, S91] a filter that was created inline is neither changed nor deleted', async () => {
  const client = await startService(oneZone());
  const [{ filter }] = await client.write('POST', rules, [
    { filter: { expression: SRC }, action: 'block' },
  ]);
  await client.refused('PUT', `${filters}/${filter.id}`, { ...filter, paused: true });
  await client.refused('PUT', filters, [{ ...filter, paused: true }]);
  await client.refused('DELETE', `${filters}/${filter.id}`);
  await client.refused('DELETE', `${filters}?id=${filter.id}`);
});

test.each([
  ['an expression that does not parse', { filter: { expression: 'ip.src eq' }, action: 'block' }],
  ['an expression of the wrong type', { filter: { expression: 1 }, action: 'block' }],
  ['no expression', { filter: {}, action: 'block' }],
  ['no filter', { action: 'block' }],
  ['an unknown action', { filter: { expression: SRC }, action: 'explode' }],
  ['no action', { filter: { expression: SRC } }],
  ['an unknown field', { filter: { expression: SRC }, action: 'block', colour: 'red' }],
  ['a priority in words', { filter: { expression: SRC }, action: 'block', priority: 'high' }],
  ['an unknown filter', { filter: { id: idOf('f', 1) }, action: 'block' }],
  ['a bypass of nothing', { filter: { expression: SRC }, action: 'bypass' }],
  ['products to block', { filter: { expression: SRC }, action: 'block', products: ['waf'] }],
  ['a high priority', { filter: { expression: SRC }, action: 'block', priority: 2 ** 31 }],
])('[S89] neither is created with %s', async (_what, rule) => {
  const client = await startService(oneZone());
  const good = { filter: { expression: 'ssl' }, action: 'block' };
  for (const body of [[rule], [good, rule]]) {
    const { body: answer } = await client.refused('POST', rules, body);
    expect(answer.errors[0].source.pointer).toMatch(new RegExp(`^/${body.length - 1}/`));
  }
  expect([await listOf(client, filters), await listOf(client, rules)]).toEqual([[], []]);
});

test('[S90, S131, S139] a quota overrun leaves the filter, which a rule may refer to later', async () => {
  const filter = { id: idOf('f', 1), expression: 'ssl' };
  const zone = oneZone(
    {
      filters: [filter],
      firewallRules: [{ id: idOf('a', 1), filter: filter.id, action: 'block' }],
    },
    { firewallRuleQuota: 1 },
  );
  const client = await startService(zone);
  const overrun = await client('POST', rules, [{ filter: { expression: SRC }, action: 'block' }]);
  expect(overrun).toMatchObject({ status: 400, body: { success: false } });
  const left = (await listOf(client, filters)).find(({ expression }) => expression === SRC);
  expect(await listOf(client, rules)).toHaveLength(1);
  await client.refused('POST', rules, [{ filter: { id: left.id }, action: 'block' }]);
  await client.write('DELETE', `${rules}/${idOf('a', 1)}`);
  await client.write('POST', rules, [{ filter: { id: left.id }, action: 'block' }]);
});
