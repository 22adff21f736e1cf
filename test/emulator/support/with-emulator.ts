import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator/emulator';
import { closeAfterTest } from '../../support/close-after-test';
import { ENTERPRISE, oneZone } from '../../support/zones';

export { ENTERPRISE, MIGRATED, NOT_ELIGIBLE, oneZone, PRO } from '../../support/zones';

/** A response of plain fetch. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; `undefined` where there is none. */
  readonly body: any;
}

/** The headers of one of the two authentication schemes, or both, or none. */
export type Credentials = Readonly<Record<string, string>>;

/** Calls one emulator only with fetch: it shares no code with the project's client. */
export interface TestClient {
  /** Below the base address, by default with the bearer token. */
  (method: string, path: string, body?: unknown, headers?: Credentials): Promise<Answer>;
  readonly raw: (method: string, path: string, init?: RequestInit) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
  /** A write that must succeed; its result. */
  readonly write: (method: string, path: string, body?: unknown) => Promise<any>;
  /** A call that must be refused, with the envelope, and without a change of the zone. */
  readonly refused: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

/** A client with the bearer token of the emulator. */
function clientOf({ baseUrl, credentials }: Emulator): TestClient {
  const raw = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(new URL(baseUrl).origin + path, { method, ...init });
    const text = await response.text();
    const isJson =
      text !== '' && response.headers.get('content-type')?.startsWith('application/json');
    const { status, headers } = response;
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  const bearer = { authorization: `Bearer ${credentials.token}` };
  const call = (
    method: string,
    path: string,
    body?: unknown,
    headers: Credentials = bearer,
  ): Promise<Answer> =>
    raw(method, `/client/v4${path}`, {
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const write = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await call(method, path, body);
    expect(answer).toMatchObject({ status: 200, body: { success: true, errors: [] } });
    return answer.body.result;
  };
  const refused = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const before = await contentsOf(call, path);
    const answer = await call(method, path, body);
    expect(await contentsOf(call, path)).toEqual(before);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).toMatchObject({ success: false, messages: [], result: null });
    expect(answer.body.errors).not.toEqual([]);
    return answer;
  };
  return Object.assign(call, { raw, get: (path: string) => call('GET', path), write, refused });
}

/** A separate emulator for the test, and calls to it. */
export async function emulate(options: EmulatorOptions): Promise<[TestClient, Emulator]> {
  const emulator = await startEmulator(options);
  closeAfterTest(emulator.stop);
  return [clientOf(emulator), emulator];
}

export const startService = async (scenario: string | object): Promise<TestClient> =>
  (await emulate({ scenario }))[0];

/** As `emulate`, with the one zone `ENTERPRISE`. */
export const emulateZone = (fields: object, settings: object = {}) =>
  emulate({ scenario: oneZone(fields, settings) });

export const entryPoint = (zone: string): string =>
  `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;

/** The paths of a zone that the specification names. */
export function pathsOf(zone: string) {
  const base = `/zones/${zone}`;
  return {
    filters: `${base}/filters`,
    rules: `${base}/firewall/rules`,
    overrides: `${base}/firewall/waf/overrides`,
    packages: `${base}/firewall/waf/packages`,
    pageRules: `${base}/pagerules`,
    check: `${base}/waf_migration/check?phase_two=1`,
    config: `${base}/waf_migration/config?phase_two=1`,
    status: `${base}/waf_migration/status`,
    entry: entryPoint(zone),
    move: (mode: string) => `${entryPoint(zone)}?waf_migration=${mode}&phase_two=1`,
  };
}

/** All that the zone of a path contains. */
export function contentsOf(call: (method: string, path: string) => Promise<Answer>, path: string) {
  const [, zone = ''] = /^\/zones\/(\w+)/.exec(path) ?? [];
  const { filters, rules, overrides, packages, config, status, entry } = pathsOf(zone);
  const paths = [filters, rules, overrides, packages, config, status, entry];
  const all = [...paths, `/zones/${zone}/rulesets`];
  return Promise.all(all.map(async (one) => (await call('GET', one)).text));
}

export const configOf = async (call: TestClient, zone = ENTERPRISE): Promise<any> =>
  (await call.get(pathsOf(zone).config)).body.result;

export const statusOf = async (call: TestClient, zone = ENTERPRISE): Promise<any> =>
  (await call.get(pathsOf(zone).status)).body.result;

/** Puts an entry point in one mode of the migration. */
export const migrate = (call: TestClient, mode: string, body: unknown, zone = ENTERPRISE) =>
  call('PUT', pathsOf(zone).move(mode), body);

export const OLD_OWASP = 'c504870194831cd12c3fc0284f294abb';
export const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
export const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';

export const execute = (fields: object = {}): Record<string, unknown> => ({
  action: 'execute',
  expression: 'true',
  action_parameters: { id: MANAGED },
  ...fields,
});

/** A page rule for one URL, number `index`. */
export const pageRule = (url: string, action: object, fields: object = {}, index = 0) => ({
  id: String(index).repeat(32),
  targets: [{ target: 'url', constraint: { operator: 'matches', value: url } }],
  actions: [action],
  status: 'active',
  ...fields,
});

export const WAF_OFF = { id: 'waf', value: 'off' };
export const WAF_ON = { id: 'waf', value: 'on' };

/** A filter and a rule by which the requests to one host bypass the WAF. */
export function bypass(index: number, expression: string, fields: object = {}) {
  const id = String(index).padStart(31, '0');
  return {
    filter: { id: `f${id}`, expression },
    rule: { id: `e${id}`, filter: `f${id}`, action: 'bypass', products: ['waf'], ...fields },
  };
}

/** The fields of a zone with some of them. */
export const bypassing = (...all: ReturnType<typeof bypass>[]) => ({
  filters: all.map(({ filter }) => filter),
  firewallRules: all.map(({ rule }) => rule),
});
