import { type TestClient } from './support/client';
import { entryPoint, MIGRATED, withEmulator } from './support/with-emulator';

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const RULE = '0242110ae62e44028a13bf4834780914';
const execute = (fields: object = {}) => ({
  action: 'execute',
  expression: 'true',
  action_parameters: { id: MANAGED },
  ...fields,
});
const overriding = (overrides: unknown) =>
  execute({ action_parameters: { id: MANAGED, overrides } });
const put = (call: TestClient, rules: unknown) => call('PUT', entryPoint(MIGRATED), { rules });
const live = async (call: TestClient) => (await call('GET', entryPoint(MIGRATED))).body.result;

describe('a wrong field is refused with a pointer to it, and changes nothing', () => {
  it.each<[string, unknown, string, number]>([
    ['an unknown action', [execute({ action: 'explode' })], '/rules/0/action', 20000],
    ['no action', [{ expression: 'true' }], '/rules/0/action', 20000],
    ['no expression', [{ ...execute(), expression: undefined }], '/rules/0/expression', 20000],
    ['an empty expression', [execute({ expression: '' })], '/rules/0/expression', 20000],
    ['an open quote', [execute({ expression: 'http.host eq "a' })], '/rules/0/expression', 20000],
    ['enabled as text', [execute({ enabled: 'true' })], '/rules/0/enabled', 20000],
    ['a field that is none', [execute({ foo: 1 })], '/rules/0/foo', 20000],
    ['the id of no rule', [execute({ id: 'f'.repeat(32) })], '/rules/0/id', 20000],
    ['the same ref twice', [execute({ ref: 'a' }), execute({ ref: 'a' })], '/rules/1/ref', 20000],
    [
      'logging of an execute rule',
      [execute({ logging: { enabled: true } })],
      '/rules/0/logging',
      20018,
    ],
    [
      'an execute rule without parameters',
      [{ action: 'execute', expression: 'true' }],
      '/rules/0/action_parameters',
      20000,
    ],
    [
      'a ruleset that is not managed',
      [execute({ action_parameters: { id: 'f'.repeat(32) } })],
      '/rules/0/action_parameters/id',
      20000,
    ],
    [
      'an id for an action that has none',
      [execute({ action: 'block' })],
      '/rules/0/action_parameters/id',
      20000,
    ],
    ['overrides of nothing', [overriding({})], '/rules/0/action_parameters/overrides', 20000],
    [
      'an override of nothing',
      [overriding({ rules: [{ id: RULE }] })],
      '/rules/0/action_parameters/overrides/rules/0',
      20000,
    ],
    [
      'an override with an unknown action',
      [overriding({ rules: [{ id: RULE, action: 'simulate' }] })],
      '/rules/0/action_parameters/overrides/rules/0/action',
      20000,
    ],
    [
      'an override with the key of provider 3',
      [overriding({ rules: [{ id: RULE, status: 'disabled' }] })],
      '/rules/0/action_parameters/overrides/rules/0/status',
      20000,
    ],
    [
      'a category without a name',
      [overriding({ categories: [{ enabled: false }] })],
      '/rules/0/action_parameters/overrides/categories/0/category',
      20000,
    ],
    [
      'a skip of nothing',
      [execute({ action: 'skip', action_parameters: {} })],
      '/rules/0/action_parameters',
      20000,
    ],
    [
      'a skip of another ruleset by word',
      [execute({ action: 'skip', action_parameters: { ruleset: 'all' } })],
      '/rules/0/action_parameters/ruleset',
      20000,
    ],
    ['rules that are no list', { 0: execute() }, '/rules', 20000],
  ])('%s', async (_what, rules, pointer, code) => {
    await withEmulator({}, async (call) => {
      const before = await live(call);
      const answer = await put(call, rules);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toContainEqual(
        expect.objectContaining({ code, source: { pointer } }),
      );
      expect(await live(call)).toEqual(before);
    });
  });

  it.each([
    ['a kind that changes', { kind: 'root' }, '/kind'],
    ['a phase that changes', { phase: 'http_request_firewall_custom' }, '/phase'],
    ['an empty name', { name: '' }, '/name'],
    ['a field that is none', { foo: 1 }, '/foo'],
  ])('of the ruleset: %s', async (_what, body, pointer) => {
    await withEmulator({}, async (call) => {
      const before = await live(call);
      const answer = await call('PUT', `/zones/${MIGRATED}/rulesets/${before.id}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].source).toEqual({ pointer });
      expect(await live(call)).toEqual(before);
    });
  });

  it.each([
    ['its id', (id: string) => [{ id }, { id, ref: 'other' }]],
    ['its ref and its id', (id: string, ref: string) => [{ ref }, { id, ref: 'other' }]],
  ])('a rule that is sent twice, by %s', async (_what, keys) => {
    await withEmulator({}, async (call) => {
      const before = await live(call);
      const [{ id, ref }] = before.rules;
      const { status, body } = await put(call, keys(id, ref).map(execute));
      expect([status, body.errors[0].source]).toEqual([400, { pointer: '/rules/1/id' }]);
      expect(await live(call)).toEqual(before);
    });
  });

  it.each([
    ['a new rule with an id', 'POST', ''],
    ['a rule with the id of another one', 'PATCH', '/:id'],
  ])('%s', async (_what, method, path) => {
    await withEmulator({}, async (call) => {
      const [one, two] = [execute({ ref: 'a' }), execute({ ref: 'b' })];
      const before = (await put(call, [one, two])).body.result;
      const [first, second] = before.rules;
      const { status, body } = await call(
        method,
        `/zones/${MIGRATED}/rulesets/${before.id}/rules${path.replace(':id', first.id)}`,
        execute({ id: second.id }),
      );
      expect([status, body.errors[0].source]).toEqual([400, { pointer: '/id' }]);
      expect(await live(call)).toEqual(before);
    });
  });

  it('an entry point of a phase that is not there', async () => {
    await withEmulator({}, async (call) => {
      const path = `/zones/${MIGRATED}/rulesets/phases/http_request_firewall/entrypoint`;
      expect((await call('PUT', path, { rules: [] })).status).toBe(400);
      expect((await call('GET', path)).status).toBe(404);
    });
  });
});
