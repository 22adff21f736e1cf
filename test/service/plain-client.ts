import { type Emulator } from '../../src/emulator/emulator';
import { type Answer, emulate, type TestClient } from '../emulator/support/with-emulator';

/** The two authentication schemes; a request may use either, both or none. */
export type Headers = Readonly<Record<string, string>>;

/** A second client, only with fetch, so that it shares no mistake with the first one. */
export class PlainClient {
  /** Without a slash at its end. */
  readonly base: string;
  readonly bearer: Headers;
  readonly pair: Headers;

  constructor(
    private readonly call: TestClient,
    { baseUrl, credentials: { token, email, key } }: Emulator,
  ) {
    this.base = baseUrl;
    this.bearer = { Authorization: `Bearer ${token}` };
    this.pair = { 'X-Auth-Email': email, 'X-Auth-Key': key };
  }

  send(method: string, path: string, body: unknown, headers: Headers): Promise<Answer> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const all = { 'Content-Type': 'application/json', ...headers };
    return this.call.raw(method, `/client/v4${path}`, { headers: all, ...sent });
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path, undefined, this.bearer);
  }

  /** A write that must succeed; its result. */
  async write(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.send(method, path, body, this.bearer);
    expect(answer).toMatchObject({ status: 200, body: { success: true, errors: [] } });
    return answer.body.result;
  }

  /** A call that must be refused, with the envelope. */
  async refused(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.send(method, path, body, this.bearer);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).toMatchObject({ success: false, messages: [], result: null });
    expect(answer.body.errors).not.toEqual([]);
    return answer;
  }
}

/** A separate emulator for the test. */
export async function startService(scenario: string | object): Promise<PlainClient> {
  return new PlainClient(...(await emulate({ scenario })));
}

/** The paths of a zone that the document names. */
export function pathsOf(zone: string) {
  const base = `/zones/${zone}`;
  const entry = `${base}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  return {
    filters: `${base}/filters`,
    rules: `${base}/firewall/rules`,
    overrides: `${base}/firewall/waf/overrides`,
    packages: `${base}/firewall/waf/packages`,
    pageRules: `${base}/pagerules`,
    check: `${base}/waf_migration/check?phase_two=1`,
    config: `${base}/waf_migration/config?phase_two=1`,
    status: `${base}/waf_migration/status`,
    entry,
    move: (mode: string) => `${entry}?waf_migration=${mode}&phase_two=1`,
  };
}
