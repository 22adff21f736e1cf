/** What the service answered, whatever its status. */
export interface Answer {
  method: string;
  url: string;
  status: number;
  statusText: string;
  text: string;
  /** The body as JSON; null when it is none. */
  json: Envelope | null;
}

export interface Envelope {
  success?: boolean;
  errors?: { code?: number; message?: string }[];
  result?: unknown;
  result_info?: { page?: number; per_page?: number; total_pages?: number };
}

/** How a major talks to the service: where, as whom, and how patiently. */
export interface HttpSettings {
  baseUrl: string;
  headers: Record<string, string>;
  /** How often an answer of 429 or 5xx is asked for again. */
  retries: number;
  /** Milliseconds before the first retry; doubled for each further one. */
  backoff: number;
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

/** Plain HTTP to the service, with the retries that every major makes. */
export class CloudflareHttp {
  constructor(private readonly settings: HttpSettings) {}

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.once(method, path, body);
      const worthRetrying = answer.status === 429 || answer.status >= 500;
      if (!worthRetrying || attempt >= this.settings.retries) return answer;
      await new Promise((wake) => setTimeout(wake, this.settings.backoff * 2 ** attempt));
    }
  }

  private async once(method: string, path: string, body: unknown): Promise<Answer> {
    const url = this.settings.baseUrl.replace(/\/$/, '') + path;
    const response = await fetch(url, {
      method,
      headers: { ...this.settings.headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      method,
      url,
      status: response.status,
      statusText: reasons[response.status] ?? response.statusText,
      text,
      json: parseEnvelope(text),
    };
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
