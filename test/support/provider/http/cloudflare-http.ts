import { readFileSync } from 'node:fs';
import { request as httpRequest, Agent as HttpAgent, STATUS_CODES } from 'node:http';
import { request as httpsRequest, Agent as HttpsAgent } from 'node:https';

/** The response of the API, with any status. */
export interface Answer {
  method: string;
  url: string;
  status: number;
  statusText: string;
  text: string;
  /** The body as JSON; null if it is not JSON. */
  json: Envelope | null;
}

interface Envelope {
  success?: boolean;
  errors?: { code?: number; message?: string }[];
  result?: unknown;
  result_info?: { page?: number; per_page?: number; total_pages?: number };
}

/** How a major calls the API: address, credentials and retries. */
export interface HttpSettings {
  baseUrl: string;
  headers: Record<string, string>;
  /** The number of retries after 429 or 5xx. */
  retries: number;
  /** Milliseconds before the first retry; doubled for each further one, up to `maxBackoff`. */
  backoff: number;
  maxBackoff?: number;
  /** A file of certificates to trust, for https. */
  caFile?: string;
}

/** The API could not be reached. */
export class NoAnswer extends Error {}

/** HTTP requests to the API, with the retries that every major makes. */
export class CloudflareHttp {
  private readonly agent: HttpAgent;
  private readonly tls: boolean;

  constructor(private readonly settings: HttpSettings) {
    this.tls = settings.baseUrl.startsWith('https:');
    const keepAlive = { keepAlive: true };
    const ca = settings.caFile === undefined ? undefined : readFileSync(settings.caFile);
    this.agent = this.tls
      ? new HttpsAgent({ ...keepAlive, ...(ca !== undefined && { ca }) })
      : new HttpAgent(keepAlive);
  }

  /** @throws {NoAnswer} */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const { retries, backoff, maxBackoff = Infinity } = this.settings;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.once(method, path, body);
      const worthRetrying = answer.status === 429 || answer.status >= 500;
      if (!worthRetrying || attempt >= retries) return answer;
      const pause = Math.min(backoff * 2 ** attempt, maxBackoff);
      await new Promise((wake) => setTimeout(wake, pause));
    }
  }

  /** Closes the kept connections. */
  close(): void {
    this.agent.destroy();
  }

  private once(method: string, path: string, body: unknown): Promise<Answer> {
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
