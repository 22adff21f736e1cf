import {
  contentsOf,
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
const inPackage =
  (list: string): Path =>
  async (call) =>
    firstOf(call, `${await firstOf(call, packages)}/${list}`);
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
  ['PATCH', '…/groups/{id}', inPackage('groups'), { mode: 'off' }],
  ['PATCH', '…/rules/{id}', inPackage('rules'), { mode: 'off' }],
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

/** The keys of these maps are the user's. */
const isMap = (pointer: string): boolean => /^\/(rules|groups|rewrite_action)$/.test(pointer);

/** Bodies with one wrong field, with a pointer to it. */
function wrongBodies(body: unknown, at = ''): [pointer: string, body: unknown][] {
  const wrong = typeof body === 'string' ? { not: 'a text' } : 'neither number, list nor true';
  if (typeof body !== 'object' || body === null) return [[at, wrong]];
  const inner = Object.entries(body).flatMap(([key, value]) =>
    wrongBodies(value, `${at}/${key}`).map(([pointer, other]): [string, unknown] => {
      const copy = Array.isArray(body) ? [...body] : { ...body };
      return [pointer, Object.assign(copy, { [key]: other })];
    }),
  );
  const unknownField: [string, unknown] = [`${at}/foo`, { ...body, foo: 1 }];
  return [[at, wrong], ...inner, ...(Array.isArray(body) || isMap(at) ? [] : [unknownField])];
}

it.each(writes)(
  '%s %s is accepted, and refused without a change for each wrong field',
  async (method, name, path, body) => {
    const [call] = await emulate({});
    const to = typeof path === 'string' ? path : await path(call);
    // a firewall rule is changed with its own filter
    const own =
      name === 'firewall/rules/{id}'
        ? { filter: { id: (await call('GET', to)).body.result.filter.id } }
        : undefined;
    const whole = (sent: any) => (own ? { ...own, ...sent } : sent);
    const before = await contentsOf(call, to);
    for (const [pointer, wrong] of wrongBodies(body)) {
      const { status, body: answer } = await call(method, to, whole(wrong));
      const pointers = answer.errors.map(({ source }: any) => `${source?.pointer}/`);
      // an error may point into the wrong value
      expect([pointer, status, pointers]).toEqual([
        pointer,
        400,
        expect.arrayContaining([expect.stringMatching(new RegExp(`^${pointer}/`))]),
      ]);
    }
    expect(await contentsOf(call, to)).toEqual(before);
    await call.write(method, to, whole(body));
  },
);
