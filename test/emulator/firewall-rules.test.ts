import { type TestClient } from './support/client';
import { PRO, withEmulator } from './support/with-emulator';

const rules = `/zones/${PRO}/firewall/rules`;
const filters = `/zones/${PRO}/filters`;
const inline = { filter: { expression: 'http.host eq "a.example.com"' }, action: 'block' };
const all = async (call: TestClient) => ({
  rules: (await call('GET', rules)).body.result,
  filters: (await call('GET', filters)).body.result,
});

describe('the recommended sequence', () => {
  it('creates a filter, then rules that share it, and deletes in reverse order', async () => {
    await withEmulator({}, async (call) => {
      const expression = 'ip.src eq 192.0.2.1';
      const [filter] = (await call('POST', filters, [{ expression }])).body.result;
      const reference = { filter: { id: filter.id } };
      const { result } = (
        await call('POST', rules, [
          { ...reference, action: 'block', priority: 5, description: 'one' },
          { ...reference, action: 'bypass', products: ['waf'], paused: true },
        ])
      ).body;
      expect(result).toEqual([
        {
          id: expect.any(String),
          paused: false,
          description: 'one',
          action: 'block',
          priority: 5,
          filter,
        },
        {
          id: expect.any(String),
          paused: true,
          action: 'bypass',
          products: ['waf'],
          priority: null,
          filter,
        },
      ]);
      expect((await call('GET', `${rules}/${result[0].id}`)).body.result).toEqual(result[0]);
      for (const { id } of result) await call('DELETE', `${rules}/${id}`);
      expect(await all(call)).toEqual({ rules: [], filters: [filter] });
      await call('DELETE', `${filters}/${filter.id}`);
      expect(await all(call)).toEqual({ rules: [], filters: [] });
    });
  });

  it('changes rules one by one and several at once', async () => {
    await withEmulator({}, async (call) => {
      const [rule] = (await call('POST', rules, [inline])).body.result;
      const changed = { ...rule, action: 'managed_challenge', priority: 7 };
      expect((await call('PUT', `${rules}/${rule.id}`, changed)).body.result).toEqual(changed);
      expect((await call('PUT', rules, [{ ...changed, paused: true }])).body.result).toEqual([
        { ...changed, paused: true },
      ]);
      const patched = await call('PATCH', `${rules}/${rule.id}`, { priority: 9 });
      expect(patched.body.result).toEqual({ ...changed, paused: true, priority: 9 });
    });
  });

  it('shows what became of a filter that was deleted under its rule', async () => {
    await withEmulator({}, async (call) => {
      const [filter] = (await call('POST', filters, [{ expression: 'true' }])).body.result;
      await call('POST', rules, [{ filter: { id: filter.id }, action: 'block' }]);
      await call('DELETE', `${filters}/${filter.id}`);
      expect((await all(call)).rules[0].filter).toEqual({ id: filter.id, deleted: true });
    });
  });
});

describe('the simplified sequence', () => {
  it('creates the filter and the rule in one call', async () => {
    await withEmulator({}, async (call) => {
      const { result } = (await call('POST', rules, [inline])).body;
      expect(result).toEqual([
        {
          id: expect.any(String),
          paused: false,
          action: 'block',
          priority: null,
          filter: { id: expect.any(String), expression: inline.filter.expression, paused: false },
        },
      ]);
      expect((await all(call)).filters).toEqual([result[0].filter]);
    });
  });

  it('protects its filter from PUT and DELETE', async () => {
    await withEmulator({}, async (call) => {
      const [{ filter }] = (await call('POST', rules, [inline])).body.result;
      const before = await all(call);
      const refused = [
        await call('PUT', `${filters}/${filter.id}`, { ...filter, paused: true }),
        await call('PUT', filters, [{ ...filter, paused: true }]),
        await call('DELETE', `${filters}/${filter.id}`),
        await call('DELETE', `${filters}?id=${filter.id}`),
      ];
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      expect(await all(call)).toEqual(before);
    });
  });

  it('leaves the filter when its rule is deleted, unless asked', async () => {
    await withEmulator({}, async (call) => {
      const other = { filter: { expression: 'http.host eq "b"' }, action: 'block' };
      const [first, second] = (await call('POST', rules, [inline, other])).body.result;
      await call('DELETE', `${rules}/${first.id}`);
      await call('DELETE', `${rules}/${second.id}`, { delete_filter_if_unused: true });
      expect(await all(call)).toEqual({ rules: [], filters: [first.filter] });
    });
  });

  it('is not deleted with a field that is not known', async () => {
    await withEmulator({}, async (call) => {
      const [first] = (await call('POST', rules, [inline])).body.result;
      const answer = await call('DELETE', `${rules}/${first.id}`, { delete_filter: true });
      expect([answer.status, answer.body.errors[0].source]).toEqual([
        400,
        { pointer: '/delete_filter' },
      ]);
      expect((await all(call)).rules).toEqual([first]);
    });
  });

  it('keeps a filter that another rule still uses', async () => {
    await withEmulator({}, async (call) => {
      const [first] = (await call('POST', rules, [inline])).body.result;
      await call('POST', rules, [{ filter: { id: first.filter.id }, action: 'challenge' }]);
      await call('DELETE', `${rules}/${first.id}`, { delete_filter_if_unused: true });
      expect((await all(call)).filters).toEqual([first.filter]);
    });
  });

  it('creates neither where the filter exists already', async () => {
    await withEmulator({}, async (call) => {
      await call('POST', filters, [inline.filter]);
      const before = await all(call);
      const answer = await call('POST', rules, [inline]);
      expect([answer.status, answer.body.errors[0].code]).toEqual([400, 10202]);
      expect(await all(call)).toEqual(before);
    });
  });

  it.each([
    [
      'an invalid filter',
      { ...inline, filter: { expression: 'http.host eq' } },
      '/0/filter/expression',
    ],
    ['an invalid rule', { ...inline, action: 'explode' }, '/0/action'],
    ['no action', { filter: inline.filter }, '/0/action'],
    ['no filter', { action: 'block' }, '/0/filter'],
    [
      'a filter that is not there',
      { action: 'block', filter: { id: 'f'.repeat(32) } },
      '/0/filter/id',
    ],
    ['a bypass of nothing', { ...inline, action: 'bypass' }, '/0/products'],
    ['products of another action', { ...inline, products: ['waf'] }, '/0/products'],
    ['an unknown product', { ...inline, action: 'bypass', products: ['all'] }, '/0/products/0'],
    ['a priority beyond its range', { ...inline, priority: 2 ** 31 }, '/0/priority'],
    ['a priority as text', { ...inline, priority: '5' }, '/0/priority'],
    ['a long description', { ...inline, description: 'x'.repeat(501) }, '/0/description'],
    ['a field that is none', { ...inline, foo: 1 }, '/0/foo'],
  ])('creates neither for %s', async (_what, rule, pointer) => {
    await withEmulator({}, async (call) => {
      const valid = { filter: { expression: 'http.host eq "b"' }, action: 'block' };
      const answer = await call('POST', rules, [rule, valid]);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].source).toEqual({ pointer });
      expect(await all(call)).toEqual({ rules: [], filters: [] });
    });
  });
});
