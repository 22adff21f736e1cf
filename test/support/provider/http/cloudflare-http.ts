import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, STATUS_CODES, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** The response of the API, with any status. */
export interface Answer {
  method: string;
  url: string;
  status: number;
  statusText: string;
  text: string;
  json: Envelope | null;
}

interface Envelope {
  success?: boolean;
  errors?: { code?: number; message?: string }[];
  result?: unknown;
  result_info?: { total_pages?: number };
}

/** How the API is called: address and credentials. */
export interface HttpSettings {
  baseUrl: string;
  headers: Record<string, string>;
  /** A file of certificates to trust, for https. */
  caFile?: string;
}

export class NoAnswer extends Error {}

/** HTTP requests to the API, without the retries of the real providers, which take minutes. */
export class CloudflareHttp {
  private readonly agent: HttpAgent;
  private readonly tls: boolean;

  constructor(private readonly settings: HttpSettings) {
    this.tls = settings.baseUrl.startsWith('https:');
    const ca = settings.caFile === undefined ? undefined : readFileSync(settings.caFile);
    // without keep-alive: the server can close an idle connection while a request is sent on it
    this.agent = this.tls ? new HttpsAgent({ ...(ca !== undefined && { ca }) }) : new HttpAgent();
  }

  close(): void {
    this.agent.destroy();
  }

  send(method: string, path: string, body?: unknown): Promise<Answer> {
    const url = this.settings.baseUrl.replace(/\/$/, '') + path;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const send = this.tls ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const headers = {
        ...this.settings.headers,
        'content-type': 'application/json',
        ...(payload !== undefined && { 'content-length': Buffer.byteLength(payload) }),
      };
      const call = send(url, { method, headers, agent: this.agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', reject).on('end', () => {
          const status = response.statusCode ?? 0;
          const statusText = STATUS_CODES[status] ?? '';
          resolve({ method, url, status, statusText, text, json: parseEnvelope(text) });
        });
      });
      call.on('error', (error) => {
        reject(new NoAnswer(`${method} ${url}: ${error.message}`));
      });
      call.end(payload);
    });
  }
}

function parseEnvelope(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

/** The kind of error, by status, in the client library of providers 3 and 4. */
export class ClientError extends Error {
  constructor(
    readonly kind:
      'authentication' | 'authorization' | 'notFound' | 'ratelimit' | 'service' | 'request',
    readonly codes: number[],
    message: string,
  ) {
    super(message);
  }
}

function kindOf(status: number): ClientError['kind'] {
  if (status === 401) return 'authentication';
  if (status === 403) return 'authorization';
  if (status === 404) return 'notFound';
  if (status === 429) return 'ratelimit';
  return status >= 500 ? 'service' : 'request';
}

/**
 * The result of an answer.
 *
 * @throws {ClientError} worded `message (code)`, as cloudflare-go 0.61 does
 */
export function resultOf(answer: Answer): unknown {
  const empty = answer.status < 300 && answer.text === '';
  if (empty || (answer.status < 300 && answer.json?.success === true)) return answer.json?.result;
  const errors = answer.json?.errors ?? [];
  if (answer.json === null) {
    throw new ClientError(
      answer.status < 300 ? 'service' : kindOf(answer.status),
      [],
      `HTTP status ${answer.status}: content ${JSON.stringify(answer.text.slice(0, 200))}`,
    );
  }
  throw new ClientError(
    kindOf(answer.status),
    errors.flatMap(({ code }) => code ?? []),
    errors
      .map(({ message = '', code }) => (code === undefined ? message : `${message} (${code})`))
      .join(', '),
  );
}
