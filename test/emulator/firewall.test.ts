import { ENTERPRISE, oneZone, PRO, type TestClient, emulate } from './support/with-emulator';

const rules = `/zones/${PRO}/firewall/rules`;
const filters = `/zones/${PRO}/filters`;
const one = { expression: 'http.host eq "a.example.com"', description: 'a', ref: 'A' };
const two = { expression: 'ip.src in {192.0.2.0/24 2001:db8::/32}', paused: true };
const inline = { filter: { expression: one.expression }, action: 'block' };
const none = 'f'.repeat(32);

const all = async (call: TestClient) => ({
  rules: (await call('GET', rules)).body.result,
  filters: (await call('GET', filters)).body.result,
});
const created = async (call: TestClient, path: string, ...drafts: object[]): Promise<any[]> =>
  (await call('POST', path, drafts)).body.result;
const refusalOf = async (answer: ReturnType<TestClient>) => {
  const { status, body } = await answer;
  return [status, body.errors[0]?.code];
};

describe('filters', () => {
  it('can be deleted if they do not exist', async () => {
    const [call] = await emulate({});
    const answer = await call('DELETE', `${filters}/${none}`);
    expect([answer.status, answer.body.result]).toEqual([200, { id: none }]);
    expect((await call('GET', `${filters}/${none}`)).status).toBe(404);
    expect((await call('PUT', `${filters}/${none}`, one)).status).toBe(404);
  });

  it('have 25 to a page, or 5 to 100', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      id: String(index).padStart(32, '0'),
      expression: `http.host eq "${index}.example.com"`,
    }));
    const [call] = await emulate({ scenario: oneZone({ filters: many }) });
    const countOf = async (query: string): Promise<number | undefined> =>
      (await call('GET', `/zones/${ENTERPRISE}/filters${query}`)).body.result?.length;
    const pages = ['', '?page=3', '?page=4', '?per_page=100', '?per_page=4', '?per_page=101'];
    const counts = await Promise.all(pages.map(countOf));
    expect(counts).toEqual([25, 10, 0, 60, undefined, undefined]);
  });

  it.each<[string, unknown, string]>([
    ['an empty expression', [{ expression: '' }], '/0/expression'],
    ['an id', [{ ...one, id: none }], '/0/id'],
    ['no list', one, ''],
    ['an empty list', [], ''],
  ])('are all refused if one has %s', async (_what, body, pointer) => {
    const [call] = await emulate({});
    const answer = await call.refused('POST', filters, body);
    expect([answer.status, answer.body.errors[0].source]).toEqual([400, { pointer }]);
  });

  it('are refused with 10102 if one has the expression already', async () => {
    const [call] = await emulate({});
    const [, second] = await created(call, filters, one, two);
    const { expression } = one;
    const other = { expression: 'true' };
    for (const drafts of [
      [other, { expression }],
      [other, other],
    ]) {
      expect(await refusalOf(call.refused('POST', filters, drafts))).toEqual([400, 10102]);
    }
    const changed = { ...second, expression };
    const answer = call.refused('PUT', `${filters}/${second.id}`, changed);
    expect(await refusalOf(answer)).toEqual([400, 10102]);
  });
});

describe('firewall rules', () => {
  it('show that their filter was deleted', async () => {
    const [call] = await emulate({});
    const [{ id }] = await created(call, filters, two);
    await created(call, rules, { filter: { id }, action: 'block' });
    await call('DELETE', `${filters}/${id}`);
    expect((await all(call)).rules[0].filter).toEqual({ id, deleted: true });
  });

  it('are refused with 10202 if an inline filter has the expression of another filter', async () => {
    const [call] = await emulate({});
    await created(call, rules, inline);
    expect(await refusalOf(call.refused('POST', rules, [inline]))).toEqual([400, 10202]);
  });

  it.each<[string, object, string]>([
    ['an inline filter', { filter: { expression: 'true' } }, '/filter/id'],
    ['an unknown filter', { filter: { id: none } }, '/filter/id'],
    ['the id of another rule', { id: none }, '/id'],
    ['an unknown action', { action: 'x' }, '/action'],
    ['an action that the plan lacks', { action: 'log' }, '/action'],
  ])('are not changed with %s', async (_what, change, pointer) => {
    const [call] = await emulate({});
    const [rule] = await created(call, rules, inline);
    const answer = await call.refused('PUT', `${rules}/${rule.id}`, { ...rule, ...change });
    expect([answer.status, answer.body.errors[0].source]).toEqual([400, { pointer }]);
    expect(await refusalOf(call.refused('PUT', `${rules}/${none}`, rule))).toEqual([404, 10001]);
  });

  it('leave an inline filter behind if the plan lacks the action', async () => {
    const [call] = await emulate({});
    const answer = await call('POST', rules, [{ ...inline, action: 'log' }]);
    expect(answer.body.errors[0].source).toEqual({ pointer: '/0/action' });
    const before = await all(call);
    expect(before).toMatchObject({ rules: [], filters: [inline.filter] });
    const reference = { filter: { id: before.filters[0].id }, action: 'log' };
    expect((await call.refused('POST', rules, [reference])).status).toBe(400);
  });
});
