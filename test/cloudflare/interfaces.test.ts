import { type Client } from '../../src/cloudflare/client';
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
import { body, html, ok, type Play, refusal } from '../support/fault-server';
import { withServer } from '../support/with-server';

const RULESET = 'fedcba9876543210fedcba9876543210';
const entryPoint = `/client/v4/zones/${ZONE}/rulesets/phases/http_request_firewall_managed/entrypoint`;

/** The url and method that a call sends. */
async function sentBy(play: Play, call: (client: Client) => Promise<unknown>): Promise<string> {
  return withServer([play], async ({ client, server }) => {
    await call(client);
    return server.requests.map(({ method, url }) => `${method} ${url}`).join(', ');
  });
}

describe('an id that is none', () => {
  const bad = [
    '',
    'x',
    ZONE.toUpperCase().replace('0', 'A'),
    `${ZONE}0`,
    `${ZONE}/../x`,
    `${ZONE}\n`,
  ];
  const calls: Record<string, (client: Client, id: string) => unknown> = {
    readZone: (client, id) => readZone(client, id),
    readCompatibility: (client, id) => readCompatibility(client, id),
    readMigrationConfig: (client, id) => readMigrationConfig(client, id),
    readMigrationStatus: (client, id) => readMigrationStatus(client, id),
    readEntryPoint: (client, id) => readEntryPoint(client, id),
    putEntryPoint: (client, id) => putEntryPoint(client, id, {}),
    listRulesets: (client, id) => listRulesets(client, id),
    'readRuleset of a zone': (client, id) => readRuleset(client, id, RULESET),
    'readRuleset of an id': (client, id) => readRuleset(client, ZONE, id),
  };
  test.each(Object.entries(calls))(
    'is refused by %s before anything is sent',
    async (name, call) => {
      await withServer([ok({})], async ({ client, server }) => {
        for (const id of bad) {
          const error = await failureOf(Promise.resolve(id).then((one) => call(client, one)));
          expect(error.code).toBe(
            name.endsWith('an id') ? 'RULESET_ID_INVALID' : 'ZONE_ID_INVALID',
          );
        }
        expect(server.requests).toEqual([]);
      });
    },
  );
});

describe('a zone', () => {
  const zone = { id: ZONE, name: 'example.test', plan: { legacy_id: 'enterprise', name: 'E' } };

  test('has its id, name and plan', async () => {
    await withServer([ok(zone)], async ({ client }) => {
      const plan = 'enterprise';
      expect(await readZone(client, ZONE)).toEqual({ id: ZONE, name: 'example.test', plan });
    });
  });

  test.each([
    ['Enterprise Website', 'enterprise'],
    ['CF Pro 20', 'pro'],
    ['Business Plan', 'business'],
    ['Free Website', 'free'],
    ['Professional', 'Professional'],
  ])('of a partner has the plan that its name "%s" tells', async (name, plan) => {
    await withServer([ok({ ...zone, plan: { name } })], async ({ client }) => {
      expect((await readZone(client, ZONE)).plan).toBe(plan);
    });
  });

  test.each([
    ['another zone', { ...zone, id: RULESET }, `the answer is about zone ${RULESET}`],
    ['null', null, 'result: invalid input: expected object, received null'],
    ['no name and no plan', { id: ZONE }, 'result.name: invalid input: expected string'],
  ])('is not taken from an answer with %s', async (_, result, words) => {
    await withServer([ok(result)], async ({ client }) => {
      const error = await failureOf(readZone(client, ZONE));
      expect(error.code).toBe('API_RESPONSE_INVALID');
      expect(error.message).toContain(`zone ${ZONE}: `);
      expect(error.message).toContain(words);
    });
  });

  test('that is unknown is API_NOT_FOUND, and named', async () => {
    const play = refusal(404, [{ code: 7003, message: 'Could not route to /zones/x' }]);
    await withServer([play], async ({ client }) => {
      const error = await failureOf(readZone(client, ZONE));
      expect(error.code).toBe('API_NOT_FOUND');
      expect(error.message).toBe(`zone ${ZONE}: could not route to /zones/x (7003), HTTP 404`);
    });
  });
});

describe('compatibility', () => {
  const result = { compatible: false, migration_state: 'start' };

  test('is read for phase two, or one', async () => {
    const path = `GET /client/v4/zones/${ZONE}/waf_migration/check`;
    const one = (client: Client) => readCompatibility(client, ZONE, { phase: 1 });
    const two = (client: Client) => readCompatibility(client, ZONE);
    expect(await sentBy(ok(result), two)).toBe(`${path}?phase_two=1`);
    expect(await sentBy(ok(result), one)).toBe(path);
    await withServer([ok(result)], async ({ client }) => {
      expect(await two(client)).toEqual({ compatible: false, migrationState: 'start' });
    });
  });

  test.each([[{}], [null], [[]], ['yes'], [{ ...result, compatible: 'true' }]])(
    'is not guessed from %j',
    async (odd) => {
      await withServer([ok(odd)], async ({ client }) => {
        const error = await failureOf(readCompatibility(client, ZONE));
        expect(error.code).toBe('API_RESPONSE_INVALID');
      });
    },
  );
});

