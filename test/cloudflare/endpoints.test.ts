import { type Client, type RequestEvent } from '../../src/cloudflare/client';
import { filters } from '../../src/cloudflare/firewall';
import {
  listRulesets,
  putEntryPoint,
  readEntryPoint,
  readRuleset,
} from '../../src/cloudflare/rulesets';
import {
  readCompatibility,
  readMigrationConfig,
  readMigrationStatus,
} from '../../src/cloudflare/waf-migration';
import { readZone } from '../../src/cloudflare/zones';
import { failureOf, ZONE } from '../support/client-under-test';
import { body, html, ok, type Play, refusal, serve } from '../support/fault-server';
import { clientOverEmulator } from '../support/over-emulator';
import { PRO } from '../support/zones';

const RULESET = 'fedcba9876543210fedcba9876543210';
const entryPoint = `/client/v4/zones/${ZONE}/rulesets/phases/http_request_firewall_managed/entrypoint`;

/** What a call gives, against a server that plays one answer. */
const answered = async <T>(play: Play, call: (client: Client) => Promise<T>): Promise<T> =>
  call((await serve([play])).client);

/** The method and URL that a call sends. */
async function sentBy(play: Play, call: (client: Client) => Promise<unknown>): Promise<string> {
  const { client, server } = await serve([play]);
  await call(client);
  return server.requests.map(({ method, url }) => `${method} ${url}`).join(', ');
}

test('refuses an invalid id before it sends a request', async () => {
  const bad = [
    '',
    'x',
    ZONE.toUpperCase().replace('0', 'A'),
    `${ZONE}0`,
    `${ZONE}/../x`,
    `${ZONE}\n`,
  ];
  const calls: ((client: Client, id: string) => unknown)[] = [
    readZone,
    readCompatibility,
    readMigrationConfig,
    readMigrationStatus,
    readEntryPoint,
    (client, id) => putEntryPoint(client, id, {}, 'pending'),
    listRulesets,
    (client, id) => readRuleset(client, id, RULESET),
    (client, id) => filters.read(client, id, RULESET),
  ];
  const { client, server } = await serve([ok({})]);
  const codeOf = async (call: () => unknown) =>
    (await failureOf(Promise.resolve().then(call))).code;
  for (const id of bad) {
    for (const call of calls) expect(await codeOf(() => call(client, id))).toBe('ID_INVALID');
    expect(await codeOf(() => readRuleset(client, ZONE, id))).toBe('ID_INVALID');
    expect(await codeOf(() => filters.delete(client, ZONE, id))).toBe('ID_INVALID');
  }
  expect(server.requests).toEqual([]);
});

describe('a zone', () => {
  const zone = { id: ZONE, name: 'example.test', plan: { legacy_id: 'enterprise', name: 'E' } };
  const read = (client: Client) => readZone(client, ZONE);

  test('has its id, name and plan', async () => {
    const expected = { id: ZONE, name: 'example.test', plan: 'enterprise' };
    expect(await answered(ok(zone), read)).toEqual(expected);
  });

  test.each([
    ['Enterprise Website', 'enterprise'],
    ['CF Pro 20', 'pro'],
    ['Business Plan', 'business'],
    ['Free Website', 'free'],
    ['Professional', 'Professional'],
  ])('of a partner has the plan of its name "%s"', async (name, plan) => {
    expect((await answered(ok({ ...zone, plan: { name } }), read)).plan).toBe(plan);
  });

  test.each([
    ['another zone', { ...zone, id: RULESET }, `the answer is about zone ${RULESET}`],
    ['null', null, 'result: invalid input: expected object, received null'],
    ['no name and no plan', { id: ZONE }, 'result.name: invalid input: expected string'],
  ])('is refused for a response with %s', async (_, result, words) => {
    const error = await failureOf(answered(ok(result), read));
    expect(error.code).toBe('API_RESPONSE_INVALID');
    expect(error.message).toContain(`zone ${ZONE}: `);
    expect(error.message).toContain(words);
  });
});

describe('compatibility', () => {
  const result = { compatible: false, migration_state: 'start' };
  const one = (client: Client) => readCompatibility(client, ZONE, 1);
  const two = (client: Client) => readCompatibility(client, ZONE);

  test('is read for phase two, or one', async () => {
    const path = `GET /client/v4/zones/${ZONE}/waf_migration/check`;
    expect(await sentBy(ok(result), two)).toBe(`${path}?phase_two=1`);
    expect(await sentBy(ok(result), one)).toBe(path);
    const expected = { compatible: false, migrationState: 'start' };
    expect(await answered(ok(result), two)).toEqual(expected);
  });

  test.each([[{}], [null], [[]], ['yes'], [{ ...result, compatible: 'true' }]])(
    'is not guessed from %j',
    async (odd) => {
      expect((await failureOf(answered(ok(odd), two))).code).toBe('API_RESPONSE_INVALID');
    },
  );
});

