import * as z from 'zod';
import { accept } from '../refusal';
import { createApp } from '../app';
import { type Route } from '../call';
import { type FaultPlan, faultSchema } from '../faults/fault';
import { type RequestLog, type Service, type ServiceParts } from '../service';
import { sendTraffic } from '../traffic/run-traffic';

/** Where the control path begins; it is there only if it was asked for. */
const CONTROL_PATH = '/_emulator';

const INVALID = 1;

/** Paths that steer the emulator from another process. None of them is part of the service. */
function controlRoutes(log: RequestLog, faults: FaultPlan): readonly Route[] {
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

/** A service with the control path beside it. What happens there meets no fault and is not logged. */
export function withControl(
  service: Service,
  { world, log, faults }: Pick<ServiceParts, 'world' | 'log' | 'faults'>,
): Service {
  const control = createApp(world, controlRoutes(log, faults), CONTROL_PATH);
  return async (request, env) =>
    new URL(request.url).pathname.startsWith(`${CONTROL_PATH}/`)
      ? control.fetch(request, {})
      : service(request, env);
}
