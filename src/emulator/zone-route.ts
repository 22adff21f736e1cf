import { type Method, type Route, type ZoneCall, type ZoneHandler } from './call';
import { IDENTIFIER } from './identifiers';
import { settleMigration } from './migration';
import { noRoute, refusal, Refusal } from './refusal';

/** A route below `/zones/:zone`: finds the zone first, and lets time pass for its migration. */
export function zoneRoute(path: string, methods: Partial<Record<Method, ZoneHandler>>): Route {
  return {
    path: `/zones/:zone${path}`,
    methods: Object.fromEntries(
      Object.entries(methods).map(([method, handler]): [string, Route['methods'][Method]] => [
        method,
        (call) => {
          const id = call.params['zone'] ?? '';
          if (!IDENTIFIER.test(id)) throw noRoute(call.path);
          const zone = call.world.zones.get(id);
          if (zone === undefined) {
            throw refusal(403, 9109, 'Unauthorized to access requested resource');
          }
          settleMigration(zone, call.world);
          return handler({ ...call, zone });
        },
      ]),
    ),
  };
}

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

/**
 * A route of the previous WAF's interfaces. They stop working once the zone has migrated (spec,
 * "States and transitions", rule 2); how they answer then is not known, so a scenario chooses it.
 */
export function legacyRoute(path: string, methods: Partial<Record<Method, ZoneHandler>>): Route {
  const guarded = Object.entries(methods).map(([method, handler]): [string, ZoneHandler] => [
    method,
    (call) => {
      if (call.zone.migration.state === 'complete') throw gone(call);
      if (call.world.settings.oldInterfacesRefuseTokens && !call.schemes.has('key')) {
        throw refusal(403, 10000, 'Authentication error');
      }
      return handler(call);
    },
  ]);
  return zoneRoute(`/firewall/waf${path}`, Object.fromEntries(guarded));
}

function gone({ world, path }: ZoneCall): Refusal {
  switch (world.settings.gone) {
    case '403/10000':
      return refusal(403, 10000, 'Authentication error');
    case '404':
      return noRoute(path);
    case '400/1002':
      return refusal(400, 1002, 'The previous version of WAF managed rules is gone');
    case '410':
      return refusal(410, undefined, 'the previous version of WAF managed rules is gone');
    case 'html':
      return new Refusal(
        403,
        [{ message: 'html' }],
        {},
        '<!DOCTYPE html><html><body>Access denied</body></html>\n',
      );
  }
}
