import { type Method, type Route, type ZoneCall, type ZoneHandler } from '../call';
import { noRoute, Refusal, refusal } from '../refusal';
import { zoneRoute } from '../zone-route';

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
