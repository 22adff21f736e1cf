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

/** A write, with every field that it takes, and which of them it cannot do without. */
interface Write {
  readonly body: unknown;
  readonly required: readonly string[];
  /** Texts that the service takes only up to a length, or only some of: all others are refused. */
  readonly bounded: readonly string[];
  /** What is a map, whose keys are the user's, or what is not read. */
  readonly open?: readonly string[];
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

const parameters = '/rules/0/action_parameters';
const ruleWords = [
  '/rules/0/action',
  `${parameters}/id`,
  `${parameters}/overrides/action`,
  `${parameters}/overrides/rules/0/id`,
  '/rules/1/action_parameters/ruleset',
];

/** Every write of the service. */
const writes: Record<string, Write> = {
  'POST filters': {
    body: [filter],
    required: ['/0/expression'],
    bounded: ['/0/description', '/0/ref'],
    send: (call, body) => call('POST', `${zone}/filters`, body),
  },
  'PUT filters/{id}': {
    body: filter,
    required: ['/expression'],
    bounded: ['/description', '/ref'],
    send: async (call, body) =>
      call('PUT', `${zone}/filters/${await firstId(call, `${zone}/filters`)}`, body),
  },
  'POST firewall/rules': {
    body: [rule],
    required: ['/0/filter', '/0/action'],
    bounded: ['/0/action', '/0/products/0', '/0/description', '/0/ref'],
    send: (call, body) => call('POST', `${zone}/firewall/rules`, body),
  },
  'PUT firewall/rules/{id}': {
    body: { action: 'block', paused: true, priority: 7, description: 'a', ref: 'A' },
    required: ['/action'],
    bounded: ['/action', '/description', '/ref'],
    send: async (call, body) => {
      const rules = `${zone}/firewall/rules`;
      const [{ id, filter: used }] = (await call('GET', rules)).body.result;
      return call('PUT', `${rules}/${id}`, { filter: { id: used.id }, ...(body as object) });
    },
  },
  'PATCH firewall/waf/packages/{id}': {
    body: { sensitivity: 'high', action_mode: 'simulate' },
    required: [],
    bounded: ['/sensitivity', '/action_mode'],
    send: async (call, body) => {
      const packages = (await call('GET', `${zone}/firewall/waf/packages?per_page=100`)).body
        .result;
      const { id } = packages.find((one: any) => one.detection_mode === 'anomaly');
      return call('PATCH', `${zone}/firewall/waf/packages/${id}`, body);
    },
  },
  'PATCH …/groups/{id}': {
    body: { mode: 'off' },
    required: ['/mode'],
    bounded: ['/mode'],
    send: async (call, body) => {
      const packages = `${zone}/firewall/waf/packages`;
      const groups = `${packages}/${await firstId(call, packages)}/groups`;
      return call('PATCH', `${groups}/${await firstId(call, groups)}`, body);
    },
  },
  'PATCH …/rules/{id}': {
    body: { mode: 'off' },
    required: ['/mode'],
    bounded: ['/mode'],
    send: async (call, body) => {
      const packages = `${zone}/firewall/waf/packages`;
      const rules = `${packages}/${await firstId(call, packages)}/rules`;
      return call('PATCH', `${rules}/${await firstId(call, rules)}`, body);
    },
  },
  'POST firewall/waf/overrides': {
    body: override,
    required: ['/urls', '/rules'],
    bounded: ['/description', '/rules/100532', '/rewrite_action/disable'],
    open: ['/rules', '/groups', '/rewrite_action'],
    send: (call, body) => call('POST', `${zone}/firewall/waf/overrides`, body),
  },
  'PUT entry point': {
    body: { name: 'x', description: 'y', rules: [deployment, skip] },
    required: ['/rules/0/action', '/rules/0/expression', '/rules/0/action_parameters'],
    bounded: ruleWords,
    send: (call, body) => call('PUT', entryPoint(MIGRATED), body),
  },
  'PUT entry point?waf_migration': {
    body: { rules: [deployment, skip] },
    required: ['/rules/0/action', '/rules/0/expression', '/rules/0/action_parameters'],
    bounded: ruleWords,
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
    required: ['/name', '/kind', '/phase'],
    bounded: ['/kind', '/phase', ...ruleWords.slice(0, 4)],
    send: (call, body) => call('POST', `${zone}/rulesets`, body),
  },
  'PUT rulesets/{id}': {
    body: { name: 'x', description: 'y', rules: [deployment] },
    required: ['/rules/0/action'],
    bounded: ruleWords.slice(0, 4),
    send: async (call, body) => {
      const { id } = (await call('GET', entryPoint(MIGRATED))).body.result;
      return call('PUT', `/zones/${MIGRATED}/rulesets/${id}`, body);
    },
  },
};

/** Every place of a body but the root, as JSON pointers. */
function pointers(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const pointer = `${at}/${key}`;
    return [pointer, ...pointers(one, pointer)];
  });
}

