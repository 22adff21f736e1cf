import enterprise from '../../src/emulator/scenarios/enterprise.json';
import { type TestClient } from './support/client';
import { ENTERPRISE, PRO, withEmulator } from './support/with-emulator';

const rules = `/zones/${PRO}/firewall/rules`;
const filters = `/zones/${PRO}/filters`;
const inline = { filter: { expression: 'http.host eq "a.example.com"' }, action: 'block' };
const all = async (call: TestClient) => ({
  rules: (await call('GET', rules)).body.result,
  filters: (await call('GET', filters)).body.result,
});

describe('what the plan does not allow', () => {
  const scenario = { name: 'quota', include: ['pro'], settings: { firewallRuleQuota: 1 } };

  it('cannot be made of a rule that is there', async () => {
    await withEmulator({ scenario: 'pro' }, async (call) => {
      const [rule] = (await call('POST', rules, [inline])).body.result;
      const before = await all(call);
      const one = await call('PUT', `${rules}/${rule.id}`, { ...rule, action: 'log' });
      expect([one.status, one.body.errors[0].source]).toEqual([400, { pointer: '/action' }]);
      const many = await call('PUT', rules, [{ ...rule, action: 'log' }]);
      expect(many.body.errors[0].source).toEqual({ pointer: '/0/action' });
      expect(await all(call)).toEqual(before);
    });
  });

  it('leaves the inline filter of a quota overrun, and no rule', async () => {
    await withEmulator({ scenario }, async (call) => {
      const [first] = (await call('POST', rules, [inline])).body.result;
      const other = { expression: 'http.host eq "b"' };
      const answer = await call('POST', rules, [{ filter: other, action: 'block' }]);
      expect(answer.status).toBe(400);
      const after = await all(call);
      expect(after.rules).toEqual([first]);
      expect(after.filters).toMatchObject([first.filter, other]);

      await call('DELETE', `${rules}/${first.id}`);
      const finished = await call('POST', rules, [
        { filter: { id: after.filters[1].id }, action: 'block' },
      ]);
      expect(finished.body.result[0].filter).toEqual(after.filters[1]);
    });
  });

  it('loses nothing when a rule with a reference overruns the quota', async () => {
    await withEmulator({ scenario }, async (call) => {
      const [first] = (await call('POST', rules, [inline])).body.result;
      const before = await all(call);
      const again = { filter: { id: first.filter.id }, action: 'challenge' };
      expect((await call('POST', rules, [again])).status).toBe(400);
      expect(await all(call)).toEqual(before);
    });
  });

  it('leaves the inline filter of an action that the plan has not', async () => {
    await withEmulator({}, async (call) => {
      const answer = await call('POST', rules, [{ ...inline, action: 'log' }]);
      expect([answer.status, answer.body.errors[0].source]).toEqual([
        400,
        { pointer: '/0/action' },
      ]);
      expect(await all(call)).toMatchObject({ rules: [], filters: [inline.filter] });
    });
  });
});

describe('changes that are refused change nothing', () => {
  it.each([
    ['an inline filter', { filter: { expression: 'true' } }, 400],
    ['a filter that is not there', { filter: { id: 'f'.repeat(32) } }, 400],
    ['the id of another rule', { id: 'f'.repeat(32) }, 400],
    ['an unknown action', { action: 'x' }, 400],
  ])('%s', async (_what, change, status) => {
    await withEmulator({}, async (call) => {
      const [rule] = (await call('POST', rules, [inline])).body.result;
      const before = await all(call);
      const answer = await call('PUT', `${rules}/${rule.id}`, { ...rule, ...change });
      expect(answer.status).toBe(status);
      expect(await all(call)).toEqual(before);
    });
  });

  it('is true of one among several', async () => {
    await withEmulator({}, async (call) => {
      const [rule] = (await call('POST', rules, [inline])).body.result;
      const body = [
        { ...rule, paused: true },
        { ...rule, id: 'f'.repeat(32) },
      ];
      const answer = await call('PUT', rules, body);
      expect([answer.status, answer.body.errors[0].code]).toEqual([404, 10001]);
      expect((await all(call)).rules).toEqual([rule]);
    });
  });
});

it('in maintenance mode filters and rules can be read and not written', async () => {
  const scenario = { ...enterprise, settings: { firewallMaintenance: true } };
  await withEmulator({ scenario }, async (call) => {
    const zone = `/zones/${ENTERPRISE}`;
    const [rule] = (await call('GET', `${zone}/firewall/rules`)).body.result;
    const writes = [
      await call('POST', `${zone}/firewall/rules`, [inline]),
      await call('PUT', `${zone}/firewall/rules/${rule.id}`, rule),
      await call('DELETE', `${zone}/firewall/rules/${rule.id}`),
      await call('POST', `${zone}/filters`, [inline.filter]),
      await call('DELETE', `${zone}/filters/${rule.filter.id}`),
    ];
    for (const { body } of writes) expect(body.errors[0].code).toBe(10020);
    expect((await call('GET', `${zone}/firewall/rules`)).body.result[0]).toEqual(rule);
  });
});
