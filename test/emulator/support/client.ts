import { type Emulator } from '../../../src/emulator/emulator';

/** An answer as plain fetch sees it. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; `undefined` where there is none. */
  readonly body: any;
}

/** Calls one emulator with nothing but fetch: it shares no code with the project's client. */
export interface TestClient {
  (method: string, path: string, body?: unknown): Promise<Answer>;
  readonly raw: (method: string, path: string, init?: RequestInit) => Promise<Answer>;
}

/** A client with the bearer token of the emulator. */
export function clientOf({ baseUrl, credentials }: Emulator): TestClient {
  const raw = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(baseUrl + path, { method, ...init });
    const text = await response.text();
    const json =
      text !== '' && response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: json === true ? JSON.parse(text) : undefined,
    };
  };
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    raw(method, path, {
      headers: {
        authorization: `Bearer ${credentials.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return Object.assign(call, { raw });
}
