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

/** Calls one emulator only with fetch: it shares no code with the project's client. */
export interface TestClient {
  (method: string, path: string, body?: unknown): Promise<Answer>;
  readonly raw: (method: string, path: string, init?: RequestInit) => Promise<Answer>;
}

/** A client with the bearer token of the emulator. */
export function clientOf({ baseUrl, credentials }: Emulator): TestClient {
  const raw = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(new URL(baseUrl).origin + path, { method, ...init });
    const text = await response.text();
    const isJson =
      text !== '' && response.headers.get('content-type')?.startsWith('application/json');
    const { status, headers } = response;
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    raw(method, `/client/v4${path}`, {
      headers: {
        authorization: `Bearer ${credentials.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return Object.assign(call, { raw });
}

/** A separate emulator for the test, and calls to it. */
export async function emulate(options: EmulatorOptions): Promise<[TestClient, Emulator]> {
  const emulator = await startEmulator(options);
  closeAfterTest(emulator.stop);
  return [clientOf(emulator), emulator];
}

/** As `emulate`, with the one zone `ENTERPRISE`. */
export const emulateZone = (fields: object, settings: object = {}) =>
  emulate({ scenario: oneZone(fields, settings) });

/** The path of the entry point of the managed phase. */
export const entryPoint = (zone: string): string =>
  `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;

/** The answer to `waf_migration/config` in phase two. */
export const configOf = async (call: TestClient, zone = ENTERPRISE): Promise<any> =>
  (await call('GET', `/zones/${zone}/waf_migration/config?phase_two=1`)).body.result;

/** The answer to `waf_migration/status`. */
export const statusOf = async (call: TestClient, zone = ENTERPRISE): Promise<any> =>
  (await call('GET', `/zones/${zone}/waf_migration/status`)).body.result;

/** Puts an entry point in one mode of the migration. */
export const migrate = (call: TestClient, mode: string, body: unknown, zone = ENTERPRISE) =>
  call('PUT', `${entryPoint(zone)}?phase_two=1&waf_migration=${mode}`, body);

export const OLD_OWASP = 'c504870194831cd12c3fc0284f294abb';
export const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
export const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';

/** A rule that deploys a managed ruleset. */
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
