import {
  configOf,
  ENTERPRISE,
  entryPoint,
  MANAGED,
  MIGRATED,
  type TestClient,
  emulate,
} from './support/with-emulator';

const RULE = '0242110ae62e44028a13bf4834780914';

/** A write, with every field that it takes. */
interface Write {
  readonly body: unknown;
  readonly send: (call: TestClient, body: unknown) => ReturnType<TestClient>;
}

/** The path of the zone that most of them write to. */
const zone = `/zones/${ENTERPRISE}`;
const firstId = async (call: TestClient, path: string): Promise<string> =>
  (await call('GET', path)).body.result[0].id;

const filter = {
  expression: 'http.host eq "a.example.com"',
  paused: true,
  description: 'a',
  ref: 'A',
};
const rule = {
  filter: { expression: 'http.host eq "b.example.com"' },
  action: 'bypass',
  products: ['waf'],
  paused: true,
  priority: 7,
  description: 'a',
  ref: 'A',
};
const override = {
  urls: ['shop.example.com/x'],
  rules: { '100532': 'disable' },
  groups: {},
  rewrite_action: { disable: 'simulate' },
  priority: 3,
  paused: true,
  description: 'a',
};
const deployment = {
  action: 'execute',
  expression: 'true',
  description: 'a',
  enabled: false,
  ref: 'A',
  action_parameters: {
    id: MANAGED,
    overrides: {
      enabled: true,
      action: 'log',
      categories: [{ category: 'wordpress', enabled: false, action: 'log' }],
      rules: [{ id: RULE, action: 'log', enabled: true, score_threshold: 40 }],
    },
  },
};
const skip = {
  action: 'skip',
  expression: 'ip.src eq 192.0.2.1',
  enabled: true,
  logging: { enabled: true },
  action_parameters: { ruleset: 'current' },
};

/** Every write of the service. */
const writes: Record<string, Write> = {
  'POST filters': {
    body: [filter],
    send: (call, body) => call('POST', `${zone}/filters`, body),
  },
  'PUT filters/{id}': {
    body: filter,
    send: async (call, body) =>
      call('PUT', `${zone}/filters/${await firstId(call, `${zone}/filters`)}`, body),
  },
  'POST firewall/rules': {
    body: [rule],
    send: (call, body) => call('POST', `${zone}/firewall/rules`, body),
  },
  'PUT firewall/rules/{id}': {
    body: { action: 'block', paused: true, priority: 7, description: 'a', ref: 'A' },
    send: async (call, body) => {
      const rules = `${zone}/firewall/rules`;
      const [{ id, filter: used }] = (await call('GET', rules)).body.result;
      return call('PUT', `${rules}/${id}`, { filter: { id: used.id }, ...(body as object) });
    },
  },
  'PATCH firewall/waf/packages/{id}': {
    body: { sensitivity: 'high', action_mode: 'simulate' },
    send: async (call, body) => {
      const packages = (await call('GET', `${zone}/firewall/waf/packages?per_page=100`)).body
        .result;
      const { id } = packages.find((one: any) => one.detection_mode === 'anomaly');
      return call('PATCH', `${zone}/firewall/waf/packages/${id}`, body);
    },
  },
  'PATCH …/groups/{id}': {
    body: { mode: 'off' },
    send: async (call, body) => {
      const packages = `${zone}/firewall/waf/packages`;
      const groups = `${packages}/${await firstId(call, packages)}/groups`;
      return call('PATCH', `${groups}/${await firstId(call, groups)}`, body);
    },
  },
  'PATCH …/rules/{id}': {
    body: { mode: 'off' },
    send: async (call, body) => {
      const packages = `${zone}/firewall/waf/packages`;
      const rules = `${packages}/${await firstId(call, packages)}/rules`;
      return call('PATCH', `${rules}/${await firstId(call, rules)}`, body);
    },
  },
  'POST firewall/waf/overrides': {
    body: override,
    send: (call, body) => call('POST', `${zone}/firewall/waf/overrides`, body),
  },
  'PUT entry point': {
    body: { name: 'x', description: 'y', rules: [deployment, skip] },
    send: (call, body) => call('PUT', entryPoint(MIGRATED), body),
  },
  'PUT entry point?waf_migration': {
    body: { rules: [deployment, skip] },
    send: (call, body) =>
      call('PUT', `${entryPoint(ENTERPRISE)}?waf_migration=pending&phase_two=1`, body),
  },
  'POST rulesets': {
    body: {
      name: 'x',
      description: 'y',
      kind: 'zone',
      phase: 'http_request_firewall_managed',
      rules: [deployment],
    },
    send: (call, body) => call('POST', `${zone}/rulesets`, body),
  },
  'PUT rulesets/{id}': {
    body: { name: 'x', description: 'y', rules: [deployment] },
    send: async (call, body) => {
      const { id } = (await call('GET', entryPoint(MIGRATED))).body.result;
      return call('PUT', `/zones/${MIGRATED}/rulesets/${id}`, body);
    },
  },
};

