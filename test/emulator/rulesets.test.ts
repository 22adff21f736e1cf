import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ENTERPRISE,
  entryPoint,
  execute,
  MANAGED,
  MIGRATED,
  OWASP,
  type TestClient,
  emulate,
} from './support/with-emulator';

const rulesets = `/zones/${MIGRATED}/rulesets`;
const put = (call: TestClient, rules: unknown) => call('PUT', entryPoint(MIGRATED), { rules });
const live = async (call: TestClient) => (await call('GET', entryPoint(MIGRATED))).body.result;
const ids = (ruleset: any): string[] => ruleset.rules.map((rule: any) => rule.id);
const without = (object: object, ...fields: string[]): any =>
  Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));

describe('reading rulesets', () => {
  it('repeats a recorded entry point byte by byte', async () => {
    const [call] = await emulate({ scenario: 'canonical' });
    const zone = '0123456789abcdef0123456789abcdef';
    const recorded = join(__dirname, '../fixtures/terraform/canonical/api-entrypoint.json');
    const expected = readFileSync(recorded, 'utf8');
    expect((await call('GET', entryPoint(zone))).text).toBe(expected);
    const byId = await call('GET', `/zones/${zone}/rulesets/${'a'.repeat(32)}`);
    expect(byId.text).toBe(expected);
  });

  it.each([
    [
      'there is no entry point',
      entryPoint(ENTERPRISE),
      'could not find entrypoint ruleset in the http_request_firewall_managed phase',
    ],
    ['an id is unknown', `${rulesets}/${'f'.repeat(32)}`, 'could not find ruleset'],
  ])('answers 10003 if %s', async (_what, path, message) => {
    const [call] = await emulate({});
    const { status, body } = await call('GET', path);
    expect([status, body.errors.map(({ code }: any) => code)]).toEqual([404, [10003]]);
    expect(body.errors[0].message).toContain(message);
  });

  it('lists the managed rulesets and those of the zone, without rules', async () => {
    const [call] = await emulate({});
    const { result } = (await call('GET', rulesets)).body;
    const kinds = result.map(({ kind }: any) => kind);
    expect(kinds).toEqual(['managed', 'managed', 'managed', 'zone']);
    expect(result.filter((ruleset: any) => 'rules' in ruleset)).toEqual([]);
    const { rules } = (await call('GET', `${rulesets}/${OWASP}`)).body.result;
    expect(rules.at(-1)).toMatchObject({ version: '1', score_threshold: 40, categories: [] });
    expect(rules.length).toBeGreaterThan(10);
  });
});

describe('[S114] the identifiers of rules', () => {
  it('are kept by id, are kept by ref, and are new without either', async () => {
    const [call] = await emulate({});
    const before = await live(call);
    const [byId, byRef, neither] = before.rules;
    const { body } = await put(call, [byId, without(byRef, 'id'), without(neither, 'id', 'ref')]);
    expect(ids(body.result).slice(0, 2)).toEqual([byId.id, byRef.id]);
    expect(ids(before)).not.toContain(body.result.rules[2].id);
    expect(body.result.rules[2].ref).toBe(body.result.rules[2].id);
  });

  it('keep a ref that is not sent with the id', async () => {
    const [call] = await emulate({});
    const [rule] = (await live(call)).rules;
    expect((await put(call, [without(rule, 'ref')])).body.result.rules).toEqual([rule]);
  });
});

describe('a write', () => {
  it('raises the version of the ruleset, and of a rule only when that changes', async () => {
    const [call] = await emulate({});
    const before = await live(call);
    const [first, second, third] = before.rules;
    const { result } = (await put(call, [{ ...first, enabled: false }, second, third])).body;
    expect(result.version).toBe(String(Number(before.version) + 1));
    expect(result.rules.map((rule: any) => rule.version)).toEqual(['2', '1', '1']);
    expect(result.rules[1]).toEqual(second);
  });

  it('fills in the defaults of rules, for blank fields as well', async () => {
    const [call] = await emulate({});
    const skip = {
      action: 'skip',
      expression: 'true',
      action_parameters: { ruleset: 'current' },
    };
    const { body } = await put(call, [
      execute({ id: '', version: '', ref: '' }),
      skip,
      { ...skip, logging: { enabled: false } },
    ]);
    const [first, logging, silent] = body.result.rules;
    expect(first).toMatchObject({
      ...{ enabled: true, description: '', version: '1', ref: first.id },
      action_parameters: { id: MANAGED, version: 'latest' },
    });
    expect(first).not.toHaveProperty('logging');
    expect([logging.logging, silent.logging]).toEqual([{ enabled: true }, { enabled: false }]);
  });

  it('keeps missing fields of the ruleset, and empties it if rules are null', async () => {
    const [call] = await emulate({});
    const { id, name, rules } = await live(call);
    const described = await call('PUT', `${rulesets}/${id}`, { description: 'new' });
    expect(described.body.result).toMatchObject({ name, rules, description: 'new' });
    const emptied = await call('PUT', `${rulesets}/${id}`, { description: '', rules: null });
    expect(emptied.body.result).toMatchObject({ id, rules: [] });
  });
});

