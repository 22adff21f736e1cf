import { type Method, type Route, type ZoneHandler } from '../call';
import { refusal } from '../refusal';
import { zoneRoute } from '../zone-route';

/** The code of refused fields of filters and firewall rules: not the service's own, as far as known. */
export const INVALID_FIREWALL = 10101;

/** Pages of filters and firewall rules: public documentation. */
export const FIREWALL_PAGES = { default: 25, min: 5, max: 100 };

/**
 * A route of filters or firewall rules. In maintenance mode these can be read and not written: the
 * service has done so per account since 2026 (public reports).
 */
export function firewallRoute(path: string, methods: Partial<Record<Method, ZoneHandler>>): Route {
  const guarded = Object.entries(methods).map(([method, handler]): [string, ZoneHandler] => [
    method,
    (call) => {
      if (method !== 'GET' && call.world.settings.firewallMaintenance) {
        const message =
          'firewallrules.api.maintenance_mode. This API is in maintenance mode and no longer accepts modifications';
        throw refusal(403, 10020, message);
      }
      return handler(call);
    },
  ]);
  return zoneRoute(path, Object.fromEntries(guarded));
}