/** Every place of a body, as a JSON pointer, with its value. */
function places(value: unknown, at = ''): [pointer: string, value: unknown][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [[at, value], ...inner.flatMap(([key, one]) => places(one, `${at}/${key}`))];
}

/** A copy of a body with another value in one place. */
function withValue(body: unknown, pointer: string, value: unknown): unknown {
  const [, key, ...rest] = pointer.split('/');
  if (key === undefined) return value;
  const copy: any = structuredClone(body);
  copy[key] = withValue(copy[key], rest.map((one) => `/${one}`).join(''), value);
  return copy;
}

/** The keys of these maps are the user's. */
const isMap = (pointer: string): boolean => /^\/(rules|groups|rewrite_action)$/.test(pointer);

/** Bodies with one wrong field, with a pointer to it. */
function wrongBodies(body: unknown): [pointer: string, body: unknown][] {
  return places(body).flatMap(([at, value]): [string, unknown][] => {
    const another = typeof value === 'string' ? { not: 'a text' } : 'neither number, list nor true';
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [
      [at, withValue(body, at, another)],
      ...(isObject && !isMap(at)
        ? [[`${at}/foo`, withValue(body, at, { ...value, foo: 1 })] as [string, unknown]]
        : []),
    ];
  });
}

/** Whether an error points to a field, or into what was put there. */
const pointsTo = (errors: any[], pointer: string): boolean =>
  errors.some(({ source }) => `${source?.pointer}/`.startsWith(`${pointer}/`));

/** All that a zone holds, as its interfaces tell it. */
async function holds(call: TestClient): Promise<unknown[]> {
  const paths = [
    ...['filters', 'firewall/rules', 'firewall/waf/overrides', 'firewall/waf/packages'],
    ...['rulesets', 'waf_migration/status'],
  ].map((path) => `${zone}/${path}`);
  const all = [...paths, entryPoint(ENTERPRISE), entryPoint(MIGRATED)];
  return [
    await configOf(call, ENTERPRISE),
    ...(await Promise.all(all.map(async (path) => (await call('GET', path)).body.result))),
  ];
}

it.each(Object.entries(writes))(
  '%s is taken as it is, and refused without a change for each field that is wrong',
  async (_name, { body, send }) => {
    const [call] = await emulate({});
    const before = await holds(call);
    const accepted: string[] = [];
    for (const [pointer, wrong] of wrongBodies(body)) {
      const { status, body: answer } = await send(call, wrong);
      if (status === 400 && pointsTo(answer.errors, pointer)) continue;
      accepted.push(`${pointer}: ${status} ${JSON.stringify(answer.errors)}`);
    }
    expect(accepted).toEqual([]);
    expect(await holds(call)).toEqual(before);
    expect((await send(call, body)).body).toMatchObject({ success: true, errors: [] });
  },
);
