import { ID, oneZone, pageRule, WAF_OFF } from './support/zone';
import { withEmulator } from './support/with-emulator';

const path = `/zones/${ID}/pagerules`;
const rule = pageRule('one.example.com/a/*', [WAF_OFF, { id: 'cache_level', value: 'bypass' }]);

describe('page rules', () => {
  it('are created, changed in part and as a whole, listed by priority, and deleted', async () => {
    await withEmulator({ scenario: oneZone() }, async (call) => {
      const first = (await call('POST', path, rule)).body.result;
      expect(first).toEqual({ id: expect.any(String), priority: 1, ...rule });
      const second = (await call('POST', path, { ...rule, priority: 5 })).body.result;
      expect((await call('GET', path)).body.result).toEqual([second, first]);
      const patched = await call('PATCH', `${path}/${first.id}`, { status: 'disabled' });
      expect(patched.body.result).toEqual({ ...first, status: 'disabled' });
      await call('PUT', `${path}/${first.id}`, { ...rule, priority: 9 });
      expect((await call('GET', `${path}/${first.id}`)).body.result.priority).toBe(9);
      expect((await call('DELETE', `${path}/${first.id}`)).body.result).toEqual({ id: first.id });
      expect((await call('GET', `${path}/${first.id}`)).status).toBe(404);
    });
  });

  it.each<[string, object, string]>([
    ['no targets', { ...rule, targets: undefined }, '/targets'],
    ['no actions', { ...rule, actions: [] }, '/actions'],
    [
      'another operator',
      { ...rule, targets: [{ target: 'url', constraint: { operator: 'equals', value: 'x' } }] },
      '/targets/0/constraint/operator',
    ],
    [
      'a state of the WAF that is none',
      { ...rule, actions: [{ id: 'waf', value: 'simulate' }] },
      '/actions/0/value',
    ],
    ['priority zero', { ...rule, priority: 0 }, '/priority'],
    ['an unknown status', { ...rule, status: 'on' }, '/status'],
    ['an unknown field', { ...rule, foo: 1 }, '/foo'],
  ])('are refused with %s', async (_what, body, pointer) => {
    await withEmulator({ scenario: oneZone() }, async (call) => {
      const answer = await call('POST', path, body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].source).toEqual({ pointer });
      expect((await call('GET', path)).body.result).toEqual([]);
    });
  });
});
