import { type Credentials } from './world';

/** One request that the emulator answered. It has no headers and no secrets. */
export interface RequestLogEntry {
  readonly method: string;
  /** Below the base address: `/zones/…`. */
  readonly path: string;
  /** Without the question mark; empty if there is no query. */
  readonly query: string;
  /** HTTP status of the response; 0 if the connection was dropped. */
  readonly status: number;
  /** The Ray ID of the response. */
  readonly ray: string;
  /** The parsed body of a write; its text if it is not JSON; absent if there is no body. */
  readonly body?: unknown;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

/** A log of requests, oldest first. The credentials are redacted everywhere. */
export function createRequestLog({ token, key }: Credentials) {
  let entries: RequestLogEntry[] = [];
  const strike = (text: string): string => text.replaceAll(token, '***').replaceAll(key, '***');
  return {
    add: (entry: Omit<RequestLogEntry, 'body'>, bodyText: string): void => {
      const clean = { ...entry, path: strike(entry.path), query: strike(entry.query) };
      entries.push(bodyText === '' ? clean : { ...clean, body: parsed(strike(bodyText)) });
    },
    entries: (): readonly RequestLogEntry[] => [...entries],
    clear: (): void => {
      entries = [];
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
