import { type TestClient } from './client';
import { ENTERPRISE, entryPoint, MIGRATED } from './with-emulator';
import { pageRule, WAF_OFF } from './zone';

const CLOUDFLARE = 'efb7b8c949ac4650a09736fc376e9aee';
const RULE = '0242110ae62e44028a13bf4834780914';

/** A write, with every field that it takes, and which of them it cannot do without. */
export interface Write {
  readonly body: unknown;
  readonly required: readonly string[];
  /** Texts that the service takes only up to a length, or only some of: all others are refused. */
  readonly bounded: readonly string[];
  /** What is a map, whose keys are the user's, or what is not read. */
  readonly open?: readonly string[];
  readonly send: (call: TestClient, body: unknown) => ReturnType<TestClient>;
}

/** The path of the zone that most of them write to. */
export const zone = `/zones/${ENTERPRISE}`;
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
export const execute = {
  action: 'execute',
  expression: 'true',
  description: 'a',
  enabled: false,
  ref: 'A',
  action_parameters: {
    id: CLOUDFLARE,
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
export const writes: Record<string, Write> = {
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
  'POST pagerules': {
    body: { ...pageRule('a.example.com/*', [WAF_OFF]), priority: 3 },
    required: ['/targets', '/actions', '/targets/0/constraint'],
    bounded: ['/status', '/targets/0/target', '/targets/0/constraint/operator', '/actions/0/value'],
    // actions that do not concern the WAF are kept as they are
    open: ['/actions/0', '/actions/0/id'],
    send: (call, body) => call('POST', `${zone}/pagerules`, body),
  },
  'PUT entry point': {
    body: { name: 'x', description: 'y', rules: [execute, skip] },
    required: ['/rules/0/action', '/rules/0/expression', '/rules/0/action_parameters'],
    bounded: ruleWords,
    send: (call, body) => call('PUT', entryPoint(MIGRATED), body),
  },
  'PUT entry point?waf_migration': {
    body: { rules: [execute, skip] },
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
      rules: [execute],
    },
    required: ['/name', '/kind', '/phase'],
    bounded: ['/kind', '/phase', ...ruleWords.slice(0, 4)],
    send: (call, body) => call('POST', `${zone}/rulesets`, body),
  },
  'PUT rulesets/{id}': {
    body: { name: 'x', description: 'y', rules: [execute] },
    required: ['/rules/0/action'],
    bounded: ruleWords.slice(0, 4),
    send: async (call, body) => {
      const { id } = (await call('GET', entryPoint(MIGRATED))).body.result;
      return call('PUT', `/zones/${MIGRATED}/rulesets/${id}`, body);
    },
  },
};