describe('another ruleset', () => {
  const zoneRuleset = (phase: string, rules: object[] = []) => ({
    ...{ name: 'x', kind: 'zone', phase, rules },
  });

  it('is refused for a phase with an entry point', async () => {
    const [call] = await emulate({});
    const answer = await call('POST', rulesets, zoneRuleset('http_request_firewall_managed'));
    const message =
      "'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase http_request_firewall_managed";
    const errors = [{ code: 20217, message, source: { pointer: '/kind' } }];
    expect([answer.status, answer.body.errors]).toEqual([400, errors]);
  });

  it('is created for another phase, listed, and deleted with an answer that has no body', async () => {
    const [call] = await emulate({});
    const { id } = (await call('POST', rulesets, zoneRuleset('http_request_firewall_custom'))).body
      .result;
    const listed = (await call('GET', rulesets)).body.result;
    expect(listed.map((ruleset: any) => ruleset.id)).toContain(id);
    const deleted = await call('DELETE', `${rulesets}/${id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await call('GET', `${rulesets}/${id}`)).status).toBe(404);
  });

  it('has rules without parameters if they execute and skip nothing', async () => {
    const [call] = await emulate({});
    const rule = { action: 'block', expression: 'ip.src eq 192.0.2.1' };
    const rules = [rule, { ...rule, action: 'log' }, { ...rule, action_parameters: {} }];
    const custom = zoneRuleset('http_request_firewall_custom', rules);
    const result = await call.write('POST', rulesets, custom);
    expect(result.rules.map((one: any) => one.action_parameters)).toEqual([
      undefined,
      undefined,
      {},
    ]);
    const parameters = '/rules/0/action_parameters';
    for (const action of ['execute', 'skip']) {
      const refused = await call.refused('PUT', entryPoint(MIGRATED), {
        rules: [{ ...rule, action }],
      });
      expect(refused.body.errors[0].source).toEqual({ pointer: parameters });
    }
  });

  it('is not written if it is managed', async () => {
    const [call] = await emulate({});
    const path = `${rulesets}/${MANAGED}`;
    expect((await call('PUT', path, { description: 'mine' })).status).toBe(403);
    expect((await call('DELETE', path)).status).toBe(403);
    expect((await call('GET', path)).body.result.description).not.toBe('mine');
  });

  it('is not written for an unknown phase', async () => {
    const [call] = await emulate({});
    const path = `${rulesets}/phases/http_request_firewall/entrypoint`;
    expect((await call('PUT', path, { rules: [] })).status).toBe(400);
    expect((await call('GET', path)).status).toBe(404);
  });
});

describe('a wrong field is refused with a pointer to it, and changes nothing', () => {
  const RULE = '0242110ae62e44028a13bf4834780914';
  const parameters = '/rules/0/action_parameters';
  const overriding = (overrides: unknown) =>
    execute({ action_parameters: { id: MANAGED, overrides } });
  const skipping = (action_parameters: object) => execute({ action: 'skip', action_parameters });

  // every-field.test.ts covers types, unknown fields and missing ones
  it.each<[string, unknown[], string, number?]>([
    ['an empty expression', [execute({ expression: '' })], '/rules/0/expression'],
    ['an open quote', [execute({ expression: 'http.host eq "a' })], '/rules/0/expression'],
    ['the id of no rule', [execute({ id: 'f'.repeat(32) })], '/rules/0/id'],
    ['the same ref twice', [execute({ ref: 'a' }), execute({ ref: 'a' })], '/rules/1/ref'],
    ['logging of an execute rule', [execute({ logging: {} })], '/rules/0/logging', 20018],
    ['parameters of a block rule', [execute({ action: 'block' })], `${parameters}/id`],
    ['overrides of nothing', [overriding({})], `${parameters}/overrides`],
    [
      'an override of nothing',
      [overriding({ rules: [{ id: RULE }] })],
      `${parameters}/overrides/rules/0`,
    ],
    [
      'an override with the key of provider 3',
      [overriding({ rules: [{ id: RULE, status: 'disabled' }] })],
      `${parameters}/overrides/rules/0/status`,
    ],
    ['a skip of nothing', [skipping({})], parameters],
    ['a skip of another ruleset', [skipping({ ruleset: 'all' })], `${parameters}/ruleset`],
  ])('%s', async (_what, rules, pointer, code = 20000) => {
    const [call] = await emulate({});
    const answer = await call.refused('PUT', entryPoint(MIGRATED), { rules });
    expect(answer.status).toBe(400);
    const error = expect.objectContaining({ code, source: { pointer } }) as unknown;
    expect(answer.body.errors).toContainEqual(error);
  });

  it.each([
    ['a kind that changes', { kind: 'root' }, '/kind'],
    ['a phase that changes', { phase: 'http_request_firewall_custom' }, '/phase'],
    ['an empty name', { name: '' }, '/name'],
  ])('of the ruleset: %s', async (_what, body, pointer) => {
    const [call] = await emulate({});
    const { id } = await live(call);
    const answer = await call.refused('PUT', `${rulesets}/${id}`, body);
    expect([answer.status, answer.body.errors[0].source]).toEqual([400, { pointer }]);
  });

  it.each([
    ['its id', (id: string) => [{ id }, { id, ref: 'other' }]],
    ['its ref and its id', (id: string, ref: string) => [{ ref }, { id, ref: 'other' }]],
  ])('a rule that is sent twice, by %s', async (_what, keys) => {
    const [call] = await emulate({});
    const [{ id, ref }] = (await live(call)).rules;
    const sent = { rules: keys(id, ref).map(execute) };
    const { status, body } = await call.refused('PUT', entryPoint(MIGRATED), sent);
    expect([status, body.errors[0].source]).toEqual([400, { pointer: '/rules/1/id' }]);
  });
});
