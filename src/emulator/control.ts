import * as z from 'zod';
import { accept } from './body';
import { type FaultPlan, faultSchema } from './faults';
import { type Route } from './route';
import { sendTraffic } from './traffic/traffic';
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

/** The error code of malformed faults and traffic. The Cloudflare API has no such code. */
const INVALID = 1;

/** Paths that control the emulator from another process. The Cloudflare API does not have them. */
export function controlRoutes(log: RequestLog, faults: FaultPlan): readonly Route[] {
  return [
    {
      path: '/requests',
      methods: {
        GET: () => ({ result: log.entries() }),
        DELETE: () => {
          log.clear();
          return { result: [] };
        },
      },
    },
    {
      path: '/faults',
      methods: {
        GET: () => ({ result: faults.list() }),
        PUT: (call) => {
          faults.set(accept(z.array(faultSchema), call.body(), INVALID));
          return { result: faults.list() };
        },
        DELETE: () => {
          faults.set([]);
          return { result: [] };
        },
      },
    },
    {
      path: '/traffic',
      methods: { POST: ({ world, body }) => ({ result: sendTraffic(body(), world) }) },
    },
  ];
}