test('the configuration is left as it came, to the letter', async () => {
  const text =
    '{ "success": true,\n "errors": [], "messages": [], "new_field": 1.0,' +
    ' "result": {"rules": [{"id": "", "version": "", "b": 1e2, "a": "\\u00e9", "__proto__": {}}]} }\n';
  await withServer([body(text)], async ({ client, server }) => {
    const envelope = await readMigrationConfig(client, ZONE);
    expect(envelope.text).toBe(text);
    expect(envelope.result).toEqual((JSON.parse(text) as { result: unknown }).result);
    expect(server.requests[0]?.url).toBe(
      `/client/v4/zones/${ZONE}/waf_migration/config?phase_two=1`,
    );
  });
});

describe('[S108] the status', () => {
  test.each<[unknown, object]>([
    [
      { migration_state: 'validation', new_waf_status: 'enabled', old_waf_status: 'disabled' },
      { migrationState: 'validation', newWaf: 'on', oldWaf: 'off' },
    ],
    [
      { old_waf: true, new_waf: false },
      { oldWaf: 'on', newWaf: 'off' },
    ],
    [
      { old_waf: 'OFF', new_waf: 'on', mode: 'x' },
      { oldWaf: 'off', newWaf: 'on', migrationState: 'x' },
    ],
    [{ new_waf_status: 'maybe', old_waf_status: 3, migration_state: null }, {}],
    [{ new_waf_status: 'constructor' }, {}],
    [{}, {}],
    [null, {}],
    [[1], {}],
    ['complete', {}],
  ])('of %j is %j beside what came', async (raw, known) => {
    await withServer([ok(raw)], async ({ client }) => {
      expect(await readMigrationStatus(client, ZONE)).toEqual({ ...known, raw });
    });
  });
});

describe('the entry point', () => {
  test('is left as it came', async () => {
    const result = { id: RULESET, name: 'default', rules: [{ id: 'x', new_field: [1] }] };
    await withServer([ok(result)], async ({ client }) => {
      expect(await readEntryPoint(client, ZONE)).toEqual(result);
    });
    expect(await sentBy(ok(result), (client) => readEntryPoint(client, ZONE))).toBe(
      `GET ${entryPoint}`,
    );
  });

  test('that does not exist is undefined', async () => {
    const message = 'could not find entrypoint ruleset in the http_request_firewall_managed phase';
    await withServer([refusal(404, [{ code: 10003, message }])], async ({ client }) => {
      expect(await readEntryPoint(client, ZONE)).toBeUndefined();
    });
  });

  test.each<[string, Play, string]>([
    ['404 with another number', refusal(404, [{ code: 7003, message: 'x' }]), 'API_NOT_FOUND'],
    ['404 without a number', refusal(404, [{ message: '10003' }]), 'API_NOT_FOUND'],
    ['400 with 10003', refusal(400, [{ code: 10003, message: 'x' }]), 'API_REFUSED'],
    ['404 of a proxy', html(404), 'API_RESPONSE_INVALID'],
    ['null', ok(null), 'API_RESPONSE_INVALID'],
    ['a list', ok([]), 'API_RESPONSE_INVALID'],
    ['nothing', body('{"success":true}'), 'API_RESPONSE_INVALID'],
  ])('is not taken to be missing because of %s', async (_, play, code) => {
    await withServer([play], async ({ client }) => {
      expect((await failureOf(readEntryPoint(client, ZONE))).code).toBe(code);
    });
  });

  test.each([
    [undefined, ''],
    ['pending', '?waf_migration=pending&phase_two=1'],
    ['validation', '?waf_migration=validation&phase_two=1'],
  ] as const)('[S126] is put with the mode %s', async (migration, query) => {
    const ruleset = { name: 'default', rules: [{ id: '', expression: '${x}' }] };
    await withServer([ok({ id: RULESET })], async ({ client, server }) => {
      const mode = migration === undefined ? {} : { migration };
      const envelope = await putEntryPoint(client, ZONE, ruleset, mode);
      expect(envelope.result).toEqual({ id: RULESET });
      expect(server.requests).toMatchObject([
        { method: 'PUT', url: `${entryPoint}${query}`, body: JSON.stringify(ruleset) },
      ]);
      expect(server.requests[0]?.headers['content-type']).toBe('application/json');
    });
  });
});

test('a ruleset is read by its id', async () => {
  const result = { id: RULESET, rules: [] };
  const call = (client: Client) => readRuleset(client, ZONE, RULESET);
  expect(await sentBy(ok(result), call)).toBe(`GET /client/v4/zones/${ZONE}/rulesets/${RULESET}`);
  await withServer([ok(result)], async ({ client }) => {
    expect(await call(client)).toEqual(result);
  });
});
