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

/** The path of the zone that most of them write to. */
const zone = `/zones/${ENTERPRISE}`;
const firewallRules = `${zone}/firewall/rules`;
const packages = `${zone}/firewall/waf/packages`;
/** The path of the first item of a list. */
const firstOf = async (call: TestClient, list: string): Promise<string> =>
  `${list}/${(await call('GET', list)).body.result[0].id}`;

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

/** Every write of the API: its method, its path, and a body with every field that it takes. */
type Path = string | ((call: TestClient) => Promise<string>);
const writes: [method: string, name: string, path: Path, body: object][] = [
  ['POST', 'filters', `${zone}/filters`, [filter]],
  ['PUT', 'filters/{id}', (call) => firstOf(call, `${zone}/filters`), filter],
  ['POST', 'firewall/rules', firewallRules, [rule]],
  [
    'PUT',
    'firewall/rules/{id}',
    (call) => firstOf(call, firewallRules),
    { action: 'block', paused: true, priority: 7, description: 'a', ref: 'A' },
  ],
  [
    'PATCH',
    'firewall/waf/packages/{id}',
    (call) => firstOf(call, packages),
    { sensitivity: 'high', action_mode: 'simulate' },
  ],
  [
    'PATCH',
    '…/groups/{id}',
    async (call) => firstOf(call, `${await firstOf(call, packages)}/groups`),
    { mode: 'off' },
  ],
  [
    'PATCH',
    '…/rules/{id}',
    async (call) => firstOf(call, `${await firstOf(call, packages)}/rules`),
    { mode: 'off' },
  ],
  ['POST', 'firewall/waf/overrides', `${zone}/firewall/waf/overrides`, override],
  [
    'PUT',
    'entry point',
    entryPoint(MIGRATED),
    { name: 'x', description: 'y', rules: [deployment, skip] },
  ],
  [
    'PUT',
    'entry point?waf_migration',
    `${entryPoint(ENTERPRISE)}?waf_migration=pending&phase_two=1`,
    { rules: [deployment, skip] },
  ],
  [
    'POST',
    'rulesets',
    `${zone}/rulesets`,
    {
      ...{ name: 'x', description: 'y', kind: 'zone', phase: 'http_request_firewall_managed' },
      rules: [deployment],
    },
  ],
  [
    'PUT',
    'rulesets/{id}',
    async (call) => {
      const { id } = (await call('GET', entryPoint(MIGRATED))).body.result;
      return `/zones/${MIGRATED}/rulesets/${id}`;
    },
    { name: 'x', description: 'y', rules: [deployment] },
  ],
];

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

/** All that a zone contains. */
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

it.each(writes)(
  '%s %s is taken as it is, and refused without a change for each field that is wrong',
  async (method, name, path, body) => {
    const [call] = await emulate({});
    const to = typeof path === 'string' ? path : await path(call);
    // a firewall rule is changed with its own filter
    const own =
      name === 'firewall/rules/{id}'
        ? { filter: { id: (await call('GET', to)).body.result.filter.id } }
        : undefined;
    const send = (sent: any) => call(method, to, own ? { ...own, ...sent } : sent);
    const before = await holds(call);
    const accepted: string[] = [];
    for (const [pointer, wrong] of wrongBodies(body)) {
      const { status, body: answer } = await send(wrong);
      if (status === 400 && pointsTo(answer.errors, pointer)) continue;
      accepted.push(`${pointer}: ${status} ${JSON.stringify(answer.errors)}`);
    }
    expect(accepted).toEqual([]);
    expect(await holds(call)).toEqual(before);
    expect((await send(body)).body).toMatchObject({ success: true, errors: [] });
  },
);
