import { type Answer } from './cloudflare-http';

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
