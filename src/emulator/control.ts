import * as z from 'zod';
import { accept } from './body';
import { type FaultPlan, faultSchema } from './faults';
import { type Route } from './route';
import { sendTraffic } from './traffic/traffic';
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

export type RequestLog = ReturnType<typeof createRequestLog>;

/** A log of requests, oldest first, without the given secrets wherever a caller has put them. */
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

/** The code of malformed faults and traffic, which are no part of the API. */
const INVALID = 1;

/** Paths that steer the emulator from another process. None of them is part of the API. */
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
