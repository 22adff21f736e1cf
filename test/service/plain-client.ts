import { closeAfterTest } from '../support/close-after-test';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';

/** An answer, as fetch gives it. */
export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly body: any;
}

/** The two schemes of the service; a request may use either, both or none. */
export type Headers = Readonly<Record<string, string>>;

/** A second client: nothing but fetch, so that it makes no mistake together with the first one. */
export class PlainClient {
  constructor(private readonly emulator: Emulator) {}

  /** Without a slash at its end. */
  get base(): string {
    return this.emulator.baseUrl;
  }

  get bearer(): Headers {
    return { Authorization: `Bearer ${this.emulator.credentials.token}` };
  }

  get pair(): Headers {
    const { email, key } = this.emulator.credentials;
    return { 'X-Auth-Email': email, 'X-Auth-Key': key };
  }

  async send(method: string, path: string, body: unknown, headers: Headers): Promise<Answer> {
    const json = { 'Content-Type': 'application/json' };
    const response = await fetch(this.emulator.baseUrl + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : json) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: text === '' ? undefined : JSON.parse(text),
    };
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

/** An emulator of the test's own. */
export async function startService(scenario: string | object): Promise<PlainClient> {
  const emulator = await startEmulator({ scenario });
  closeAfterTest(emulator.stop);
  return new PlainClient(emulator);
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