test('returns the migration configuration unchanged', async () => {
  const text =
    '{ "success": true,\n "errors": [], "messages": [], "new_field": 1.0,' +
    ' "result": {"rules": [{"id": "", "version": "", "b": 1e2, "a": "\\u00e9", "__proto__": {}}]} }\n';
  const { client, server } = await serve([body(text)]);
  const envelope = await readMigrationConfig(client, ZONE);
  expect(envelope.text).toBe(text);
  expect(envelope.result).toEqual((JSON.parse(text) as { result: unknown }).result);
  expect(server.requests[0]?.url).toBe(`/client/v4/zones/${ZONE}/waf_migration/config?phase_two=1`);
});

test.each<[unknown, object]>([
  [
    { migration_state: 'validation', new_waf_status: 'enabled', old_waf_status: 'disabled' },
    { migrationState: 'validation', newWaf: 'on', oldWaf: 'off' },
  ],
  [{ old_waf_status: 'Enabled' }, { oldWaf: 'on' }],
  [{ new_waf_status: 'maybe', old_waf_status: 3, migration_state: null }, {}],
  [{ new_waf_status: 'constructor' }, {}],
  [{}, {}],
  [null, {}],
  [[1], {}],
  ['complete', {}],
])('[S108] the status of %j is %j', async (raw, known) => {
  const status = await answered(ok(raw), (client) => readMigrationStatus(client, ZONE));
  expect(status).toEqual(known);
});

describe('the entry point', () => {
  const read = (client: Client) => readEntryPoint(client, ZONE);

  test('is returned unchanged', async () => {
    const result = { id: RULESET, name: 'default', rules: [{ id: 'x', new_field: [1] }] };
    expect(await answered(ok(result), read)).toEqual(result);
    expect(await sentBy(ok(result), read)).toBe(`GET ${entryPoint}`);
  });

  const message = 'could not find entrypoint ruleset in the http_request_firewall_managed phase';

  test.each<[string, Play]>([
    ['404 with 10003', refusal(404, [{ code: 10003, message }])],
    ['400 with 10003', refusal(400, [{ code: 10003, message }])],
    ['200 with 10003', refusal(200, [{ code: 10003, message }])],
  ])('that does not exist is undefined: %s', async (_, play) => {
    expect(await answered(play, read)).toBeUndefined();
  });

  test.each<[string, Play, string]>([
    ['404 with 7003', refusal(404, [{ code: 7003, message: 'x' }]), 'API_NOT_FOUND'],
    ['404 with 7000', refusal(404, [{ message: 'x' }, { code: 7000 }]), 'API_NOT_FOUND'],
    ['404 with 1001', refusal(404, [{ code: 1001, message: 'x' }]), 'API_NOT_FOUND'],
    ['404 with another number', refusal(404, [{ code: 10009, message }]), 'API_NOT_FOUND'],
    ['404 without a number', refusal(404, [{ message }]), 'API_NOT_FOUND'],
    ['403 with 10003', refusal(403, [{ code: 10003, message }]), 'API_REFUSED'],
    ['500 with 10003', refusal(500, [{ code: 10003, message }]), 'API_UNAVAILABLE'],
    ['404 with 10000', refusal(404, [{ code: 10000, message: 'x' }]), 'API_UNAUTHORIZED'],
    ['400 without a number', refusal(400, [{ message }]), 'API_REFUSED'],
    ['200 without a number', refusal(200, [{ message }]), 'API_REFUSED'],
    ['404 of a proxy', html(404), 'API_RESPONSE_INVALID'],
    ['404 in JSON of a proxy', body('{"errors":[]}', { status: 404 }), 'API_RESPONSE_INVALID'],
    ['null', ok(null), 'API_RESPONSE_INVALID'],
    ['a list', ok([]), 'API_RESPONSE_INVALID'],
    ['nothing', body('{"success":true}'), 'API_RESPONSE_INVALID'],
  ])('is not missing because of %s', async (_, play, code) => {
    expect((await failureOf(answered(play, read))).code).toBe(code);
  });

  test.each(['pending', 'validation'] as const)('[S126] is put with the mode %s', async (mode) => {
    const ruleset = { name: 'default', rules: [{ id: '', expression: '${x}' }] };
    const { client, server } = await serve([ok({ id: RULESET })]);
    const envelope = await putEntryPoint(client, ZONE, ruleset, mode);
    expect(envelope.result).toEqual({ id: RULESET });
    expect(server.requests).toMatchObject([
      {
        method: 'PUT',
        url: `${entryPoint}?waf_migration=${mode}&phase_two=1`,
        body: JSON.stringify(ruleset),
      },
    ]);
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
  });
});

test('a ruleset is read by its id', async () => {
  const result = { id: RULESET, rules: [] };
  const read = (client: Client) => readRuleset(client, ZONE, RULESET);
  expect(await sentBy(ok(result), read)).toBe(`GET /client/v4/zones/${ZONE}/rulesets/${RULESET}`);
  expect(await answered(ok(result), read)).toEqual(result);
});

test('each request is reported once, as the API saw it', async () => {
  const events: RequestEvent[] = [];
  const [client, emulator] = await clientOverEmulator(
    {},
    { onRequest: (event) => events.push(event) },
  );
  await readCompatibility(client, PRO);
  expect(events).toEqual([
    {
      method: 'GET',
      path: `/zones/${PRO}/waf_migration/check?phase_two=1`,
      status: 200,
      rayId: emulator.requests()[0]?.ray,
      milliseconds: expect.any(Number) as number,
    },
  ]);
});
