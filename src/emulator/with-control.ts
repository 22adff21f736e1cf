import { createApp } from './app';
import { CONTROL_PATH, controlRoutes } from './routes/control';
import { type Service, type ServiceParts } from './service';

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