/** A copy of a body with another value in one place; undefined takes it away. */
function withValue(body: unknown, pointer: string, change: (value: unknown) => unknown): unknown {
  if (pointer === '') return change(body);
  const [, key = '', ...rest] = pointer.split('/');
  const copy: any = structuredClone(body);
  copy[key] =
    rest.length > 0 ? withValue(copy[key], `/${rest.join('/')}`, change) : change(copy[key]);
  return copy;
}

const anotherType = (value: unknown): unknown => {
  if (typeof value === 'string') return { not: 'a text' };
  return 'neither a number, a list nor true';
};

/** Whether an error points to a field, or into what was put there. */
const pointsTo = (errors: any[], pointer: string): boolean =>
  errors.some(
    ({ source }) => source?.pointer === pointer || source?.pointer?.startsWith(`${pointer}/`),
  );

/** All that a zone holds, as its interfaces tell it. */
async function holds(call: TestClient): Promise<unknown[]> {
  const paths = [
    ...['filters', 'firewall/rules', 'firewall/waf/overrides', 'rulesets'].map(
      (path) => `${zone}/${path}`,
    ),
    `${zone}/firewall/waf/packages`,
    `${zone}/waf_migration/status`,
    entryPoint(ENTERPRISE),
    entryPoint(MIGRATED),
  ];
  return [
    await configOf(call, ENTERPRISE),
    ...(await Promise.all(paths.map(async (path) => (await call('GET', path)).body.result))),
  ];
}

describe.each(Object.entries(writes))(
  '%s',
  (_name, { body, required, bounded, open = [], send }) => {
    it('is refused with each field wrong in turn, and changes nothing', async () => {
      const places = pointers(body);
      const wrong = (what: string, at: string, change: (value: any) => unknown, under = '') =>
        [`${what} ${at}`, at + under, withValue(body, at, change)] as const;
      const objects = ['', ...places].filter(
        (at) => !open.includes(at) && isObject(valueAt(body, at)),
      );
      const cases = [
        ...places.map((at) => wrong('another type at', at, anotherType)),
        ...required.map((at) => wrong('nothing at', at, () => undefined)),
        ...objects.map((at) =>
          wrong('an unknown field in', at, (one) => ({ ...one, foo: 1 }), '/foo'),
        ),
        ...bounded.map((at) => wrong('an unknown or too long text at', at, () => 'x'.repeat(1e5))),
      ];
      const [call] = await emulate({});
      const before = await holds(call);
      const accepted: string[] = [];
      for (const [what, pointer, changed] of cases) {
        const { status, body: answer } = await send(call, changed);
        if (status !== 400 || answer.success !== false) accepted.push(`${what}: ${status}`);
        else if (!pointsTo(answer.errors, pointer)) {
          accepted.push(`${what}: ${JSON.stringify(answer.errors)}`);
        }
      }
      expect(accepted).toEqual([]);
      expect(await holds(call)).toEqual(before);
    });

    it('is taken as it is', async () => {
      const [call] = await emulate({});
      expect((await send(call, body)).body).toMatchObject({ success: true, errors: [] });
    });
  },
);

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueAt(body: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((value: any, key) => value[key], body);
}
