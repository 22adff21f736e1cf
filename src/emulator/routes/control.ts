import * as z from 'zod';
import { accept } from '../accept';
import { type Route } from '../call';
import { faultSchema } from '../faults/fault';
import { type FaultPlan } from '../faults/fault-plan';
import { type RequestLog } from '../request-log';
import { sendTraffic } from '../traffic/run-traffic';

/** Where the control path begins; it is there only if it was asked for. */
export const CONTROL_PATH = '/_emulator';

const INVALID = 1;

/** Paths that steer the emulator from another process. None of them is part of the service. */
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
