import { type Credentials } from './world';

/** One request that the emulator answered. Headers are not kept, and no secret is. */
export interface RequestLogEntry {
  readonly method: string;
  /** Below the base address: `/zones/…`. */
  readonly path: string;
  /** Without the question mark; empty where there is none. */
  readonly query: string;
  /** HTTP status of the answer; 0 where the connection was dropped instead. */
  readonly status: number;
  /** The Ray ID of the answer. */
  readonly ray: string;
  /** The parsed body of a write, its text where it is no JSON, absent where there is none. */
  readonly body?: unknown;
}

/** The requests of an emulator, oldest first. */
export interface RequestLog {
  readonly add: (entry: Omit<RequestLogEntry, 'body'>, bodyText: string) => void;
  readonly entries: () => readonly RequestLogEntry[];
  readonly clear: () => void;
}

/** A log that strikes out the given secrets wherever a caller may have put them. */
export function createRequestLog(secrets: Credentials): RequestLog {
  let entries: RequestLogEntry[] = [];
  const strike = (text: string): string =>
    [secrets.token, secrets.key].reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return {
    add: (entry, bodyText) => {
      const clean = { ...entry, path: strike(entry.path), query: strike(entry.query) };
      entries.push(bodyText === '' ? clean : { ...clean, body: parsed(strike(bodyText)) });
    },
    entries: () => [...entries],
    clear: () => {
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
